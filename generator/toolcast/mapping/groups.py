"""Groups: which operations stand together, as modules of the package and as toolsets."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from toolcast.diagnostics import Location
from toolcast.mapping.names import group_names, words
from toolcast.mapping.objections import Objections
from toolcast.model.config import Config, GroupWish
from toolcast.model.lock import Lock
from toolcast.model.openapi import Operation
from toolcast.model.shape import nearest
from toolcast.model.wishes import ToolWish


def label(operation: Operation, wish: ToolWish, badges: Collection[str]) -> str:
    """What an operation is grouped by: a wish, else its first tag, else the first segment of its path that is a name.

    ``badges`` are tags that are no groups (OpenAPI 3.2, Tag Object, ``kind``).
    """
    if wish.group is not None and wish.group.value.strip():
        return wish.group.value.strip()
    tags = [tag.strip() for tag in operation.tags if tag not in badges and tag.strip()]
    if tags:
        return tags[0]
    segments = [segment for segment in operation.path.split("/") if segment and "{" not in segment]
    named = [segment for segment in segments if words(segment) and not words(segment)[0][:2].strip("v").isdigit()]
    return named[0] if named else "operations"


def groups(labels: Mapping[str, str], lock: Lock, wanted: Mapping[str, ToolWish]) -> dict[str, str]:
    """The group of each operation: that of the lock, unless the owner wants another."""
    owned = {key for key in labels if (said := wanted[key].group) is not None and said.owner}
    locked = {key: lock.groups[key] for key in labels if key in lock.groups and key not in owned}
    modules = group_names(list(labels.values()), {labels[key]: group for key, group in locked.items()})
    return {key: locked.get(key, modules[label]) for key, label in labels.items()}


def group_wishes(config: Config, labels: Mapping[str, str], objections: Objections) -> Mapping[str, GroupWish]:
    """What is wanted of each group; groups that do not exist are objected to."""
    known = sorted({*labels, *labels.values()})
    for text, group in config.groups.items():
        if text not in known:
            objections.refuse("TC620", f"No group is called {text!r}", group.at, nearest(text, known))
    for said in config.server.toolsets:
        if said.value not in labels:
            objections.refuse(
                "TC620", f"No group is called {said.value!r}", said.at, nearest(said.value, sorted(labels))
            )
    none = GroupWish(at=Location(file=""))
    return {group: config.groups.get(group) or config.groups.get(label) or none for group, label in labels.items()}
