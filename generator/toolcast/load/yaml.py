"""YAML text → plain data, by the core schema of YAML 1.2, over the events of libyaml."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from toolcast.diagnostics import Diagnostic, Failure, Location
from toolcast.load.scalars import Plain, tagged
from toolcast.model.json import Json
from toolcast.model.pointer import join

MAX_DEPTH = 254  # what orjson writes; the deepest public documents have about 30 levels
MAX_ALIASED = 10_000_000  # characters that aliases may add, as if each were written out
_MAX_DUPLICATES = 50

_MERGE = "<<"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a YAML text says, and what was odd about it."""

    value: Json
    warnings: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class _Anchored:
    value: Json
    text: str | None  # of a scalar, as written: an alias may stand for a key
    weight: int  # characters, if all its aliases were written out
    height: int  # levels of nesting


def events(text: str) -> Callable[[], Any]:
    """A function that gives the next parser event of a text at every call, by libyaml where it is there."""
    import yaml

    loader: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
    return loader(text).get_event


def read(text: str, file: str) -> Reading:
    """The value of the one document in a YAML text; the last of equal keys wins, with a warning each.

    Raises Failure: TC020 syntax, TC021 a second document, TC022 a key that is no scalar, TC023 nesting,
    TC024 aliases that grow too large, TC025 aliases that lead nowhere or into themselves.
    """
    import yaml

    # The collector would walk the growing tree over and over: most of the time of a large document.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return _Reader(text, file).read()
    except yaml.MarkedYAMLError as error:
        raise _syntax(error, file) from None
    except yaml.reader.ReaderError as error:
        raise _unreadable(error, text, file) from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        # The parser in Python lets escapes such as "\U7FFFFFFF" fail in `chr`.
        raise _failure("TC020", f"Not well-formed YAML: {error}", file, None) from None
    finally:
        if collecting:
            gc.enable()


class _Reader:
    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.event = events(text)
        self.anchors: dict[str, _Anchored | None] = {}  # None while the anchored node is still open
        self.aliased = 0  # characters that aliases stand for, so far
        self.warnings: list[Diagnostic] = []
        self.merges: dict[int, list[Json]] = {}

    def read(self) -> Reading:
        from yaml.events import DocumentStartEvent, StreamEndEvent

        self.event()
        start = self.event()
        if isinstance(start, StreamEndEvent):
            return Reading(value=None)
        value = self.build()
        self.event()
        after = self.event()
        if isinstance(after, DocumentStartEvent):
            raise self.refuse(
                "TC021",
                "A second YAML document begins here",
                after,
                "Keep one document in a file: remove the part after the line with `---`.",
            )
        return Reading(value=value, warnings=tuple(self.warnings))

    def build(self) -> Json:
        from yaml.events import AliasEvent, MappingStartEvent, ScalarEvent, SequenceStartEvent

        next_event = self.event
        plain = Plain()
        intern = sys.intern
        value: Json
        # The container that is being filled, `key` where it is a mapping and its key was read.
        current: Any = []
        mapping = False
        key: Any = None
        top = current
        # One entry per open container: the one around it, with its key.
        stack: list[tuple[Any, bool, Any]] = []
        heights = [0]
        anchored: list[tuple[int, str, int, int]] = []  # open anchored containers: depth, name, start, aliased

        while True:
            event = next_event()
            kind = event.__class__
            if kind is ScalarEvent:
                text = event.value
                if mapping and key is None:
                    if text == _MERGE and event.implicit[0]:
                        key = self
                    else:
                        key = intern(text)
                        if key in current:
                            self.duplicate(stack, current, key, event)
                    if event.anchor is not None:
                        self.anchors[event.anchor] = _Anchored(text, text, len(text), 0)
                    continue
                if event.tag is not None:
                    value = tagged(event, plain)
                elif event.implicit[0]:
                    value = plain[text]
                    # `1.10` is no number to whoever wrote it as the version of an API.
                    if key == "version" and len(stack) == 2 and stack[-1][2] == "info":
                        value = text
                else:
                    value = text
                if event.anchor is not None:
                    self.anchors[event.anchor] = _Anchored(value, text, len(text), 0)
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                if mapping and key is None:
                    raise self.complex_key(event)
                opened: Any = {} if kind is MappingStartEvent else []
                if event.anchor is not None:
                    self.anchors[event.anchor] = None
                    anchored.append((len(stack), event.anchor, event.start_mark.index, self.aliased))
                if key is self:
                    self.merges.setdefault(id(current), []).append(opened)
                elif mapping:
                    current[key] = opened
                else:
                    current.append(opened)
                if len(stack) >= MAX_DEPTH:
                    raise self.too_deep(event)
                stack.append((current, mapping, key))
                heights.append(0)
                current, mapping, key = opened, kind is MappingStartEvent, None
                continue
            elif kind is AliasEvent:
                target = self.alias(event, len(stack))
                if target.height > heights[-1]:
                    heights[-1] = target.height
                if mapping and key is None:
                    if target.text is None:
                        raise self.complex_key(event)
                    key = target.text
                    if key in current:
                        self.duplicate(stack, current, key, event)
                    continue
                value = target.value
            else:  # the end of a mapping or sequence
                if mapping and id(current) in self.merges:
                    _merge(current, self.merges.pop(id(current)))
                closed = current
                current, mapping, key = stack.pop()
                height = heights.pop() + 1
                if height > heights[-1]:
                    heights[-1] = height
                if anchored and anchored[-1][0] == len(stack):
                    _, name, start, aliased = anchored.pop()
                    weight = event.end_mark.index - start + self.aliased - aliased
                    self.anchors[name] = _Anchored(closed, None, weight, height)
                key = None
                if not stack:
                    return closed
                continue

            if key is self:
                self.merges.setdefault(id(current), []).append(value)
                key = None
            elif mapping:
                current[key] = value
                key = None
            else:
                current.append(value)
                if current is top:
                    return value

    def alias(self, event: Any, depth: int) -> _Anchored:
        if event.anchor not in self.anchors:
            raise self.refuse("TC025", f"*{event.anchor} has no anchor before it", event, "Check its spelling.")
        target = self.anchors[event.anchor]
        if target is None:
            raise self.refuse(
                "TC025", f"*{event.anchor} stands inside of what it refers to", event, "Use a $ref for recursion."
            )
        self.aliased += target.weight
        if self.aliased > MAX_ALIASED:
            raise self.refuse(
                "TC024",
                f"The aliases up to here stand for more than {MAX_ALIASED:,} characters",
                event,
                "Replace the aliases by $ref.",
            )
        if depth + target.height > MAX_DEPTH:
            raise self.too_deep(event)
        return target

    def duplicate(self, stack: list[Any], current: Any, key: str, event: Any) -> None:
        if len(self.warnings) >= _MAX_DUPLICATES:
            return
        path = [str(frame[2]) if frame[1] else len(frame[0]) - 1 for frame in stack[1:]]
        path = [_MERGE if frame[2] is self else part for frame, part in zip(stack[1:], path, strict=True)]
        self.warnings.append(
            Diagnostic(
                code="TC100",
                severity="warning",
                message=f"The key {_short(key)} stands twice in one mapping; the last one counts",
                location=Location(file=self.file, pointer=join([*path, key]), line=event.start_mark.line + 1),
                help="Remove one of them.",
            )
        )

    def complex_key(self, event: Any) -> Failure:
        return self.refuse(
            "TC022",
            "A key that is a list or a mapping cannot stand in an OpenAPI document",
            event,
            "Quote the key if it is text that begins with [ or {.",
        )

    def too_deep(self, event: Any) -> Failure:
        return self.refuse("TC023", f"Nested deeper than {MAX_DEPTH} levels", event, "Use $ref to flatten it.")

    def refuse(self, code: str, message: str, event: Any, advice: str) -> Failure:
        return _failure(code, message, self.file, event.start_mark.line + 1, advice)


def _merge(own: dict[str, Any], merges: list[Json]) -> None:
    """Put the keys of merged mappings before a mapping's own; the earlier one wins, the own ones always."""
    kept = dict(own)
    own.clear()
    for merged in merges:
        sources = merged if isinstance(merged, list) else [merged]
        if all(isinstance(source, dict) for source in sources):
            for source in sources:
                if isinstance(source, dict):
                    for key, value in source.items():
                        own.setdefault(key, value)
        else:
            own[_MERGE] = merged  # not a merge after all, but a property of that name
    own.update(kept)


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:59] + "…")


def _failure(code: str, message: str, file: str, line: int | None, advice: str = "") -> Failure:
    location = Location(file=file, line=line)
    return Failure(Diagnostic(code=code, severity="error", message=message, location=location, help=advice))


def _syntax(error: Any, file: str) -> Failure:
    mark = error.problem_mark or error.context_mark
    problem = " ".join(part for part in (error.context, error.problem) if part)
    line = None if mark is None else mark.line + 1
    if "maximum nesting depth" in problem:
        return _failure("TC023", f"Nested deeper than {MAX_DEPTH} levels", file, line, "Use $ref to flatten it.")
    column = "" if mark is None else f" (column {mark.column + 1})"
    advice = "Correct the text around this line."
    if "mapping values are not allowed" in problem:
        advice = "Check the indentation, and quote texts that hold ': '."
    elif "'\\t'" in problem or "tab character" in problem or "cannot start any token" in problem:
        advice = "Indent with spaces, and quote texts that begin with one of @ ` % or a tab."
    return _failure("TC020", f"Not well-formed YAML: {problem}{column}", file, line, advice)


def _unreadable(error: Any, text: str, file: str) -> Failure:
    # libyaml counts bytes, the parser in Python characters; the character itself is the surest way to the place.
    character = error.character if isinstance(error.character, str) else chr(max(error.character, 0))
    place = text.find(character)
    line = None if place < 0 else text.count("\n", 0, place) + 1
    message = f"The character U+{ord(character):04X} is not allowed in YAML"
    return _failure("TC020", message, file, line, "Remove it, or write it as an escape in a quoted text.")
