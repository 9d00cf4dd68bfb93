"""The tools on the page: what is written out of each, and the data that its details are made of when it is opened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from toolcast.model.catalog import BodyField, Group, MoreArg, ParameterBinding, Tool, WholeBody
from toolcast.model.json import Json
from toolcast.view import machine
from toolcast.view.findings import place
from toolcast.view.page.html import Html, tag
from toolcast.view.page.picture import kind
from toolcast.view.survey import Survey
from toolcast.view.terminal import count

_PLACES: Final = {"PathArg": "path", "QueryArg": "query", "HeaderArg": "header", "CookieArg": "cookie"}
KINDS: Final = (("reads", "reads"), ("writes", "writes"), ("destroys", "may destroy"))


def filters(survey: Survey) -> Html:
    """What narrows the list of tools."""
    catalog = survey.catalog
    methods = sorted({tool.method for tool in catalog.tools})
    groups = [("", "All groups"), *((group.name, f"{group.title} ({len(group.tools)})") for group in catalog.groups)]
    may = [
        ("", "do anything"),
        ("reads", "only read"),
        ("writes", "write"),
        ("destroys", "destroy"),
        ("repeatable", "be repeated"),
    ]
    return tag(
        "form",
        tag(
            "label",
            tag("span", "Search"),
            tag("input", type="search", id="search", autocomplete="off", placeholder="Name, path or words"),
            class_="search",
        ),
        _select("group", "Group", groups),
        _select("method", "Method", [("", "All methods"), *((method, method) for method in methods)]),
        _select("may", "It may", may),
        _select("sort", "Order", [("", "by group"), ("size", "by size")]),
        tag("label", tag("input", type="checkbox", id="warned"), " with warnings", class_="check"),
        tag("output", count(len(catalog.tools), "tool"), id="shown", role="status"),
        tag("button", "Clear", type="reset"),
        id="filters",
        role="search",
        hidden=True,
        aria_label="Filter the tools",
    )


def _select(name: str, label: str, options: Sequence[tuple[str, str]]) -> Html:
    listed = [tag("option", text, value=value) for value, text in options]
    return tag("label", tag("span", label), tag("select", *listed, id=name))


def section(survey: Survey, group: Group) -> Html:
    """A group with a row for each of its tools."""
    tokens = sum(survey.sizes[tool.name] for tool in group.tools)
    largest = max(survey.sizes.values())
    return tag(
        "section",
        tag(
            "h3",
            group.title,
            " ",
            tag("small", f"{count(len(group.tools), 'tool')}, {tokens:,} tokens"),
            id=f"group-{group.name}",
        ),
        tag("p", group.description, class_="about") if group.description else "",
        *(_row(survey, tool, largest) for tool in group.tools),
        class_="group",
        aria_labelledby=f"group-{group.name}",
    )


def _row(survey: Survey, tool: Tool, largest: int) -> Html:
    size = survey.sizes[tool.name]
    word = dict(KINDS)[kind(tool)]
    marks = [
        tag("span", "deprecated", class_="mark") if tool.deprecated else "",
        tag("span", "warning", class_="mark warned") if survey.warned(tool) else "",
    ]
    bar = tag(
        "svg",
        tag("rect", width=max(round(100 * size / largest), 1), height=4),
        viewBox="0 0 100 4",
        preserveAspectRatio="none",
        aria_hidden="true",
    )
    return tag(
        "details",
        tag(
            "summary",
            tag("span", word, class_=f"kind {kind(tool)}"),
            tag("span", tag("b", tool.name), *marks, class_="name"),
            tag("span", tool.title, class_="title"),
            tag("span", tag("b", tool.method), " ", tool.path, class_="request"),
            tag("span", f"{size:,}", tag("span", " tokens", class_="unit"), bar, class_="size"),
        ),
        id=f"tool-{tool.name}",
    )


def details(survey: Survey) -> dict[str, object]:
    """What the script makes the details of each tool of, by name."""
    return {
        "servers": [server.url for server in survey.catalog.servers],
        "tools": {tool.name: _tool(survey, tool) for tool in survey.catalog.tools},
    }


def _tool(survey: Survey, tool: Tool) -> dict[str, object]:
    return {
        "group": tool.group,
        "method": tool.method,
        "path": tool.path,
        "may": kind(tool),
        "tokens": survey.sizes[tool.name],
        "warned": survey.warned(tool),
        "where": place(tool.at, survey.lines),
        "hints": machine.hints(tool),
        "sent": _sent(tool),
        "body": tool.body.media_type if tool.body is not None else None,
        "accept": tool.accept,
        "security": tool.security,
        "servers": [server.url for server in tool.servers],
        "request": machine.request(survey.requests.get(tool.name)),
        "example": tool.example,
        "findings": machine.diagnostics(survey.about.get(tool.name, ()), survey.lines),
        "listed": survey.listed[tool.name],
    }


def _sent(tool: Tool) -> dict[str, Json]:
    """Where each argument goes in the request: the place, and the name there when it is another."""
    found: dict[str, Json] = {}
    for binding in tool.bindings:
        match binding:
            case WholeBody():
                found[binding.argument] = ["the body", ""]
            case MoreArg():
                found[binding.argument] = ["each by its name", ""]
            case BodyField():
                found[binding.argument] = ["body", binding.name if binding.name != binding.argument else ""]
            case ParameterBinding():
                where = _PLACES.get(type(binding).__name__, "query string")
                found[binding.argument] = [where, binding.name if binding.name != binding.argument else ""]
    return found
