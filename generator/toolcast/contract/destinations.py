"""Destinations: where requests and credentials go, before and after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from toolcast.contract.forms import listed, members
from toolcast.model.contract import Change, Contract, Kind, Verdict
from toolcast.model.json import Json


def destination_changes(old: Contract, new: Contract) -> Iterator[Change]:
    """What has changed about origins, security schemes, the URLs where tokens come from, and scopes."""
    if old.origins is not None and new.origins is not None:
        for origin in sorted({*new.origins} - {*old.origins}):
            yield _change("risk", "origin-added", "origins", None, origin, "Requests, with their arguments, go there.")
        for origin in sorted({*old.origins} - {*new.origins}):
            yield _change("compatible", "origin-removed", "origins", origin, None, "No request goes there any more.")
    if old.credentials is not None and new.credentials is not None:
        for scheme in sorted({*old.credentials, *new.credentials}):
            yield from _scheme(scheme, old.credentials.get(scheme), new.credentials.get(scheme))


def _scheme(scheme: str, old: Mapping[str, Json] | None, new: Mapping[str, Json] | None) -> Iterator[Change]:
    where = f"credentials.{scheme}"
    if old is None:
        yield _change("risk", "scheme-added", where, None, dict(new or {}), "Another credential is asked for and sent.")
        return
    if new is None:
        yield _change("compatible", "scheme-removed", where, dict(old), None, "A credential is not sent any more.")
        return
    for key in sorted({*old, *new} - {"flows", "scopes", "metadataUrl"}):
        if old.get(key) != new.get(key):
            reason = "The credential is another, or goes to another place."
            yield _change("risk", "scheme", f"{where}.{key}", old.get(key), new.get(key), reason)
    urls, others = dict(_urls(old)), dict(_urls(new))
    for place in sorted({*urls, *others}):
        before, after = urls.get(place), others.get(place)
        if before != after:
            added = after is not None
            reason = "Credentials go there." if added else "No credential goes there any more."
            yield _change("risk" if added else "compatible", "token-url", f"{where}.{place}", before, after, reason)
    scopes, wider = _texts(old.get("scopes")), _texts(new.get("scopes"))
    for scope in sorted(wider - scopes):
        yield _change("risk", "scope-added", f"{where}.scopes", None, scope, "Tokens may do more than before.")
    for scope in sorted(scopes - wider):
        yield _change(
            "compatible", "scope-removed", f"{where}.scopes", scope, None, "Tokens need not do this any more."
        )


def _urls(scheme: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    """The URLs from which tokens come, with their places."""
    if "metadataUrl" in scheme:
        yield "metadataUrl", scheme["metadataUrl"]
    for flow, told in members(scheme.get("flows")).items():
        for name, url in members(told).items():
            yield f"flows.{flow}.{name}", url


def _texts(value: Json) -> set[str]:
    return {text for text in listed(value) if isinstance(text, str)}


def _change(verdict: Verdict, kind: Kind, where: str, before: Json, after: Json, reason: str) -> Change:
    return Change(verdict=verdict, kind=kind, tool="", where=where, before=before, after=after, reason=reason)
