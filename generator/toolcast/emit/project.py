"""The project: each template with a view becomes a file, one with ``GROUP`` in its path a file for each group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from toolcast.emit.blocks import check_overrides
from toolcast.emit.environment import Templates
from toolcast.emit.faults import told
from toolcast.emit.sources import Sources, text
from toolcast.emit.views import GroupView, PackageView
from toolcast.model.files import File
from toolcast.model.templates import Template


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A file, and the template that it was made from."""

    template: Template
    file: File


class Project:
    """Makes files from templates; raises ``Failure`` for what is wrong with one of the owner's."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self._environment = Templates(sources.loader)
        for template in sources.own:
            if template.is_rendered:
                with told(sources, template.name):
                    check_overrides(self._environment, sources, template)

    def files(self, view: PackageView, templates: Iterable[Template]) -> Iterator[Made]:
        """The files of some templates, in their order."""
        for template in templates:
            for group in view.groups if template.is_per_group else (None,):
                path = template.target.replace("PACKAGE", view.package)
                if group is not None:
                    path = path.replace("GROUP", group.name)
                content = self._text(template, view, group)
                yield Made(template=template, file=File(path=path, text=content, owner=template.owner))

    def _text(self, template: Template, view: PackageView, group: GroupView | None) -> str:
        if not template.is_rendered:
            return text(template.path)
        variables: dict[str, object] = {"package": view} if group is None else {"package": view, "group": group}
        with told(self.sources, template.name):
            # One line end at its end, so that no hook that wants it so changes the file.
            return self._environment.rendered(template.name, variables).rstrip("\n") + "\n"
