"""What the stages found, for machines."""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from toolcast.diagnostics import Diagnostic
from toolcast.model.catalog import Catalog, Tool
from toolcast.model.document import Lines
from toolcast.view.terminal import place


def diagnostics(findings: Sequence[Diagnostic], lines: Lines | None) -> list[dict[str, object]]:
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


def inspection(catalog: Catalog, findings: Sequence[Diagnostic], lines: Lines | None, sizes: dict[str, int]) -> str:
    """A catalog and its findings as JSON text."""
    value = {
        "name": catalog.name,
        "title": catalog.title,
        "tools": [_tool(tool, sizes[tool.name]) for tool in catalog.tools],
        "left_out": list(catalog.left_out),
        "tokens": sum(sizes.values()),
        "diagnostics": diagnostics(findings, lines),
    }
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()


def _tool(tool: Tool, size: int) -> dict[str, object]:
    return {
        "name": tool.name,
        "group": tool.group,
        "title": tool.title,
        "method": tool.method,
        "path": tool.path,
        "tokens": size,
        "hints": {
            name: {"value": hint.value, "reason": hint.reason}
            for name, hint in (
                ("readOnly", tool.hints.read_only),
                ("destructive", tool.hints.destructive),
                ("idempotent", tool.hints.idempotent),
                ("openWorld", tool.hints.open_world),
            )
        },
        "inputSchema": tool.input_schema,
        "outputSchema": tool.output_schema,
    }
