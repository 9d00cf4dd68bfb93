"""The command that serves a package's tools, over stdio or HTTP."""

from __future__ import annotations

import argparse
import gc
import io
import json
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .environment import number
from .errors import CompositionError, SettingsError
from .hosts import FILES, configuration
from .log import configure, say
from .settings import INVENTED

if TYPE_CHECKING:
    from .server import Server

_HOST: Final = "127.0.0.1"
_PORT: Final = 8000
_INTERRUPTED: Final = 130  # by convention 128 + SIGINT
_MOST_TOOLS: Final = 128  # in a list, of VS Code, OpenAI and others


def run(build: Callable[[], Server], argv: Sequence[str] | None = None) -> int:
    """Do what the command line says with the server that ``build`` makes; the exit status.

    2 means that the command line, the environment or what ``build`` asks for cannot be used.
    """
    options = _parser().parse_args(argv)
    try:
        server = build()
        configure(server.settings.prefix, os.environ)
        if narrowing := _narrowing(server.settings.prefix, options):
            server.configure({**server.environ, **narrowing})
        server.ready()
    except (SettingsError, CompositionError) as error:
        say(f"error: {error}")
        return 2
    try:
        if options.command is not None:
            return _COMMANDS[options.command](server, options)
        if options.version:
            return _print(f"{server.api.name} {server.api.version}")
        if options.list or options.json:
            return _print(_listed(server, as_json=options.json))
        _advise(server)
        if options.http:
            return _http(server, options)
        return _stdio(server)
    except SettingsError as error:
        say(f"error: {error}")
        return 2
    except KeyboardInterrupt:
        return _INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=_name(), description="Serve the tools of an API to MCP clients; over stdio by default."
    )
    parser.add_argument("--version", action="store_true", help="print name and version")
    parser.add_argument("--list", action="store_true", help="print the tools")
    parser.add_argument("--json", action="store_true", help="print the tools as JSON: the contract")
    parser.add_argument("--read-only", action="store_true", help="offer only tools that change nothing")
    parser.add_argument("--toolsets", metavar="GROUPS", help="offer only the tools of these groups")
    parser.add_argument("--tools", metavar="TOOLS", help="offer only these tools")
    parser.add_argument("--exclude-tools", metavar="TOOLS", help="do not offer these tools")
    parser.add_argument("--mode", choices=("all", "search"), help="list every tool, or three that find the others")
    parser.add_argument("--mock", action="store_true", help="invent the answers; nothing reaches the API")
    parser.add_argument("--http", action="store_true", help="serve streamable HTTP at /mcp")
    parser.add_argument("--host", help=f"the address to serve on (default: {_HOST}, or the variable …_HOST)")
    parser.add_argument("--port", type=int, help=f"the port to serve on (default: {_PORT}, or the variable …_PORT)")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="how many processes serve HTTP")
    parser.add_argument("--stateful", action="store_true", help="keep sessions, so that older clients can be asked")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="instead of serving")
    one = commands.add_parser("call", help="call a tool and print its result")
    one.add_argument("tool", help="the tool's name")
    one.add_argument("arguments", nargs="?", default="{}", help="its arguments as JSON; - reads them from stdin")
    one = commands.add_parser("config", help="print what a client's configuration needs")
    one.add_argument("--client", required=True, choices=sorted(FILES), help="the client")
    one.add_argument("--url", default="", help="where the server is, if it runs already")
    commands.add_parser("doctor", help="check credentials, rules, and whether the API answers")
    one = commands.add_parser("login", help="let the server act for you, in a browser")
    one.add_argument("scheme", nargs="?", help="the security scheme, if there are several")
    one.add_argument("--no-browser", action="store_true", help="only print the page's address")
    one.add_argument("--forget", action="store_true", help="forget an earlier login instead")
    return parser


def _narrowing(prefix: str, options: argparse.Namespace) -> dict[str, str]:
    """What the command line says of what is offered, as the environment would say it."""
    given = {
        "READ_ONLY": "1" if options.read_only else None,
        "TOOLSETS": options.toolsets,
        "TOOLS": options.tools,
        "EXCLUDE_TOOLS": options.exclude_tools,
        "MODE": options.mode,
        "MOCK": "1" if options.mock else None,
    }
    return {f"{prefix}_{name}": value for name, value in given.items() if value is not None}


def _name() -> str:
    command = Path(sys.argv[0])
    return f"python -m {command.parent.name}" if command.name == "__main__.py" else command.name


def _listed(server: Server, *, as_json: bool) -> str:
    tools = server.tools().listed().tools
    if as_json:
        return json.dumps({"tools": [tool.entry for tool in tools.values()]}, ensure_ascii=False, indent=2)
    width = max((len(name) for name in tools), default=0)
    lines: list[str] = []
    for name, tool in tools.items():
        title = tool.entry.get("title", "")
        described = name in server.contract.tools and name not in server.composition.tools
        operation = server.operation(name) if described else None
        request = f"{operation.method} {operation.path}" if operation is not None else ""
        lines.append(f"{name:<{width}}  {request}  {title}".rstrip())
    lines += [f"{entry['uri']}  {entry['tool'].get('title', '')}".rstrip() for entry in server.contract.resources]
    return "\n".join(lines)


def _advise(server: Server) -> None:
    """Say what an operator should know: that answers are invented, and that a list is longer than clients take."""
    if server.settings.mock:
        say(f"{server.api.name}: warning: {INVENTED}")
    count = len(server.tools().listed().tools)
    if count > _MOST_TOOLS:
        say(
            f"{server.api.name}: warning: {count:,} tools are listed, and several clients take {_MOST_TOOLS} at most. "
            "Offer fewer with --toolsets, --tools or --read-only, or let clients search with --mode search."
        )


def _call(server: Server, options: argparse.Namespace) -> int:
    """Call one tool as a client would; 1 when the call failed."""
    import anyio

    from .errors import UnknownTool

    text = sys.stdin.read() if options.arguments == "-" else options.arguments
    try:
        arguments = json.loads(text)
    except ValueError as error:
        say(f"error: the arguments are no JSON: {error}")
        return 2

    async def call() -> int:
        async with server:
            try:
                result = await server.call(options.tool, arguments)
            except UnknownTool as error:
                say(f"error: {error}")
                return 2
        for block in result.content:
            _print(block.text if block.type == "text" else block.model_dump_json(by_alias=True, exclude_none=True))
        return 1 if result.is_error else 0

    return anyio.run(call)


def _config(server: Server, options: argparse.Namespace) -> int:
    """Print what a client's configuration needs."""
    secrets = {variable for scheme in server.settings.credentials.schemes.values() for variable in scheme.variables}
    given = {variable for variable in secrets if variable in server.settings.credentials.values}
    name = server.api.name
    text = configuration(options.client, name, f"{name}-mcp", given or _first(server), options.url)
    say(f"# for {FILES[options.client]}")
    return _print(text)


def _first(server: Server) -> set[str]:
    """One variable, or pair, of each scheme: what an operator is most likely to set."""
    schemes = server.settings.credentials.schemes.values()
    return {variable for scheme in schemes for variable in scheme.variables[: 2 if len(scheme.variables) == 2 else 1]}


def _doctor(server: Server, options: argparse.Namespace) -> int:
    """Examine the server; 1 when something is left to do."""
    import anyio

    from .doctor import examine

    async def examined() -> tuple[list[str], bool]:
        async with server:
            return await examine(server)

    lines, sound = anyio.run(examined)
    _print("\n".join(lines))
    return 0 if sound else 1


def _login(server: Server, options: argparse.Namespace) -> int:
    """Let a person grant what a scheme needs, and keep it."""
    import anyio

    from .errors import CallError
    from .login import login
    from .security import OAuth
    from .vault import Keeper

    schemes = {id_: one for id_, one in server.settings.credentials.schemes.items() if isinstance(one, OAuth)}
    chosen = options.scheme or (next(iter(schemes)) if len(schemes) == 1 else None)
    if chosen not in schemes:
        say(f"error: name a scheme to log in for: {', '.join(schemes) or 'this server has none'}")
        return 2
    keeper = Keeper(server.api.name, chosen)
    if options.forget:
        keeper.renew("")
        return _print(f"The login for {chosen} is forgotten.")
    values = server.settings.credentials.values

    async def granted() -> str:
        async with server:
            upstream = server.upstream()
            grant = await login(schemes[chosen], values, upstream.plain, say, browser=not options.no_browser)
        return grant.refresh_token

    try:
        refresh_token = anyio.run(granted)
    except CallError as error:
        say(f"error: {server.settings.redact(str(error))}")
        return 1
    if not refresh_token:
        say("error: the authorization server gave no refresh token, so there is nothing to keep; check the scopes")
        return 1
    keeper.renew(refresh_token)
    return _print(f"The server can act for you now; the login is kept in {keeper.place}.")


_COMMANDS: Final[Mapping[str, Callable[[Server, argparse.Namespace], int]]] = {
    "call": _call,
    "config": _config,
    "doctor": _doctor,
    "login": _login,
}


def _print(text: str) -> int:
    out = sys.stdout
    if isinstance(out, io.TextIOWrapper):
        out.reconfigure(encoding="utf-8")  # which JSON is, whatever the locale
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except BrokenPipeError:  # as in ``… --list | head``
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _http(server: Server, options: argparse.Namespace) -> int:
    from .http import serve

    prefix = server.settings.prefix
    port = options.port
    if port is None:
        port = int(number(f"{prefix}_PORT", server.environ, _PORT, least=0))
    if options.workers < 1 or (options.workers > 1 and options.stateful):
        say("error: --workers must be 1 or more, and --stateful needs just one: sessions stay in their process")
        return 2
    host = options.host or server.environ.get(f"{prefix}_HOST") or _HOST
    return serve(server, host, port, stateful=options.stateful, workers=options.workers)


def _stdio(server: Server) -> int:
    # Importing the SDK makes half a million objects that stay; looking for garbage among them takes a fifth of it.
    gc.disable()
    import anyio
    from mcp.server.stdio import stdio_server

    protocol = server.lowlevel()
    gc.enable()
    gc.freeze()

    async def serve() -> None:
        async with anyio.create_task_group() as group:
            if sys.platform != "win32":
                group.start_soon(_leave_on_signal, server)
            async with stdio_server() as (incoming, outgoing):
                await protocol.run(incoming, outgoing, protocol.create_initialization_options())
            group.cancel_scope.cancel()

    anyio.run(serve)
    return 0


async def _leave_on_signal(server: Server) -> None:
    """End the process on Ctrl-C and SIGTERM."""
    import anyio

    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as received:
        async for _ in received:
            with anyio.move_on_after(1):
                await server.aclose()
            # Not by an exception: a thread is reading stdin, and the interpreter would wait for its next line.
            os._exit(0)
