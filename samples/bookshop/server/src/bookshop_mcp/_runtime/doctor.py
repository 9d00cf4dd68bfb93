"""The doctor: what of a server is ready, and what its operator still has to do; no value of a credential is shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from .caller import Caller
from .credentials import Credentials
from .errors import CallError
from .operation import Operation, Path
from .security import ApiKey, Basic, MutualTls, OAuth, Token

if TYPE_CHECKING:
    from .server import Server


# A caller over HTTP, whose token is exchanged where that is so.
_SOMEBODY: Final = Caller(token="somebody's")


async def examine(server: Server) -> tuple[list[str], bool]:
    """What was found, line by line, and whether the server can work as it is."""
    lines: list[str] = []
    sound = True
    for ready, line in [*_credentials(server), *_policies(server)]:
        lines.append(f"{'ok  ' if ready else 'TODO'}  {line}")
    ready, line = await _upstream(server)
    lines.append(f"{'ok  ' if ready else 'TODO'}  {line}")
    sound = all(line.startswith("ok") for line in lines)
    return lines, sound


def _credentials(server: Server) -> Iterator[tuple[bool, str]]:
    own = server.settings.credentials
    credentials = server.access.exchange.credentials(own, _SOMEBODY)
    if not server.settings.authenticate:
        yield True, f"credentials: none are sent ({server.settings.prefix}_AUTH=off)"
        return
    for id_, scheme in credentials.schemes.items():
        match scheme:
            case OAuth():
                held = [name for name in scheme.variables if credentials.values.get(name)]
                found = credentials.tokens[id_].complete
                told = ", ".join(held) or ("a login" if found else f"set {credentials.tokens[id_].wanted}")
                if id_ in server.access.exchange.schemes:
                    told = ", ".join([*held, "callers' tokens"])
            case Basic() | ApiKey() | Token() | MutualTls():
                held = [name for name in scheme.variables if name in credentials.values]
                found = len(held) == len(scheme.variables)
                told = ", ".join(held) if found else f"set {' and '.join(scheme.variables)}"
        yield found, f"credential {id_}: {told}"
    lacking = [name for name in server.listed().tools if not _callable(credentials, server.operation(name))]
    if lacking:
        named = ", ".join(lacking[:5]) + (f" and {len(lacking) - 5} more" if len(lacking) > 5 else "")
        yield False, f"without credentials that they need: {named}"
    elif credentials.schemes:
        yield True, "every tool that is offered has the credentials that it needs"


def _callable(credentials: Credentials, operation: Operation[Any, Any]) -> bool:
    try:
        credentials.proof(operation)
    except CallError:
        return False
    return True


def _policies(server: Server) -> Iterator[tuple[bool, str]]:
    access, tools = server.access, server.listed().tools
    total = len(server.contract.tools)
    reads = sum(tool.hints.get("readOnlyHint") is True for tool in tools.values())
    yield True, f"offers {len(tools)} of {total} tools, {reads} of which only read; mode: {server.settings.mode}"
    policies = {name: access.policy(tool) for name, tool in tools.items()}
    for policy, what in (("required", "need a human's confirmation"), ("ask", "ask a human where that is possible")):
        named = [name for name, found in policies.items() if found == policy]
        if named:
            shown = ", ".join(named[:5]) + (f" and {len(named) - 5} more" if len(named) > 5 else "")
            yield True, f"{len(named)} tools {what}: {shown}"
    if access.issuer:
        yield True, f"callers over HTTP need a token of {access.issuer}"
    for id_ in access.exchange.schemes:
        yield True, f"callers' tokens over HTTP are exchanged for tokens of {id_}"
    for header, variable in access.handover.headers.items():
        yield True, f"callers over HTTP bring {variable} in {header}"


async def _upstream(server: Server) -> tuple[bool, str]:
    """Whether the API answers a safe call: a GET that needs no argument."""
    for name, tool in server.listed().tools.items():
        operation = server.operation(name)
        plain = operation.method == "GET" and not any(isinstance(one, Path) for one in operation.bindings)
        if not plain or tool.input_schema.get("required") or not _callable(server.settings.credentials, operation):
            continue
        try:
            url = server.settings.base_url(operation)
        except CallError as error:
            return False, str(error)
        result = await server.call(name, {})
        if result.is_error:
            said = " ".join(block.text for block in result.content if block.type == "text").split("\n")[0]
            return False, f"the API at {url}: {name} failed: {said[:300]}"
        return True, f"the API at {url} answers {name}"
    return True, "no tool can be called to try the API: each needs arguments, credentials or changes something"
