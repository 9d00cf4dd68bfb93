"""The command that serves a package's tools, over stdio or HTTP."""

from __future__ import annotations

import argparse
import gc
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import SettingsError
from .log import configure, say

if TYPE_CHECKING:
    from .server import Server

_INTERRUPTED = 130  # by convention 128 + SIGINT


def run(build: Callable[[], Server], argv: Sequence[str] | None = None) -> int:
    """Do what the command line says with the server that ``build`` makes; the exit status.

    2 means that the command line or the environment cannot be used.
    """
    options = _parser().parse_args(argv)
    try:
        server = build()
        configure(server.settings.prefix, os.environ)
        if narrowing := _narrowing(server.settings.prefix, options):
            server.configure({**server.environ, **narrowing})
    except SettingsError as error:
        say(f"error: {error}")
        return 2
    try:
        if options.version:
            return _print(f"{server.api.name} {server.api.version}")
        if options.list or options.json:
            return _print(_listed(server, as_json=options.json))
        if options.http:
            return _http(server, options.host, options.port, stateful=options.stateful)
        return _stdio(server)
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
    parser.add_argument("--http", action="store_true", help="serve streamable HTTP at /mcp")
    parser.add_argument("--host", default="127.0.0.1", help="the address to serve on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8000, help="the port to serve on (default: %(default)s)")
    parser.add_argument("--stateful", action="store_true", help="keep sessions, so that older clients can be asked")
    return parser


def _narrowing(prefix: str, options: argparse.Namespace) -> dict[str, str]:
    """What the command line says of what is offered, as the environment would say it."""
    given = {
        "READ_ONLY": "1" if options.read_only else None,
        "TOOLSETS": options.toolsets,
        "TOOLS": options.tools,
        "EXCLUDE_TOOLS": options.exclude_tools,
        "MODE": options.mode,
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
        operation = server.operation(name) if name in server.contract.tools else None
        request = f"{operation.method} {operation.path}" if operation is not None else ""
        lines.append(f"{name:<{width}}  {request}  {title}".rstrip())
    return "\n".join(lines)


def _print(text: str) -> int:
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except BrokenPipeError:  # as in ``… --list | head``
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _http(server: Server, host: str, port: int, *, stateful: bool) -> int:
    from .http import serve

    return serve(server, host, port, stateful=stateful)


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
