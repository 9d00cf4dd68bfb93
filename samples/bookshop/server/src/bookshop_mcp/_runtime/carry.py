"""How a call is carried out: every check on the way from an agent to the API, and the owner's functions on it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .arguments import check
from .call import Call
from .concealment import concealed
from .contract import Tool
from .credentials import Credentials, Proof
from .errors import ArgumentProblem, CallError
from .guard import identity, question
from .log import LOGGER
from .naming import renamed
from .operation import Arguments, Operation
from .outcome import Answered, Given, Outcome, same
from .settings import Settings
from .style import Unfit

if TYPE_CHECKING:
    from .request import Request
    from .response import Response
    from .rest import Rest


async def carried(call: Call, tool: Tool, arguments: Arguments) -> Outcome:
    """What comes of an agent's call of a tool; raises ``CallError`` when it cannot be made, or must not."""
    server = call.server
    own = server.composition.tools.get(tool.name)
    if own is None:
        return await operated(call, server.operation(tool.name), arguments)
    _permit(tool, call)
    checked = check(tool, arguments)
    await _reviewed(tool, checked, None, call)
    return Given(await own.handler(call, checked), tool, settings_of(call))


async def operated(call: Call, operation: Operation[Any, Any], arguments: Arguments) -> Outcome:
    """What comes of an operation: the part that is wanted of it, where the arguments say so."""
    text = arguments.get(operation.projection) if operation.projection else None
    if text is None:
        return await _operated(call, operation, arguments)
    from .projection import projection

    try:
        wanted = projection(text)
    except Unfit as unfit:
        told = (
            f"Invalid arguments for {operation.name}; nothing was sent:\n- Argument {operation.projection!r} {unfit}."
        )
        raise ArgumentProblem(told) from None
    others = {name: value for name, value in arguments.items() if name != operation.projection}
    return (await _operated(call, operation, others)).projected(wanted)


async def _operated(call: Call, operation: Operation[Any, Any], arguments: Arguments) -> Outcome:
    """What a function of the owner's makes of an operation, or what the API answers."""
    server = call.server
    tool = server.described.tool(operation.name)
    around = server.composition.around.get(operation.name, ())
    depth = call.within.get(operation.name, 0)
    if depth == len(around):
        response = await _respond(operation, tool, arguments, call)
        return Answered(response, operation, tool, settings_of(call), None if around else _rest(call, tool, arguments))
    _permit(tool, call)
    checked = check(tool, renamed(operation, arguments), operation.parameters, operation.inner)
    answer = await around[-1 - depth](call.inside(operation.name), checked)
    given = Given(answer, tool, settings_of(call), wrapped=operation.wrapped)
    before = call.record.outcome
    # What a function hands on as it came is shown as it came, also when it is no JSON.
    return before if before is not None and await same(before, given) else given


def _rest(call: Call, tool: Tool, arguments: Arguments) -> Rest | None:
    """How an agent reads on; what changes something is not called again for that."""
    if not tool.read_only or tool.name != call.name:
        return None
    from .rest import Rest

    server = call.server
    return Rest(server=server.api.name, seals=server.access.seals, tool=tool.name, arguments=arguments)


def settings_of(call: Call) -> Settings:
    """The settings with the credentials of a call, so that they are not shown to anybody either."""
    own, credentials = call.server.settings, call.record.credentials
    return own if credentials is None or credentials is own.credentials else replace(own, credentials=credentials)


async def _respond(operation: Operation[Any, Any], tool: Tool, arguments: Arguments, call: Call) -> Response:
    """The API's response; raises ``CallError`` when the call cannot be made, or must not.

    Without a human in the call nobody has to agree.
    """
    from .request import ArgumentError, build

    _permit(tool, call)
    checked = check(tool, renamed(operation, arguments), operation.parameters, operation.inner)
    settings, upstream, caller = call.server.settings, call.server.upstream(), call.caller.id
    base_url = settings.base_url(operation)
    credentials = call.record.credentials = await _credentials(call)
    proof = credentials.proof(operation) if settings.authenticate else Proof()
    try:
        request = build(operation, proof.filled(operation, checked), base_url)
    except ArgumentError as error:
        raise ArgumentProblem(f"Invalid arguments for {tool.name}; nothing was sent:\n- {error.message}") from None
    await _reviewed(tool, checked, request, call)
    settled = await credentials.settled(proof, upstream.plain)
    response = await upstream.send(request, settled, tool=tool.name, caller=caller)
    if response.status == 401 and credentials.refused(settled):  # so that nothing was carried out
        settled = await credentials.settled(proof, upstream.plain)
        response = await upstream.send(request, settled, tool=tool.name, caller=caller)
    call.record.status = response.status
    return concealed(response, settled, settings.headers)


async def _credentials(call: Call) -> Credentials:
    """The credentials of a call: the caller's own, else those of the owner's function, else the environment's."""
    own, provider = call.server.settings.credentials, call.server.composition.provider
    if provider is not None:
        own = own.given(await provider(call))
    return call.server.access.credentials(own, call.caller)


async def _reviewed(tool: Tool, arguments: Arguments, request: Request | None, call: Call) -> None:
    """Let the human decide where the guard wants that; raises ``CallError`` where nothing may be sent."""
    access, record = call.server.access, call.record
    policy = access.policy(tool)
    if call.human is None or policy == "off":
        return
    bound = identity(tool.name, arguments, request, call.caller.id, policy)
    record.decision = "refused"
    asked = settings_of(call).redact(question(tool.title, request, arguments))  # path and body may hold secrets
    record.decision = await access.guard.review(policy, asked, bound, call.human)
    if record.decision == "unconfirmed":
        LOGGER.warning("%s is called without anybody having been asked", tool.name)


def _permit(tool: Tool, call: Call) -> None:
    """Refuse what a caller's token does not grant; raises ``CallError``."""
    if lacking := call.server.access.lacking(tool, call.caller):
        raise CallError(f"The caller's token does not grant {' '.join(sorted(lacking))}, so nothing was sent.")
