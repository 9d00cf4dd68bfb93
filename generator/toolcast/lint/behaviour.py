"""Rules about what operations do, and who may do it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolcast.diagnostics import Location
from toolcast.lint.rule import Finding
from toolcast.lint.subject import Subject
from toolcast.model.document import Document
from toolcast.model.limits import TOOLS_ADVISED, TOOLS_AT_MOST
from toolcast.model.pointer import follow, split
from toolcast.model.urls import parts

_SAFE: Final = frozenset(["GET", "HEAD", "OPTIONS", "QUERY"])
# What is done by those who have no credentials yet, or need none.
_OPEN: Final = frozenset(
    """
    auth authenticate authentication authorize callback forgot health healthz login logout oauth oauth2 otp password
    ping refresh register registration reset search session sessions signin signup status token tokens verify webhook
    webhooks
    """.split()
)
_LOOPBACK: Final = frozenset(["localhost", "127.0.0.1", "::1"])


def get_that_changes(subject: Subject) -> Iterator[Finding]:
    """Operations whose method promises that nothing changes, and whose words say otherwise."""
    for offer in subject.offers:
        hint = offer.tool.hints.read_only
        if offer.operation.method in _SAFE and not hint.value:
            yield Finding(
                at=offer.operation.at,
                message=f"{offer.key} seems to change things: {hint.reason}",
                help="Make it a POST, or say in the configuration that it only reads: agents repeat a GET freely.",
                operations=(offer.key,),
            )


def open_write(subject: Subject) -> Iterator[Finding]:
    """Operations that change things and ask for no credentials, where others do."""
    if not subject.catalog.credentials:
        return
    for offer in subject.offers:
        words = subject.words(offer.operation.path, offer.operation.id or "")
        if offer.tool.hints.read_only.value or offer.tool.security or set(words) & _OPEN:
            continue
        if _says(subject.api.document, offer.operation.at, "security"):
            continue  # `security: []` is the author's own word
        yield Finding(
            at=offer.operation.at,
            message=f"{offer.key} changes things, and asks for no credentials",
            help="Add its `security`, or `security: []` if everyone may.",
            operations=(offer.key,),
        )


def _says(document: Document, at: Location, key: str) -> bool:
    """Has an object of the document a key?"""
    root = document.root if at.file == document.file else document.files.get(at.file)
    found = follow(root, split(at.pointer))
    return found is not None and isinstance(found[0], dict) and key in found[0]


def no_security(subject: Subject) -> Iterator[Finding]:
    """Documents that do not say how callers prove who they are."""
    writes = [offer for offer in subject.offers if not offer.tool.hints.read_only.value]
    told = f"{len(writes):,} of {len(subject.offers):,}"
    hosts = {getattr(parts(server.url), "hostname", None) for server in subject.api.servers}
    if writes and not subject.catalog.credentials and not hosts <= _LOOPBACK:
        yield Finding(
            at=Location(file=subject.api.document.file, pointer="/info"),
            message=f"Nothing says how callers prove who they are, and {told} operations change things",
            help="Declare `securitySchemes` and `security`: a server then asks for what the API wants.",
        )


def too_many_tools(subject: Subject) -> Iterator[Finding]:
    """Documents that become more tools than a model can choose among."""
    number = len(subject.catalog.tools)
    if number > TOOLS_AT_MOST:
        yield Finding(
            at=Location(file=subject.api.document.file, pointer="/paths"),
            message=f"{number:,} tools are more than clients take, which is {TOOLS_AT_MOST}",
            help=f"Select what agents need: beyond {TOOLS_ADVISED} a model chooses badly, unless it can search.",
        )
