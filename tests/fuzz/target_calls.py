"""Calls and answers as targets: emitted servers, with something in the place of the API that looks at each request."""

# Values of any shape are what this is about.
# pyright: basic

from __future__ import annotations

import asyncio
import importlib
import json
import re
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import jsonschema_rs

from toolcast import pipeline
from toolcast.diagnostics import Failure, Report
from toolcast.emit import render

from .answers import answer
from .arguments import arguments
from .choices import Choices, Seeded
from .documents import document

_BASE = "http://api.test/base"
_SECRET = "s3cret-5f3a"
_BOOKSHOP = Path(__file__).parents[2] / "samples" / "bookshop" / "openapi.yaml"
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HOP = frozenset({"host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer"})
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
_UNREADABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]|Traceback")
_LARGEST = 1_000_000
_PLAIN = {"status": 200, "headers": {"content-type": "application/json"}, "body": "{}", "complete": True}


class Broken(AssertionError):
    """A law that does not hold; the class keeps it apart from assertions of the server's own."""


@dataclass(slots=True)
class Stand:
    """What stands for the connection to the API."""

    package: Any
    settings: Any
    answer: dict[str, Any] = field(default_factory=dict[str, Any])
    sent: list[Any] = field(default_factory=list[Any])

    async def send(self, request: Any, proof: Any, **_: Any) -> Any:
        """Keep the request with its credentials, and answer it."""
        self.sent.append(self.package.credentials.proven(request, proof, self.settings.headers))
        return self._response(self.answer)

    async def plain(self, request: Any) -> Any:
        """Answer a request for a token."""
        return self._response({**_PLAIN, "body": '{"access_token": "t0ken-from-afar", "token_type": "bearer"}'})

    async def aclose(self) -> None:
        """Nothing is open."""

    def _response(self, answer: dict[str, Any]) -> Any:
        body = answer["body"].encode("latin-1", "replace")
        return self.package.response.Response(
            status=answer["status"],
            reason="Some",
            headers=answer["headers"],
            body=body,
            complete=answer["complete"],
            url=f"{_BASE}/x",
        )


class _Modules:
    """The modules of one package's runtime."""

    def __init__(self, package: str) -> None:
        for name in ("credentials", "response", "server"):
            setattr(self, name, importlib.import_module(f"{package}._runtime.{name}"))


@dataclass(frozen=True, slots=True)
class Offer:
    """A server, and what it takes to look at its calls."""

    server: Any
    stand: Stand
    outputs: Mapping[str, Any]


class Calls:
    """Calls with any arguments; a case is a package, a tool, its arguments and an answer."""

    packages = 30

    def __init__(self, folder: Path) -> None:
        self.counts: Counter[str] = Counter()
        self._loop = asyncio.new_event_loop()
        self._offers: list[Offer] = []
        sys.path.insert(0, str(folder))
        seed = 0
        while len(self._offers) < self.packages:
            offer = self._made(folder, seed)
            seed += 1
            if offer is not None:
                self._offers.append(offer)
        self._tools = [(at, name) for at, offer in enumerate(self._offers) for name in offer.server.contract.tools]
        self.counts["tools"] = len(self._tools)

    def __del__(self) -> None:
        self._loop.close()

    def case(self, seed: int) -> list[Any]:
        """A call that is answered as is usual."""
        return self._case(Seeded(seed), _PLAIN)

    def check(self, case: list[Any]) -> None:
        """Make the call, and look at the request and the result."""
        at, name, given, answered = case
        offer = self._offers[at]
        offer.stand.sent.clear()
        offer.stand.answer = answered
        result = self._loop.run_until_complete(offer.server.call(name, given))
        said = "\n".join(getattr(block, "text", "") for block in result.content)
        if not offer.stand.sent:
            self.counts["refused"] += 1
            _holds(result.is_error and said.strip(), "nothing was sent, and nothing says why")
        else:
            self.counts["sent"] += 1
            for request in offer.stand.sent:
                _well_formed(request, offer.server.operation(name))
        if result.is_error:
            self.counts["told as errors"] += 1
            _holds(_UNREADABLE.search(said) is None, f"an error that cannot be read: {said[:300]!r}")
            _holds(_SECRET not in said, "a credential is in an error")
        wire = result.model_dump_json(by_alias=True, exclude_none=True)
        _holds(len(wire.encode()) < _LARGEST, f"a result of {len(wire):,} characters")
        validator = offer.outputs.get(name)
        if validator is not None and not result.is_error:
            self.counts["structured"] += 1
            _holds(result.structured_content is not None, "a tool with an output schema gave no structured content")
            _holds(validator.is_valid(json.loads(wire)["structuredContent"]), "structured content does not match")

    def _case(self, choices: Choices, answered: dict[str, Any] | None) -> list[Any]:
        at, name = choices.one(self._tools)
        tool = self._offers[at].server.contract.tools[name]
        if answered is None:
            made = asdict(answer(choices, tool.output_schema))
            answered = {**made, "body": made["body"].decode("latin-1")}
        return [at, name, arguments(choices, tool.input_schema), answered]

    def _made(self, folder: Path, seed: int) -> Offer | None:
        """A server for a document of the grammar; None where it has no tools. The first is the sample."""
        path = folder / f"{seed}.json"
        path.write_text(json.dumps(document(Seeded(seed))))
        try:
            found = pipeline.inspect(str(path if seed else _BOOKSHOP), report=Report())
        except Failure:
            return None
        catalog = found.catalog
        if not catalog.tools:
            return None
        name = f"fuzzed{seed}"
        for file in render.files(catalog, "api.json", with_types=False, with_tests=False):
            parts = file.path.split("/")
            if parts[0] == "src":
                target = folder / "/".join([name, *parts[2:]])
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(file.text.replace(f"{catalog.package}.", f"{name}."), "utf-8")
        api = importlib.import_module(f"{name}.api").API
        modules = _Modules(name)
        environ = {
            variable: "external" if one.kind == "mutualTLS" else _SECRET  # a certificate cannot be made up
            for one in catalog.credentials
            for variable in one.variables
        }
        environ |= {f"{api.environment}_BASE_URL": _BASE, f"{api.environment}_BASE_URL_ALL": "1"}
        server = modules.server.Server(api, environ={**environ, f"{api.environment}_GUARD": "off"})  # type: ignore[attr-defined]

        def reported(call: Any, error: Exception) -> str:
            raise error

        server.reported = reported
        stand = Stand(modules, server.settings)
        server.upstream = lambda: stand
        outputs = {
            tool.name: jsonschema_rs.Draft202012Validator(tool.output_schema, validate_formats=False)
            for tool in server.contract.tools.values()
            if tool.output_schema is not None
        }
        return Offer(server, stand, outputs)


class Answers(Calls):
    """Answers that may be anything, to calls that are mostly sound."""

    def case(self, seed: int) -> list[Any]:
        """A call with an answer of its own."""
        return self._case(Seeded(seed), None)


def _holds(law: object, words: str) -> None:
    if not law:
        raise Broken(words)


def _well_formed(request: Any, operation: Any) -> None:
    """The request goes where its operation is, and no value has left its place."""
    _holds(_TOKEN.fullmatch(request.method), f"the method {request.method!r}")
    _holds(re.fullmatch(r"[!-~]+", request.url), f"the URL {request.url!r}")
    _holds("#" not in request.url, f"a fragment: {request.url}")
    _holds(not re.search(r"%(?![0-9A-Fa-f]{2})", request.url), f"a bare percent sign: {request.url}")
    parts = urlsplit(request.url)
    _holds((parts.scheme, parts.netloc) == ("http", "api.test"), f"another host: {request.url}")
    _holds(parts.path.startswith("/base"), f"another base: {request.url}")
    if not any(
        getattr(binding, "slashes", False) or getattr(binding, "reserved", False) for binding in operation.bindings
    ):
        template = re.sub(r"\{[^{}]*\}", "x", operation.path).partition("?")[0].removeprefix("/")
        path = parts.path.removeprefix("/base").removeprefix("/")
        _holds(path.count("/") == template.count("/"), f"{operation.path} became {parts.path}")
        steps = {unquote(step) for step in path.split("/")} - {unquote(step) for step in template.split("/")}
        _holds(not steps & {".", ".."}, f"a step: {request.url}")
    seen: list[str] = []
    for name, text in request.headers:
        _holds(_TOKEN.fullmatch(name) and name.lower() not in _HOP, f"the header {name!r}")
        _holds(not _CONTROL.search(text), f"the header {name}: {text!r}")
        text.encode()
        seen.append(name.lower())
    _holds(seen.count("content-type") <= 1 and seen.count("cookie") <= 1, f"twice a header: {seen}")
    if request.body is not None:
        _body({name.lower(): text for name, text in request.headers}.get("content-type", ""), request.body)


def _body(media_type: str, body: bytes) -> None:
    kind = media_type.partition(";")[0].strip().lower()
    if kind == "application/json" or kind.endswith("+json"):
        json.loads(body, parse_constant=_none)
    elif kind == "application/x-www-form-urlencoded":
        _holds(re.fullmatch(rb"[!-~]*", body) and b"#" not in body, f"a form: {body[:200]!r}")
    elif kind.startswith("multipart/"):
        mark = b"--" + media_type.rpartition("boundary=")[2].encode()
        _holds(body.endswith(mark + b"--\r\n"), f"an end: {body[-80:]!r}")
        for part in body.split(mark)[1:-1]:
            head = part.partition(b"\r\n\r\n")[0]
            for line in head.split(b"\r\n")[1:]:
                _holds(re.fullmatch(rb"[!-9;-~]+: [^\x00-\x08\x0a-\x1f\x7f]*", line), f"a part's header: {line!r}")


def _none(name: str) -> None:
    raise Broken(f"{name} is no JSON")
