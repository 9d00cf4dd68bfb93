"""Security that parameters stand for: a parameter that is a credential is never an argument."""

from __future__ import annotations

import re
from dataclasses import replace

from toolcast.diagnostics import Diagnostic, Report
from toolcast.model.openapi import Api, Operation, Parameter, Requirement, SecurityScheme

# Names that mean a secret wherever they stand.
_SECRET = re.compile(
    r"(x[-_])?(api[-_]?key|auth[-_]?token|access[-_]?token|api[-_]?token|private[-_]token|client[-_]secret|api[-_]?secret)",
    re.IGNORECASE,
)


def settled(api: Api, report: Report) -> Api:
    """The API with every parameter that is a credential turned into the scheme that it is, or stands for."""
    schemes = dict(api.security_schemes)
    operations = tuple(_settled(operation, schemes, report) for operation in api.operations)
    return replace(api, operations=operations, security_schemes=schemes)


def _settled(operation: Operation, schemes: dict[str, SecurityScheme], report: Report) -> Operation:
    kept: list[Parameter] = []
    required: list[str] = []
    optional: list[str] = []
    for parameter in operation.parameters:
        scheme = _scheme(parameter, schemes, report)
        if scheme is None:
            kept.append(parameter)
        elif not any(scheme in alternative for alternative in operation.security):
            (required if parameter.required else optional).append(scheme)
    if len(kept) == len(operation.parameters):
        return operation
    security = operation.security
    for scheme in required:
        security = tuple(dict.fromkeys((*alternative, scheme) for alternative in security or ((),)))
    for scheme in optional:
        with_it: list[Requirement] = [(*alternative, scheme) for alternative in security or ((),)]
        security = tuple(dict.fromkeys([*with_it, *(security or ((),))]))
    return replace(operation, parameters=tuple(kept), security=security)


def _scheme(parameter: Parameter, schemes: dict[str, SecurityScheme], report: Report) -> str | None:
    """The id of the scheme that a parameter is; one is made for a secret that no scheme declares."""
    location = parameter.location
    if location not in ("header", "query", "cookie"):
        return None
    name = parameter.name.lower() if location == "header" else parameter.name
    for scheme in schemes.values():
        own = scheme.name.lower() if location == "header" else scheme.name
        if scheme.type == "apiKey" and scheme.location == location and own == name:
            return scheme.id
    if not _SECRET.fullmatch(parameter.name):
        return None
    schemes[parameter.name] = SecurityScheme(
        id=parameter.name, type="apiKey", name=parameter.name, location=location, description=parameter.description,
        at=parameter.at,
    )  # fmt: skip
    report.add(
        Diagnostic(
            code="TC223",
            severity="warning",
            message=f"The {location} parameter {parameter.name!r} is a secret; it is a credential, not an argument",
            location=parameter.at,
            help="Declare it in components.securitySchemes as an apiKey.",
        )
    )
    return parameter.name
