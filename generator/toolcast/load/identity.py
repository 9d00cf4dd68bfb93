"""Is this an OpenAPI document, and of which version?"""

from __future__ import annotations

import re

from toolcast.diagnostics import Diagnostic, Failure, Location, Report
from toolcast.model.json import Json, JsonObject

NEWEST_MINOR = 2

# The key that tells what a mapping is, its name, and what its reader can do.
_OTHER_KINDS = (
    ("asyncapi", "an AsyncAPI document", "Toolcast reads OpenAPI: descriptions of HTTP APIs."),
    ("arazzo", "an Arazzo description", "Give the OpenAPI document that its sourceDescriptions name."),
    ("overlay", "an OpenAPI Overlay", "Give the OpenAPI document that it extends."),
    ("swaggerVersion", "a Swagger 1 document", "Convert it to OpenAPI 3 first."),
    ("openrpc", "an OpenRPC document", "Toolcast reads OpenAPI: descriptions of HTTP APIs."),
    ("mcpServers", "a configuration of MCP clients", "Give the OpenAPI document of the API."),
    ("discoveryVersion", "a Google API discovery document", "Convert it to OpenAPI 3 first."),
    ("smithy", "a Smithy model", "Convert it to OpenAPI 3 first (smithy has an openapi plugin)."),
    ("__schema", "a GraphQL schema", "Toolcast reads OpenAPI: descriptions of HTTP APIs."),
)
_CONVERT = "Convert it, for example at https://converter.swagger.io or with the command swagger2openapi."


def identify(value: Json, file: str, report: Report) -> tuple[JsonObject, str]:
    """The root of an OpenAPI document and its version, such as "3.1.0"; "2.0" is that of Swagger.

    Raises Failure: TC030 no mapping, TC032 something else, TC033 a version that is unknown.
    """
    if not isinstance(value, dict):
        if value is None:
            raise _failure("TC030", "The document is empty", file, "Check that this is the right file.")
        kind = "a list" if isinstance(value, list) else "plain text" if isinstance(value, str) else "a single value"
        message = f"The document is {kind}, not an OpenAPI document"
        advice = "Give the OpenAPI document itself: a mapping that begins with `openapi: 3.…`."
        raise _failure("TC030", message, file, advice)
    if "openapi" in value:
        return value, _version(value["openapi"], file, report)
    if "swagger" in value:
        return value, _swagger(value["swagger"], file, report)
    raise _other(value, file)


def foreign(text: str, file: str) -> None:
    """Refuse a text that is no YAML or JSON at all, but something that is often taken for a document.

    Raises Failure TC032.
    """
    kind = _foreign_text(text)
    if kind is not None:
        advice = "Give the address of the document itself, not of the page that shows it."
        if "HTML" not in kind:
            advice = "Toolcast reads OpenAPI documents in YAML or JSON."
        raise _failure("TC032", f"This is {kind}, not an OpenAPI document", file, advice)


def _foreign_text(text: str) -> str | None:
    start = text[:2000].lstrip("\ufeff \t\r\n").lower()
    if start.startswith("<") and not start.startswith("<<"):  # `<<:` merges a mapping into a YAML document
        return "an HTML page" if "<html" in start or start.startswith("<!doctype html") else "an XML file"
    if start.startswith("#%raml"):
        return "a RAML document"
    if start.startswith("format: 1a"):
        return "an API Blueprint"
    return None


def _other(value: JsonObject, file: str) -> Failure:
    for key, kind, advice in _OTHER_KINDS:
        if key in value:
            return _failure("TC032", f"This is {kind}, not an OpenAPI document", file, advice)
    info = value.get("info")
    if isinstance(info, dict) and ("_postman_id" in info or "getpostman.com" in str(info.get("schema"))):
        advice = "Convert it to OpenAPI 3 first (for example with postman-to-openapi)."
        return _failure("TC032", "This is a Postman collection, not an OpenAPI document", file, advice)
    dialect = value.get("$schema")
    if (isinstance(dialect, str) and "json-schema.org" in dialect) or {"properties", "$defs", "$ref"} & value.keys():
        advice = "Give the OpenAPI document that uses it."
        return _failure("TC032", "This is a JSON Schema, not an OpenAPI document", file, advice)
    if "paths" in value or "components" in value:
        return _failure("TC032", "The key `openapi` is missing", file, "Add `openapi: 3.1.0` if that is its version.")
    keys = ", ".join(name if len(name) <= 30 else name[:29] + "…" for name in list(value)[:6]) or "none"
    more = ", …" if len(value) > 6 else ""
    return _failure(
        "TC032",
        f"This is no OpenAPI document: it has no key `openapi` (its keys: {keys}{more})",
        file,
        "Check that this is the right file.",
    )


def _version(stated: Json, file: str, report: Report) -> str:
    location = Location(file=file, pointer="/openapi")
    version = str(stated).strip() if isinstance(stated, str | float | int) else ""
    found = re.fullmatch(r"([0-9]{1,6})(?:\.([0-9]{1,6}))?((?:\.[0-9]{1,6})?(?:[-+].{1,40})?)", version)
    if found is None or isinstance(stated, bool):
        message = f"The version {version[:40]!r} is none of OpenAPI" if version else "The key `openapi` has no version"
        raise _failure("TC033", message, file, "Write the version of the document, such as 3.1.0.", "/openapi")
    major, minor = int(found[1]), int(found[2] or 0)
    if major != 3:
        advice = _CONVERT if major < 3 else "Use OpenAPI 3.0, 3.1 or 3.2."
        raise _failure("TC033", f"OpenAPI {version[:40]} is not supported", file, advice, "/openapi")
    if not isinstance(stated, str):
        report.add(
            Diagnostic(
                code="TC101",
                severity="warning",
                message=f"The version of OpenAPI is the number {version}; it should be text",
                location=location,
                help=f'Write `openapi: "{major}.{minor}.0"`.',
            )
        )
    if minor > NEWEST_MINOR:
        report.add(
            Diagnostic(
                code="TC102",
                severity="warning",
                message=f"OpenAPI {version[:40]} is newer than what Toolcast knows; it is read as 3.{NEWEST_MINOR}",
                location=location,
                help="Check the result, or look for a newer Toolcast.",
            )
        )
        return f"3.{NEWEST_MINOR}.0"
    return f"{major}.{minor}{found[3] or '.0'}"


def _swagger(stated: Json, file: str, report: Report) -> str:
    version = str(stated).strip() if isinstance(stated, str | float | int) else ""
    if version not in ("2.0", "2") or isinstance(stated, bool):
        shown = f"Swagger {version[:40]} is not supported" if version else "the key `swagger` has no version"
        raise _failure("TC033", shown, file, 'Write `swagger: "2.0"` if that is its version.', "/swagger")
    if stated != "2.0":
        report.add(
            Diagnostic(
                code="TC101",
                severity="warning",
                message=f"The version of Swagger is {stated!r}; it should be the text '2.0'",
                location=Location(file=file, pointer="/swagger"),
                help='Write `swagger: "2.0"`.',
            )
        )
    return "2.0"


def _failure(code: str, message: str, file: str, advice: str, pointer: str = "") -> Failure:
    location = Location(file=file, pointer=pointer)
    return Failure(Diagnostic(code=code, severity="error", message=message, location=location, help=advice))
