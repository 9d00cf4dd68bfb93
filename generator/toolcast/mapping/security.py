"""Security that parameters stand for: a parameter that is a credential is never an argument."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import cast

from toolcast.diagnostics import Diagnostic, Location, Report
from toolcast.mapping.argument_wishes import ArgumentWishes, Secret
from toolcast.mapping.objections import Objections
from toolcast.model.openapi import Api, Operation, Parameter, Requirement, SecretPlace, SecurityScheme
from toolcast.model.wishes import ArgumentWish

# Names that mean a secret wherever they stand.
_SECRET = re.compile(
    r"(x[-_])?(api[-_]?key|auth[-_]?token|access[-_]?token|api[-_]?token|private[-_]token|client[-_]secret|api[-_]?secret)",
    re.IGNORECASE,
)


def settled(api: Api, report: Report, asked: Mapping[str, ArgumentWishes] | None = None) -> Api:
    """The API with every parameter that is a credential turned into the scheme that it is, or stands for.

    ``asked`` says by operation which of them are wanted as arguments all the same.
    """
    schemes = dict(api.security_schemes)
    operations = tuple(
        _settled(operation, schemes, report, asked[operation.key] if asked else None) for operation in api.operations
    )
    return replace(api, operations=operations, security_schemes=schemes)


def required_with(security: Sequence[Requirement], secrets: Iterable[tuple[str, bool]]) -> tuple[Requirement, ...]:
    """The alternatives together with more schemes, each of which is required or not."""
    alternatives = tuple(security)
    secrets = list(secrets)
    for scheme, required in sorted(secrets, key=lambda secret: not secret[1]):
        with_it: list[Requirement] = [(*alternative, scheme) for alternative in alternatives or ((),)]
        without = [] if required else [*(alternatives or ((),))]
        alternatives = tuple(dict.fromkeys([*with_it, *without]))
    return alternatives


def scheme_of(secret: Secret, at: Location, schemes: dict[str, SecurityScheme], objections: Objections) -> str | None:
    """The id of the scheme that an argument is; one is made when there is none. None when it cannot be that one."""
    said = secret.scheme
    wanted = said.value if isinstance(said.value, str) else secret.name
    for id_ in (wanted, f"{wanted}_{secret.place}"):
        known = schemes.get(id_)
        if known is None:
            place = cast("SecretPlace", secret.place)
            schemes[id_] = SecurityScheme(id=id_, type="apiKey", name=secret.name, location=place, at=at)
            return id_
        if known.type == "apiKey" and (known.location, known.name) == (secret.place, secret.name):
            return id_
        if isinstance(said.value, str):
            message = f"The scheme {id_!r} is sent elsewhere than as the {secret.place} {secret.name!r}"
            objections.object(said, "TC616", message, "Choose an id that no scheme has.")
            return None
    message = f"There are schemes {wanted!r} and '{wanted}_{secret.place}' already"
    objections.object(said, "TC616", message, 'Choose an id: credential = "…".')
    return None


def _settled(
    operation: Operation, schemes: dict[str, SecurityScheme], report: Report, asked: ArgumentWishes | None
) -> Operation:
    kept: list[Parameter] = []
    secrets: list[tuple[str, bool]] = []
    for parameter in operation.parameters:
        wish = asked.of_secret(parameter) if asked is not None and _may_be_secret(parameter, schemes) else None
        scheme = None if wish is not None and _is_argument(wish) else _scheme(parameter, schemes, report)
        if scheme is None:
            kept.append(parameter)
        elif not any(scheme in alternative for alternative in operation.security):
            secrets.append((scheme, parameter.required))
    if len(kept) == len(operation.parameters):
        return operation
    return replace(operation, parameters=tuple(kept), security=required_with(operation.security, secrets))


def _is_argument(wish: ArgumentWish) -> bool:
    """Is a parameter that looks like a credential wanted for something else?"""
    denied = wish.credential is not None and wish.credential.value is False
    return denied or wish.fixed is not None or wish.hidden is not None


def _may_be_secret(parameter: Parameter, schemes: Mapping[str, SecurityScheme]) -> bool:
    if parameter.location not in ("header", "query", "cookie"):
        return False
    names = (parameter.name, parameter.name.lower())
    return bool(_SECRET.fullmatch(parameter.name)) or any(
        s.name in names or s.name.lower() in names for s in schemes.values()
    )


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
