"""JSON Pointers (RFC 6901), as strings and as the fragments of references, and what they lead to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import unquote

from toolcast.model.document import Document
from toolcast.model.json import Json


class Missing(Exception):
    """A reference that leads nowhere."""


def join(parts: Iterable[str | int]) -> str:
    """The pointer that leads along these names and indices."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def child(pointer: str, *keys: str | int) -> str:
    """The pointer to a member below ``pointer``."""
    return pointer + join(keys)


def split(pointer: str) -> list[str]:
    """The names along a pointer; a leading ``#`` is allowed, the empty pointer has none."""
    steps = pointer.removeprefix("#").split("/")[1:]
    return [step.replace("~1", "/").replace("~0", "~") for step in steps] if "~" in pointer else steps


def fragment(reference: str) -> list[str] | None:
    """The names along a local reference (``#`` or ``#/…``, percent-encoded); None for any other reference."""
    if reference == "#" or reference.startswith("#/"):
        return split(unquote(reference) if "%" in reference else reference)
    return None


def separate(reference: str) -> tuple[str, list[str]] | None:
    """The file of a reference, "" for none, and the names along its pointer; None for a plain-name fragment."""
    file, _, rest = reference.partition("#")
    names = fragment("#" + rest)
    return None if names is None else (file, names)


def reference(file: str, names: Iterable[str | int]) -> str:
    """The reference that leads along these names in a file, "" for the one it stands in."""
    return f"{file}#{join(names).replace('%', '%25')}"


def step(node: Json, name: str) -> tuple[Json] | None:
    """What stands under one name, in a tuple since it may be null; None if there is nothing."""
    if isinstance(node, dict):
        return (node[name],) if name in node else None
    if isinstance(node, list) and name.isdecimal() and name.isascii() and len(name) < 10:
        index = int(name)
        return (node[index],) if index < len(node) else None
    return None


def follow(root: Json, names: Iterable[str]) -> tuple[Json] | None:
    """What stands where the names lead from ``root``, in a tuple since it may be null; None if there is nothing."""
    node = root
    for name in names:
        found = step(node, name)
        if found is None:
            return None
        node = found[0]
    return (node,)


def lookup(root: Json, files: Mapping[str, Json], target: str) -> tuple[Json] | None:
    """What a reference ``#/…`` or ``FILE#/…`` leads to, in a tuple since it may be null; None if there is nothing."""
    found = separate(target)
    if found is None or (found[0] and found[0] not in files):
        return None
    return follow(files[found[0]] if found[0] else root, found[1])


def resolve(document: Document, target: str) -> Json:
    """What a reference of a document leads to; raises ``Missing``."""
    found = lookup(document.root, document.files, target)
    if found is None:
        raise Missing(target)
    return found[0]
