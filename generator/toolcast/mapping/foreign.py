"""Extensions of other makers that say what Toolcast can act on: they are read, and never written.

Their makers: harsha-iiiv/openapi-mcp-generator and others (``x-mcp``), Speakeasy (``x-speakeasy-mcp``), Zuplo
(``x-mcp-server``), OpenAI (``x-openai-isConsequential``), Microsoft (``x-ms-…``), Fern (``x-fern-ignore``).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, Final

from toolcast.diagnostics import Diagnostic, Location, Report
from toolcast.mapping.texts import clean, shorten
from toolcast.model.json import Json
from toolcast.model.openapi import Extended
from toolcast.model.pointer import child
from toolcast.model.wishes import ArgumentWish, Author, Said, ToolWish

_ANNOTATIONS: Final = {
    "readOnlyHint": "read_only",
    "destructiveHint": "destructive",
    "idempotentHint": "idempotent",
    "openWorldHint": "open_world",
}


def is_hidden(schema: Mapping[str, Json]) -> bool:
    """Is a property inside of an object not meant to be offered?"""
    own = schema.get("x-toolcast")
    return schema.get("x-ms-visibility") == "internal" or (isinstance(own, dict) and own.get("hidden") is True)


def meanings(schema: Mapping[str, Json], values: Collection[Json]) -> list[str]:
    """What ``x-ms-enum`` says of the values of an enum (Azure/autorest, docs/extensions)."""
    named = schema.get("x-ms-enum")
    listed = named.get("values") if isinstance(named, dict) else None
    found: list[str] = []
    for entry in listed if isinstance(listed, list) else ():
        if isinstance(entry, dict) and entry.get("value") in values:
            told = entry.get("description") or entry.get("name")
            text = clean(told).replace("\n", " ") if isinstance(told, str) else ""
            if text and text != entry["value"]:
                found.append(f"{entry['value']}: {shorten(text, 120)}")
    return found


class Foreign:
    """Reads the extensions of one object; what cannot be meant goes to the report, TC271, and has no effect."""

    def __init__(self, extended: Extended, report: Report) -> None:
        self._values = extended.values
        self._at = extended.at
        self._report = report

    def everywhere(self) -> ToolWish:
        """What is said of all operations of a document, a tag or a path, or of one."""
        wish = ToolWish()
        listed = self._values.get("x-mcp")
        if isinstance(listed, bool):
            wish = replace(wish, tool=self._said("x-mcp", listed))
        elif listed is not None:
            self._tell("x-mcp", "info", "`x-mcp` describes a server here, and says nothing of tools")
        if self._flag("x-fern-ignore"):
            wish = replace(wish, tool=self._said("x-fern-ignore", False))
        return wish

    def operation(self) -> ToolWish:
        """What is said of one operation."""
        wish = self.everywhere()
        if "x-mcp-server" in self._values:
            self._tell("x-mcp-server", "info", "The operation is the endpoint of an MCP server, and no tool")
            wish = replace(wish, tool=self._said("x-mcp-server", False))
        if self._word("x-ms-visibility") == "internal":
            wish = replace(wish, tool=self._said("x-ms-visibility", False))
        consequential = self._flag("x-openai-isConsequential")
        if consequential is not None:
            said = self._said("x-openai-isConsequential", consequential)
            read_only = replace(said, value=False) if consequential else None
            wish = replace(wish, destructive=said, read_only=read_only)
        return replace(self._speakeasy(wish), notes=self._notes())

    def argument(self, schema: Mapping[str, Json], *, required: bool, described: bool) -> ArgumentWish:
        """What is said of a parameter or property with this schema."""
        wish = ArgumentWish()
        summary = self._values.get("x-ms-summary")
        if isinstance(summary, str) and summary and not described:
            wish = replace(wish, description=self._said("x-ms-summary", summary))
        if self._word("x-ms-visibility") == "internal":
            if schema.get("default") is not None:
                wish = replace(wish, fixed=self._said("x-ms-visibility", schema["default"]))
            elif not required:
                wish = replace(wish, hidden=self._said("x-ms-visibility", True))
            else:
                message = "A required argument without a default cannot be internal; it is offered"
                self._tell("x-ms-visibility", "warning", message, "Give it a default.")
        if self._flag("x-ms-skip-url-encoding"):
            wish = replace(wish, slashes=self._said("x-ms-skip-url-encoding", "keep"))
        return wish

    def _speakeasy(self, wish: ToolWish) -> ToolWish:
        table = self._values.get("x-speakeasy-mcp")
        if table is None:
            return wish
        if not isinstance(table, dict):
            self._malformed("x-speakeasy-mcp", "an object")
            return wish
        annotations = table.get("annotations")
        said: dict[str, Any] = {}
        for key, value in {**table, **(annotations if isinstance(annotations, dict) else {})}.items():
            match key, value:
                case "disabled", bool():
                    said["tool"] = not value
                case (("name" | "title" | "description"), str()):
                    said[key] = value
                case "scopes", [str() as first, *_]:  # sets of tools that are mounted together
                    said["group"] = first
                case _, bool() if key in _ANNOTATIONS:
                    said[_ANNOTATIONS[key]] = value
                case ("annotations", dict()) | ("scopes", []):
                    pass
                case _:
                    self._tell("x-speakeasy-mcp", "warning", f"`{key}` is not understood here, and has no effect")
        return replace(wish, **{key: self._said("x-speakeasy-mcp", value) for key, value in said.items()})

    def _notes(self) -> tuple[str, ...]:
        found: list[str] = []
        pageable = self._values.get("x-ms-pageable")
        if isinstance(pageable, dict):
            link = pageable.get("nextLinkName")
            more = f"; `{link}` in it leads to the next one" if isinstance(link, str) and link else ""
            found.append(f"The answer is a page of a longer list{more}.")
        elif pageable is not None:
            self._malformed("x-ms-pageable", "an object")
        if self._flag("x-ms-long-running-operation"):
            found.append("It starts work that goes on after the answer.")
        return tuple(found)

    def _flag(self, key: str) -> bool | None:
        value = self._values.get(key)
        if value is not None and not isinstance(value, bool):
            self._malformed(key, "true or false")
        return value if isinstance(value, bool) else None

    def _word(self, key: str) -> str:
        value = self._values.get(key)
        if value is not None and not isinstance(value, str):
            self._malformed(key, "a text")
        return value if isinstance(value, str) else ""

    def _said(self, key: str, value: Any) -> Said[Any]:
        return Author(lambda _: self._place(key), lambda _: f"the document: {key}", owner=False).said(value)

    def _place(self, key: str) -> Location:
        return replace(self._at, pointer=child(self._at.pointer, key))

    def _malformed(self, key: str, wanted: str) -> None:
        self._tell(key, "warning", f"`{key}` should be {wanted}; it has no effect")

    def _tell(self, key: str, severity: Any, message: str, cure: str = "") -> None:
        self._report.add(
            Diagnostic(code="TC271", severity=severity, message=message, location=self._place(key), help=cure)
        )
