"""What a folder's ``expected.yaml`` says of its documents, and whether it holds.

    findings: [TC233]                   the codes of all warnings and errors, in any order; none when absent
    tools:                              every tool, and no other
      read_seat:
        arguments: {seatId: {type: integer}}    all of them, each with at least this in its schema
        required: [seatId]              all of them; none when absent
        takes: [{seatId: 1}]            arguments that the input schema accepts
        refuses: [{}]                   … and does not
        result: {type: object}          at least this in the output schema; null: there is none
        description: of a seat          a part of it
    calls:
      - tool: read_seat
        arguments: {seatId: 1}
        environment: {API_KEY: k}       without the server's prefix
        request: GET http://api.test/seats/1    the request line, or more of it (below)
        answer: {json: {a: 1}}          what the API answers, ``{}`` when absent
        result: {json: {a: 1}}          what the call gives
        refused: seatId must be         instead of request and result: parts of the error; nothing is sent

A request is ``line``, ``headers`` (those that matter; null: there is none), and its body as ``json``, ``text``,
``base64``, ``xml`` (compared without regard to how it is written) or ``parts``; without one of them it has none.
An answer is ``status``, ``headers``, ``type``, and its body as ``json``, ``text`` (in ``charset``) or ``base64``.
A result is ``error`` (default: false), ``text`` (parts of it), ``json`` (its whole text as a value), ``structured``,
``type`` and ``base64`` of an image, a sound or an embedded resource.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import Message
from email.parser import BytesParser
from email.policy import HTTP
from pathlib import Path
from typing import Any, cast
from xml.etree import ElementTree

import jsonschema_rs
from mcp.types import AudioContent, CallToolResult, EmbeddedResource, ImageContent, TextContent

from toolcast.load import yaml

Value = Any  # of YAML


@dataclass(frozen=True, slots=True)
class Answer:
    """What the API answers."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    body: bytes = b"{}"


@dataclass(frozen=True, slots=True)
class Request:
    """A request that arrived: its line without the version, its headers by names in lower case, its body."""

    line: str
    headers: Mapping[str, str]
    body: bytes


def read(path: Path) -> dict[str, Value]:
    """What a file says."""
    return cast("dict[str, Value]", yaml.read(path.read_text("utf-8"), path.name).value)


def answer(said: Mapping[str, Value] | None) -> Answer:
    """The answer that a call is given."""
    if said is None:
        return Answer()
    kind = said.get("type", "application/json" if "json" in said else None)
    body = (
        json.dumps(said["json"]).encode()
        if "json" in said
        else base64.b64decode(said["base64"])
        if "base64" in said
        else str(said.get("text", "")).encode(said.get("charset", "utf-8"))
    )
    return Answer(
        said.get("status", 200), {**({"Content-Type": kind} if kind else {}), **said.get("headers", {})}, body
    )


def holds(fact: Value, found: Value) -> bool:
    """Whether what was found has at least what is said: members of objects, each in the same way; else equality."""
    if isinstance(fact, dict) and isinstance(found, dict):
        facts = cast("dict[str, Value]", fact)
        return all(name in found and holds(value, found[name]) for name, value in facts.items())
    return fact == found


def check_tool(said: Mapping[str, Value] | None, entry: Mapping[str, Value]) -> None:
    """A tool is published as it should be."""
    schema = entry["inputSchema"]
    jsonschema_rs.meta.validate(schema)
    if said is None:
        return
    if "arguments" in said:
        assert {*schema["properties"]} == {*said["arguments"]}
        for name, fact in said["arguments"].items():
            assert holds(fact or {}, schema["properties"][name]), (name, schema["properties"][name])
        assert sorted(schema.get("required", [])) == sorted(said.get("required", []))
    validator = jsonschema_rs.Draft202012Validator(schema)
    for arguments in said.get("takes", []):
        assert validator.is_valid(arguments), arguments
    for arguments in said.get("refuses", []):
        assert not validator.is_valid(arguments), arguments
    if "result" in said:
        assert holds(said["result"], entry.get("outputSchema")), entry.get("outputSchema")
    assert said.get("description", "") in entry["description"]


def check_request(said: Value, request: Request) -> None:
    """A request arrived as it should have."""
    facts: Mapping[str, Value] = {"line": said} if isinstance(said, str) else said
    assert request.line == facts["line"]
    for name, value in facts.get("headers", {}).items():
        assert request.headers.get(name.lower()) == value, name
    match facts:
        case {"json": value}:
            assert json.loads(request.body) == value
        case {"text": text}:
            assert request.body.decode() == text
        case {"base64": text}:
            assert request.body == base64.b64decode(text)
        case {"xml": text}:
            assert ElementTree.canonicalize(request.body.decode()) == ElementTree.canonicalize(text)
        case {"parts": parts}:
            assert _parts(request) == parts
        case _:
            assert (request.body, request.headers.get("content-type")) == (b"", None)


def _parts(request: Request) -> list[Value]:
    """The parts of a multipart body: what their headers say, and their content."""
    head = f"Content-Type: {request.headers['content-type']}\r\n\r\n".encode()
    return _within(BytesParser(policy=HTTP).parsebytes(head + request.body))


def _within(message: Message[Any, Any]) -> list[Value]:
    assert not message.defects
    found: list[Value] = []
    for part in cast("list[Message[Any, Any]]", message.get_payload()):
        said: dict[str, Value] = {name.lower(): str(value) for name, value in part.items()}
        if part.is_multipart():  # whose boundary is nobody's business
            found.append({**said, "content-type": part.get_content_type(), "parts": _within(part)})
            continue
        data = cast("bytes", part.get_payload(decode=True))
        try:
            found.append({**said, "text": data.decode()})
        except UnicodeDecodeError:
            found.append({**said, "base64": base64.b64encode(data).decode()})
    return found


def check_result(said: Mapping[str, Value], result: CallToolResult) -> None:
    """A result is what it should be."""
    text = "\n".join(block.text for block in result.content if isinstance(block, TextContent))
    assert bool(result.is_error) is said.get("error", False), text
    parts = said.get("text", [])
    for part in [parts] if isinstance(parts, str) else parts:
        assert part in text, text
    if "json" in said:
        assert json.loads(text) == said["json"]
    if "structured" in said:
        assert result.structured_content == said["structured"], result.structured_content
    if "base64" in said:
        assert (said["type"], said["base64"]) in [_bytes(block) for block in result.content]


def _bytes(block: object) -> tuple[str | None, str] | None:
    match block:
        case ImageContent() | AudioContent():
            return block.mime_type, block.data
        case EmbeddedResource(resource=resource):
            return resource.mime_type, getattr(resource, "blob", "")
        case _:
            return None
