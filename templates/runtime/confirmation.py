"""How the human behind a client is asked, in each era of the protocol."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from mcp.types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

from .guard import SECONDS, Human, InputNeeded, Nobody
from .once import Used
from .seal import Seals

if TYPE_CHECKING:
    from mcp.server import ServerRequestContext
    from mcp.types import CallToolRequestParams

_PURPOSE: Final = "confirmation"
_KEY: Final = "confirm"
_FORM: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"confirm": {"type": "boolean", "title": "Send it", "default": False}},
    "required": ["confirm"],
}


def human(ctx: ServerRequestContext[Any, Any], params: CallToolRequestParams, seals: Seals, used: Used) -> Human:
    """Whom a call can be asked about, by what the request says of its client."""
    capabilities = ctx.session.client_capabilities
    elicitation = None if capabilities is None else capabilities.elicitation
    # A client that names neither mode has forms; one that names URLs only has none.
    if elicitation is None or (elicitation.form is None and elicitation.url is not None):
        return Nobody()
    if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
        return _RoundTrip(params, seals, used)
    return _Pushed(ctx) if ctx.session.can_send_request else Nobody()


class _RoundTrip:
    """Asks by an answer to the call, which the client makes again with what the human said (2026-07-28, MRTR)."""

    def __init__(self, params: CallToolRequestParams, seals: Seals, used: Used) -> None:
        self._params = params
        self._seals = seals
        self._used = used

    async def agrees(self, question: str, call: str) -> bool:
        answer = (self._params.input_responses or {}).get(_KEY)
        state = self._seals.opened(_PURPOSE, self._params.request_state or "")
        # An answer counts only with our own, unused state for this very call: anything else is asked again.
        # A no uses the question up, too: no later yes to it counts.
        if (
            isinstance(answer, ElicitResult)
            and state is not None
            and state["call"] == call
            and await self._used.take(state["nonce"])
        ):
            return _agreed(answer.action, answer.content)
        params = ElicitRequestFormParams(message=question, requested_schema=_FORM)
        raise InputNeeded(
            InputRequiredResult(
                input_requests={_KEY: ElicitRequest(params=params)},
                request_state=self._seals.sealed(_PURPOSE, {"call": call, "nonce": secrets.token_hex(12)}, SECONDS),
            )
        )


class _Pushed:
    """Asks by a request of the server's own (until 2025-11-25)."""

    def __init__(self, ctx: ServerRequestContext[Any, Any]) -> None:
        self._ctx = ctx

    async def agrees(self, question: str, call: str) -> bool | None:
        from mcp.shared.exceptions import MCPError

        try:
            answer = await self._ctx.session.elicit_form(question, _FORM, related_request_id=self._ctx.request_id)
        except MCPError:  # the client says that it can, and cannot
            return None
        return _agreed(answer.action, answer.content)


def _agreed(action: str, content: Mapping[str, Any] | None) -> bool:
    return action == "accept" and (content or {}).get("confirm") is True
