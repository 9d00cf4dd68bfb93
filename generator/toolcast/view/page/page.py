"""The whole page: what needs no script is written out; each tool's details come from data when it is opened."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from toolcast.diagnostics import Diagnostic
from toolcast.view.findings import batches, place
from toolcast.view.page.html import Html, data, joined, tag
from toolcast.view.page.picture import kind, picture
from toolcast.view.page.tools import KINDS, details, filters, section
from toolcast.view.survey import Survey
from toolcast.view.terminal import count

_FOLDER: Final = Path(__file__).parent


def page(survey: Survey) -> str:
    """The page as HTML."""
    style, script = _asset("page.css"), _asset("page.js")
    catalog = survey.catalog
    head = (
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_policy(style, script)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", f"{catalog.title}: {count(len(catalog.tools), 'tool')}"),
        tag("style", style),
    )
    body = (
        tag("a", "To the tools", href="#tools", class_="skip"),
        _header(survey),
        tag("main", *_sections(survey), id="main"),
        tag("script", data(details(survey)), type="application/json", id="survey"),
        tag("script", script),
    )
    return Html("<!doctype html>\n") + tag("html", tag("head", *head), tag("body", *body), lang="en") + "\n"


@lru_cache
def _asset(name: str) -> Html:
    """A style or script of our own, beside this module."""
    return Html((_FOLDER / name).read_text("utf-8"))


def _policy(style: Html, script: Html) -> str:
    """What a browser may do for the page: apply this style and run this script, and nothing else."""
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script)]
    return (
        f"default-src 'none'; style-src 'sha256-{digests[0]}'; script-src 'sha256-{digests[1]}'; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _header(survey: Survey) -> Html:
    catalog = survey.catalog
    kinds = [kind(tool) for tool in catalog.tools]
    figures = [
        ("Tools", f"{len(kinds):,}", ""),
        ("Tokens", f"{survey.tokens:,}", ""),
        ("Read", f"{kinds.count('reads'):,}", "reads"),
        ("Write", f"{kinds.count('writes'):,}", "writes"),
        ("May destroy", f"{kinds.count('destroys'):,}", "destroys"),
        ("Warnings", f"{sum(finding.severity != 'info' for finding in survey.findings):,}", ""),
    ]
    return tag(
        "header",
        tag("p", "What agents are offered", class_="eyebrow"),
        tag("h1", catalog.title, " ", tag("small", catalog.api_version)),
        tag("p", tag("code", survey.file), " becomes ", tag("code", catalog.distribution), class_="source"),
        tag("dl", *(tag("div", tag("dt", name), tag("dd", n), class_=c or None) for name, n, c in figures)),
        tag(
            "nav",
            *(tag("a", text, href=f"#{anchor}") for anchor, text in _ANCHORS),
            aria_label="Sections",
        ),
    )


_ANCHORS: Final = (
    ("sizes", "Sizes"),
    ("limits", "Limits"),
    ("tools", "Tools"),
    ("out", "Left out"),
    ("findings", "Findings"),
)


def _sections(survey: Survey) -> Iterator[Html]:
    yield _section("sizes", "Where the tokens go", *_sizes(survey))
    yield _section("limits", "Limits of clients", _limits(survey))
    yield _section("tools", "Tools", filters(survey), *(section(survey, group) for group in survey.catalog.groups))
    yield _section("out", "Left out", *_out(survey))
    yield _section("findings", "Findings", *_findings(survey))


def _section(anchor: str, heading: str, *content: str) -> Html:
    return tag(
        "section", tag("h2", heading, id=f"{anchor}-heading"), *content, id=anchor, aria_labelledby=f"{anchor}-heading"
    )


def _sizes(survey: Survey) -> Iterator[Html]:
    if not survey.catalog.tools:
        yield tag("p", "There are no tools.")
        return
    yield tag(
        "p",
        f"About {survey.tokens:,} tokens in a list. The biggest: ",
        joined(*_listed([tool.name for tool in survey.biggest[:3]], survey.sizes)),
        ".",
    )
    legend = [tag("span", text, class_=f"swatch {name}") for name, text in KINDS]
    yield tag(
        "figure",
        tag("div", picture(survey, 1120, 340), class_="wide"),
        tag("div", picture(survey, 360, 420), class_="narrow"),
        tag("figcaption", "An area is a tool’s tokens. ", *legend),
    )


def _listed(names: Sequence[str], sizes: Mapping[str, int] | None = None) -> Iterator[str]:
    """Tools as links, with commas between them."""
    for index, name in enumerate(names):
        yield ", " if index else ""
        yield tag("a", name, href=f"#tool-{name}", class_="tool-link")
        if sizes is not None:
            yield f" {sizes[name]:,}"


def _limits(survey: Survey) -> Html:
    if not survey.passed:
        return tag("p", "None that is known is passed.")
    rows: list[Html] = []
    for entry in survey.passed:
        if entry.tools:
            number = len(entry.tools)
            more = f" and {number - 3:,} more" if number > 3 else ""
            told = joined(f"{count(number, 'tool')}: ", *_listed(entry.tools[:3]), more)
        else:
            told = count(len(survey.catalog.tools), "tool")
        says = tag("dd", entry.limit.what, tag("small", f"Source: {entry.limit.source}"))
        rows.append(tag("div", tag("dt", entry.limit.client), says, tag("dd", told, class_="found")))
    return tag("dl", *rows, class_="limits")


def _out(survey: Survey) -> Iterator[Html]:
    left_out, lost = survey.catalog.left_out, survey.unmapped
    if not left_out and not lost:
        yield tag("p", "Nothing: every operation is a tool.")
    if lost:
        yield tag("p", f"{count(len(lost), 'operation')} could not be understood:")
        yield tag(
            "ul", *(tag("li", tag("code", str(f.operation)), ": ", f.message, " ", _where(survey, f)) for f in lost)
        )
    if left_out:
        yield tag("p", f"{count(len(left_out), 'deprecated operation')}, which a first generation does not offer:")
        yield tag("ul", *(tag("li", tag("code", key)) for key in left_out), class_="columns")


def _where(survey: Survey, finding: Diagnostic) -> str:
    where = place(finding.location, survey.lines)
    return tag("code", where, class_="place") if where else ""


def _findings(survey: Survey) -> Iterator[Html]:
    found = batches(survey.findings)
    if not found:
        yield tag("p", "None.")
    for batch in found:
        number = len(batch.findings)
        heading = tag(
            "summary",
            tag("span", batch.severity, class_=f"severity {batch.severity}"),
            tag("code", batch.code),
            tag("span", batch.message, class_="message"),
            tag("span", f"{number:,} times" if number > 1 else "", class_="times"),
        )
        items = [
            tag("li", _where(survey, finding), " ", finding.message if number > 1 else "") for finding in batch.findings
        ]
        yield tag("details", heading, tag("p", batch.help) if batch.help else "", tag("ul", *items), class_="finding")
