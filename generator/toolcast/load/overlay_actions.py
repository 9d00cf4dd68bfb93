"""The actions of an overlay, carried out on a document in place (OpenAPI Overlay 1.1.0, Action Object)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

import orjson

from toolcast.diagnostics import Diagnostic, Failure, Location, Report
from toolcast.load.origins import Origin, Origins, Place
from toolcast.load.source import MAX_BYTES
from toolcast.load.yaml import MAX_DEPTH
from toolcast.model.json import Json, JsonObject
from toolcast.model.pointer import child

if TYPE_CHECKING:
    from jsonpath import JSONPath, JSONPathEnvironment, JSONPathMatch


@dataclass(frozen=True, slots=True)
class _Node:
    """A node of the document that an action speaks of, with what holds it; the root is held by nothing."""

    path: tuple[str | int, ...]
    value: Json
    holder: JsonObject | list[Json] | None


class Actions:
    """Carries out actions on one document, one after the other, each on what the one before it has left."""

    def __init__(self, root: JsonObject, origins: Origins, report: Report) -> None:
        self._root = root
        self._origins = origins
        self._report = report
        self._added = 0  # bytes

    def apply(self, action: JsonObject, place: Place, *, strict: bool) -> None:
        """Carry out one action; ``place`` is its own, ``strict`` says that kinds have to agree (Overlay 1.1).

        TC131 warns of a target that selects nothing, TC132 of a null that would take the place of an object. Raises
        Failure: TC041 where the action is none, TC042 where it cannot be carried out, TC043 where it grows too large.
        """
        nodes = self._selected(action, "target", place)
        if not nodes:
            self._report.add(
                Diagnostic(
                    code="TC131",
                    severity="warning",
                    message=f"The overlay changes nothing here: {action['target']!r} selects no part of the document",
                    location=_location(place, "target"),
                    help="Correct the target, or remove the action.",
                )
            )
            return
        if action.get("remove") is True:
            self._remove(nodes, place)
        elif "update" in action:
            origin = Origin((place[0], child(place[1], "update")))
            self._update(nodes, action["update"], origin, place, strict=strict)
        elif "copy" in action:
            sources = self._selected(action, "copy", place)
            if len(sources) != 1:
                message = f"`copy` selects {len(sources) or 'no'} parts of the document, and should select one"
                raise refusal("TC042", message, _location(place, "copy"), "Name the one part that is to be copied.")
            self._update(nodes, sources[0].value, self._origins.of(sources[0].path), place, strict=strict)

    def _selected(self, action: JsonObject, key: str, place: Place) -> list[_Node]:
        """The nodes that an expression selects, each once."""
        text = action.get(key)
        if not isinstance(text, str):
            raise refusal(
                "TC041", f"`{key}` should be a text", _location(place, key), "Write a JSONPath: $.paths.*.get"
            )
        from jsonpath import JSONPathError

        try:
            found = {match.parts: _node(match) for match in _compiled(text).finditer(self._root)}
        except (JSONPathError, RecursionError) as error:
            # The library's own text of an error may itself be an error.
            reason = str(error.args[0]).partition("\n")[0] if error.args else "it is nested too deeply"
            reason = reason if text.startswith("$") else "it does not begin with $"
            message = f"{text!r} is no JSONPath of RFC 9535: {reason}"
            raise refusal("TC041", message, _location(place, key), "Correct the expression.") from None
        return list(found.values())

    def _remove(self, nodes: list[_Node], place: Place) -> None:
        # From the last to the first, so that no index changes before its turn.
        for node in sorted(nodes, key=lambda node: _order(node.path), reverse=True):
            name = node.path[-1] if node.path else None
            if isinstance(node.holder, list) and isinstance(name, int):
                self._origins.shift(node.holder, name, self._origins.of(node.path[:-1]).place)
                del node.holder[name]
            elif isinstance(node.holder, dict) and isinstance(name, str):
                node.holder.pop(name, None)
            else:
                raise refusal(
                    "TC042", "The whole document cannot be removed", _location(place, "target"), "Select a part."
                )

    def _update(self, nodes: list[_Node], value: Json, origin: Origin, place: Place, *, strict: bool) -> None:
        kinds = {_kind(node.value) for node in nodes}
        if len(kinds) > 1:
            message = f"The target selects {', '.join(sorted(kinds))} at once, and one value cannot change them all"
            raise refusal("TC042", message, _location(place, "target"), "Write an action for each kind.")
        try:
            content = orjson.dumps(value)
        except TypeError:  # recursion
            message = f"The overlays nest the document deeper than {MAX_DEPTH} levels"
            raise refusal(
                "TC043", message, Location(file=place[0], pointer=place[1]), "Use $ref to flatten it."
            ) from None
        for node in nodes:
            self._added += len(content)
            if self._added > MAX_BYTES:
                message = f"The overlays add more than {MAX_BYTES // 2**20} MiB to the document"
                raise refusal("TC043", message, _location(place, "target"), "Select fewer parts, or use references.")
            fresh: Json = orjson.loads(content)
            match node.value, fresh:
                case dict(), dict():
                    self._merge(node.value, fresh, origin, strict=strict)
                case list(), list():
                    self._extend(node.value, fresh, origin)
                case list(), _:
                    self._append(node.value, fresh, origin)
                case dict(), _:
                    raise self._misfit(node.value, fresh, origin)
                case _, dict() | list() if strict:
                    raise self._misfit(node.value, fresh, origin)
                case _:
                    assert node.holder is not None and node.path  # the root is an object
                    self._replace(node.holder, node.path[-1], fresh, origin)

    def _merge(self, target: JsonObject, update: JsonObject, origin: Origin, *, strict: bool) -> None:
        for key, value in update.items():
            written = origin.below(key)
            match target.get(key), value:
                case _ if key not in target:
                    self._replace(target, key, value, written)
                case dict() as old, dict():
                    self._merge(old, value, written, strict=strict)
                case list() as old, list():
                    self._extend(old, value, written)
                case (dict() | list()) as old, None:
                    self._report.add(
                        Diagnostic(
                            code="TC132",
                            severity="warning",
                            message=f"The overlay says null where the document has {_kind(old)}, which stays",
                            location=Location(file=written.place[0], pointer=written.place[1]),
                            help="To take it away, write an action with `remove: true`.",
                        )
                    )
                case old, _ if strict and (isinstance(old, (dict, list)) or isinstance(value, (dict, list))):
                    raise self._misfit(old, value, written)
                case _:
                    self._replace(target, key, value, written)

    def _extend(self, target: list[Json], values: list[Json], origin: Origin) -> None:
        for index, value in enumerate(values):
            self._append(target, value, origin.below(index))

    def _append(self, target: list[Json], value: Json, origin: Origin) -> None:
        self._origins.put(target, len(target), value, origin)
        target.append(value)

    def _replace(self, holder: JsonObject | list[Json], name: str | int, value: Json, origin: Origin) -> None:
        self._origins.put(holder, name, value, origin)
        if isinstance(holder, dict):
            holder[str(name)] = value
        elif isinstance(name, int):
            holder[name] = value

    def _misfit(self, old: Json, new: Json, origin: Origin) -> Failure:
        message = f"The overlay has {_kind(new)} where the document has {_kind(old)}"
        cure = "Remove the old one by an action of its own first."
        return refusal("TC042", message, Location(file=origin.place[0], pointer=origin.place[1]), cure)


def refusal(code: str, message: str, location: Location, cure: str) -> Failure:
    """The failure of an overlay that cannot be applied."""
    return Failure(Diagnostic(code=code, severity="error", message=message, location=location, help=cure))


@lru_cache(maxsize=1)
def _environment() -> JSONPathEnvironment:
    from jsonpath import JSONPathEnvironment

    class Rfc9535(JSONPathEnvironment):
        """The expressions of RFC 9535, and as deep as documents are."""

        max_recursion_depth = MAX_DEPTH + 1

    return Rfc9535(strict=True)


def _compiled(text: str) -> JSONPath:
    return cast("JSONPath", _environment().compile(text))  # no unions of paths in RFC 9535


def _node(match: JSONPathMatch) -> _Node:
    holder = match.parent.obj if match.parent is not None else None
    return _Node(match.parts, cast("Json", match.obj), cast("JsonObject | list[Json] | None", holder))


def _order(path: tuple[str | int, ...]) -> tuple[tuple[int, int, str], ...]:
    return tuple((0, name, "") if isinstance(name, int) else (1, 0, name) for name in path)


def _kind(value: Json) -> str:
    return "an object" if isinstance(value, dict) else "a list" if isinstance(value, list) else "a single value"


def _location(place: Place, key: str) -> Location:
    return Location(file=place[0], pointer=child(place[1], key))


def keys(action: JsonObject) -> Iterator[str]:
    """The keys of an action that say what it does."""
    yield from (key for key in ("remove", "update", "copy") if key in action and action[key] is not False)
