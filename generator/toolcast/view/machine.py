"""What the stages found, for machines."""

from __future__ import annotations

from collections.abc import Iterable

import orjson

from toolcast.diagnostics import Diagnostic
from toolcast.model.catalog import Request, Tool
from toolcast.model.document import Lines
from toolcast.view.findings import place
from toolcast.view.limits import Passed
from toolcast.view.survey import Survey


def diagnostics(findings: Iterable[Diagnostic], lines: Lines | None) -> list[dict[str, object]]:
    """Findings as JSON objects; ``operation`` is there when an operation gives no tool."""
    found: list[dict[str, object]] = []
    for finding in findings:
        told: dict[str, object] = {
            "code": finding.code,
            "severity": finding.severity,
            "message": finding.message,
            "location": place(finding.location, lines),
            "help": finding.help,
        }
        found.append({**told, "operation": finding.operation} if finding.operation else told)
    return found


def inspection(survey: Survey) -> str:
    """A catalog and its findings as JSON text."""
    catalog = survey.catalog
    value = {
        "name": catalog.name,
        "title": catalog.title,
        "document": survey.file,
        "tools": [_tool(survey, tool) for tool in catalog.tools],
        "left_out": list(catalog.left_out),
        "tokens": survey.tokens,
        "limits": [_limit(entry) for entry in survey.passed],
        "diagnostics": diagnostics(survey.findings, survey.lines),
    }
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()


def _limit(entry: Passed) -> dict[str, object]:
    limit = entry.limit
    told = {"id": limit.id, "client": limit.client, "what": limit.what, "value": limit.value, "source": limit.source}
    return {**told, "tools": list(entry.tools)}


def _tool(survey: Survey, tool: Tool) -> dict[str, object]:
    return {
        "name": tool.name,
        "group": tool.group,
        "title": tool.title,
        "description": tool.description,
        "method": tool.method,
        "path": tool.path,
        "location": place(tool.at, survey.lines),
        "deprecated": tool.deprecated,
        "tokens": survey.sizes[tool.name],
        "hints": hints(tool),
        "inputSchema": tool.input_schema,
        "outputSchema": tool.output_schema,
        "example": tool.example,
        "request": request(survey.requests.get(tool.name)),
    }


def hints(tool: Tool) -> dict[str, dict[str, object]]:
    """The four hints of a tool, each with its reason."""
    return {
        name: {"value": hint.value, "reason": hint.reason}
        for name, hint in (
            ("readOnly", tool.hints.read_only),
            ("destructive", tool.hints.destructive),
            ("idempotent", tool.hints.idempotent),
            ("openWorld", tool.hints.open_world),
        )
    }


def request(made: Request | None) -> dict[str, object] | None:
    """A request as JSON; a body that is no text is told by its length."""
    if made is None:
        return None
    try:
        body = made.body.decode()
    except UnicodeDecodeError:
        body = f"({len(made.body):,} bytes)"
    target = f"{made.path}?{made.query}" if made.query else made.path
    return {"method": made.method, "target": target, "headers": dict(made.headers), "body": body or None}
