"""Survey: everything that is shown of what a document would become."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from toolcast.diagnostics import Diagnostic
from toolcast.model.catalog import Catalog, Request, Tool
from toolcast.model.document import Lines
from toolcast.model.json import JsonObject
from toolcast.view.limits import Passed, passed


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """A catalog, and what was found on the way to it.

    By tool: ``listed`` is how it stands in a tools/list answer, ``sizes`` the tokens that it costs there, ``requests``
    what its example arguments become, ``about`` the findings whose place is in its operation.
    """

    file: str
    catalog: Catalog
    findings: Sequence[Diagnostic]
    lines: Lines | None
    listed: Mapping[str, JsonObject]
    sizes: Mapping[str, int]
    requests: Mapping[str, Request | None]
    about: Mapping[str, Sequence[Diagnostic]] = field(init=False)
    passed: Sequence[Passed] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "about", _about(self.catalog, self.findings))
        object.__setattr__(self, "passed", tuple(passed(self.catalog, self.listed)))

    @property
    def tokens(self) -> int:
        """The tokens of the whole list."""
        return sum(self.sizes.values())

    @property
    def biggest(self) -> list[Tool]:
        """The tools by size, the biggest first."""
        return sorted(self.catalog.tools, key=lambda tool: (-self.sizes[tool.name], tool.name))

    @property
    def unmapped(self) -> list[Diagnostic]:
        """The findings that mean that an operation gives no tool."""
        return [finding for finding in self.findings if finding.operation]

    def warned(self, tool: Tool) -> bool:
        """Is there a finding about a tool that is more than a note?"""
        return any(finding.severity != "info" for finding in self.about.get(tool.name, ()))


def _about(catalog: Catalog, findings: Sequence[Diagnostic]) -> Mapping[str, Sequence[Diagnostic]]:
    owners = {(tool.at.file, tool.at.pointer): tool.name for tool in catalog.tools}
    found: defaultdict[str, list[Diagnostic]] = defaultdict(list)
    for finding in findings:
        if finding.location is None or finding.operation:
            continue
        file, pointer = finding.location.file, finding.location.pointer
        while pointer and (file, pointer) not in owners:
            pointer = pointer.rpartition("/")[0]
        if pointer:
            found[owners[file, pointer]].append(finding)
    return found
