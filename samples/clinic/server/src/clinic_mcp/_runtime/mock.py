"""The mock: answers that are invented, so that a server can be tried without credentials and without its API.

Everything before the request and after the answer is as always: only the API is not asked.
"""

from __future__ import annotations

import base64
import importlib.resources
import json
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .contract import Contract
from .credentials import Proof
from .errors import CallError
from .log import LOGGER
from .operation import Json
from .response import Response
from .settings import INVENTED, Settings
from .upstream import Upstream, shown
from .validator import Schema

if TYPE_CHECKING:
    from .request import Request


class Mock(Upstream):
    """Answers requests from ``answers.json`` of a package, and where that has nothing, as briefly as a schema lets."""

    def __init__(self, settings: Settings, agent: str, package: str, contract: Contract) -> None:
        super().__init__(settings, agent)
        self._package = package
        self._contract = contract

    async def send(self, request: Request, proof: Proof, *, tool: str = "", caller: str = "") -> Response:
        """An invented answer, always the same for a tool."""
        LOGGER.info("%s %s is answered with what is invented", request.method, shown(request.url))
        told = self._answers.get(tool) or self._least(tool)
        kind = str(told.get("type", ""))
        return Response(
            status=int(told["status"]),
            reason="OK",
            headers={"content-type": kind} if kind else {},
            body=_body(told),
            complete=True,
            url=shown(request.url),
        )

    async def plain(self, request: Request) -> Response:
        """No authorization server is asked either; raises ``CallError``."""
        raise CallError(INVENTED)

    @cached_property
    def _answers(self) -> Mapping[str, Mapping[str, Any]]:
        file = importlib.resources.files(self._package).joinpath("answers.json")
        return json.loads(file.read_bytes()) if file.is_file() else {}

    def _least(self, tool: str) -> Mapping[str, Any]:
        schema = self._contract.tool(tool).output_schema
        if schema is None:
            return {"status": 204}
        properties: Mapping[str, Any] = schema.get("properties", {})
        return {"status": 200, "type": "application/json", "json": _least(properties, schema)}


def _least(properties: Mapping[str, Any], schema: Schema) -> Json:
    """As little as a schema takes; an answer that is no object stands alone in its structured result."""
    told = properties["result"] if set(properties) == {"result"} else schema
    kinds = told.get("type", "object")
    kind = kinds if isinstance(kinds, str) else kinds[0]
    least: Mapping[str, Json] = {"array": [], "string": "", "integer": 0, "number": 0, "boolean": False, "null": None}
    return least.get(kind, {})


def _body(told: Mapping[str, Any]) -> bytes:
    if "json" in told:
        return json.dumps(told["json"]).encode()
    return base64.b64decode(told["base64"]) if "base64" in told else str(told.get("text", "")).encode()
