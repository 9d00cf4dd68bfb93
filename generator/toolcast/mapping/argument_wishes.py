"""The wishes for the arguments of one operation: which argument each means, and what they come to together."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from toolcast.diagnostics import Location
from toolcast.mapping.extensions import Extensions
from toolcast.mapping.names import argument_names
from toolcast.mapping.objections import Objections
from toolcast.mapping.portable import accepts
from toolcast.model.catalog import Binding, PathArg
from toolcast.model.json import Json, Schema
from toolcast.model.openapi import Parameter
from toolcast.model.shape import nearest
from toolcast.model.wishes import ArgumentWish, Said, Selected, overridden

Slot: TypeAlias = tuple[str, str]  # a place of the request, and the name there

_SHOWN: Final = 300  # characters of a value in a message
_SECRET_PLACES: Final = ("path", "query", "header", "cookie", "body")


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """An argument that is a credential: its place, its name there, and the scheme that it is, if it has one."""

    place: str
    name: str
    required: bool
    scheme: Said[str | bool]


class ArgumentWishes:
    """Answers for one operation, and remembers which wishes have found an argument."""

    def __init__(
        self, extensions: Extensions | None, objections: Objections | None, selected: Sequence[Selected] = ()
    ) -> None:
        self.selected = selected
        self.heard: set[Location] = set()
        self.known: dict[str, None] = {}
        self._extensions = extensions
        self._objections = objections
        self._own: Mapping[Slot, ArgumentWish] = {}
        self._meant: list[tuple[Selected, Collection[Slot]]] = []

    def of_parameter(self, parameter: Parameter, schema: Schema) -> ArgumentWish:
        """What a parameter says itself, whose schema is given without references."""
        return ArgumentWish() if self._extensions is None else self._extensions.of_parameter(parameter, schema)

    def of_field(self, schema: Schema, at: Location, *, required: bool) -> ArgumentWish:
        """What a field of the body says itself, whose schema is given without references."""
        return (
            ArgumentWish() if self._extensions is None else self._extensions.of_property(schema, at, required=required)
        )

    def meet(self, own: Mapping[Slot, ArgumentWish], locked: Mapping[str, str]) -> Mapping[str, str]:
        """Learn of all arguments, and what they say themselves; gives the names that are chosen, as a lock has them.

        A text means what is called so in the document and stands in a place ("query limit"), else the argument that
        has, had or would have that name, else whatever the document calls so.
        """
        self._own = own
        fresh = argument_names([*own], {}) if self.selected else {}
        slots = {slot: {name, locked.get(" ".join(slot), name)} for slot, name in fresh.items()}
        self.known |= dict.fromkeys(name for names in slots.values() for name in names)
        for selected in self.selected:
            text = selected.text
            ranks: tuple[list[Slot], ...] = (
                [slot for slot in slots if text == " ".join(slot)],
                [slot for slot, names in slots.items() if text in names],
                [slot for slot in slots if text == slot[1]],
            )
            meant = next((rank for rank in ranks if rank), ranks[0])
            self._meant.append((selected, meant))
            if meant:
                self.heard.add(selected.at)
        return self._chosen(locked)

    def of(self, slot: Slot) -> ArgumentWish:
        """What is wanted of an argument; what it says itself counts more than its operation, less than the owner."""
        wish = ArgumentWish()
        for owner in (False, True):
            for selected, meant in self._meant:
                if selected.owner is owner and slot in meant:
                    wish = overridden(wish, selected.wish)
            wish = wish if owner or slot not in self._own else overridden(wish, self._own[slot])
        return wish

    def _chosen(self, locked: Mapping[str, str]) -> Mapping[str, str]:
        said = {slot: wish for slot in self._own if (wish := self.of(slot).name) is not None}
        if not said:
            return {}
        chosen: dict[str, str] = {}
        names = argument_names([*self._own], locked)
        for slot, wish in said.items():
            others = {name for other, name in names.items() if other != slot and other not in said}
            if not wish.owner and " ".join(slot) in locked:
                continue
            if wish.value in others or wish.value in chosen.values():
                self._object(wish, f"Another argument is called {wish.value!r}", "Choose another name.")
            else:
                chosen[" ".join(slot)] = wish.value
        return chosen

    def of_secret(self, parameter: Parameter) -> ArgumentWish:
        """What is wanted of a parameter that is a credential by itself, and so has no argument yet."""
        wish = self.of_parameter(parameter, {})
        for selected in self.selected:
            if selected.text in (parameter.name, f"{parameter.location} {parameter.name}"):
                wish = overridden(wish, selected.wish)
                self.heard.add(selected.at)
        return wish

    def secret(self, wish: ArgumentWish, slot: Slot, *, required: bool) -> Secret | None:
        """The credential that an argument is, if it is one."""
        said = wish.credential
        if said is None or said.value is False:
            return None
        if slot[0] not in _SECRET_PLACES or not slot[1]:
            self._object(said, "A body as a whole cannot be a credential", "Name one of its fields.")
            return None
        return Secret(place=slot[0], name=slot[1], required=required, scheme=said)

    def is_hidden(self, wish: ArgumentWish, name: str, *, required: bool) -> bool:
        """Is an argument neither offered nor sent?"""
        if wish.hidden is None or not wish.hidden.value:
            return False
        if required and wish.default is None:
            self._object(
                wish.hidden, f"The argument {name!r} is required and cannot be hidden", "Give it a `fixed` value."
            )
            return False
        return True

    def bound(self, binding: Binding, wish: ArgumentWish) -> Binding:
        """Where an argument goes, with its slashes kept if that is wanted."""
        if wish.slashes is None or wish.slashes.value != "keep":
            return binding
        if not isinstance(binding, PathArg):
            self._object(wish.slashes, "Slashes can be kept in arguments of the path only", "Remove `slashes`.")
            return binding
        return replace(binding, slashes=True)

    def fitting(self, said: Said[Json] | None, schema: Schema, name: str) -> bool:
        """Does the schema of an argument accept a value that is wanted for it?"""
        if said is None or accepts(schema, said.value):
            return said is not None
        message = f"The argument {name!r} does not take {_written(said.value)}"
        self._object(said, message, f"Its schema is {_written(dict(schema))}.")
        return False

    def header(self, said: Said[str] | None, schema: Schema, name: str, taken: Collection[str]) -> str:
        """The name of the header that repeats an argument (MCP 2026-07-28, ``x-mcp-header``), empty when none may."""
        if said is None:
            return ""
        if schema.get("type") not in ("string", "integer", "boolean"):
            self._object(said, f"The argument {name!r} is no plain text, whole number or boolean", "Remove the header.")
        elif said.value.lower() in (other.lower() for other in taken):
            self._object(said, f"Two arguments would be repeated in the header {said.value!r}", "Choose another name.")
        elif _CONFIDENTIAL.search(name) or schema.get("format") == "password":
            self._object(said, f"The argument {name!r} looks like a secret, which proxies must not read", "Remove it.")
        else:
            return said.value
        return ""

    def _object(self, said: Said[Any], message: str, cure: str) -> None:
        if self._objections is not None:
            self._objections.object(said, "TC615", message, cure)


# Words that say that a value is confidential, whatever else is in the name.
_CONFIDENTIAL: Final = re.compile(
    r"(?i)secret|passw|token|credential|api[-_]?key|private|auth|cookie|session|signature"
)


def settle(asked: Iterable[ArgumentWishes], objections: Objections) -> None:
    """Object to every wish of the owner's that has found no argument in any of the operations that it is for."""
    asked = list(asked)
    heard = {at for one in asked for at in one.heard}
    unheard: dict[Location, tuple[str, dict[str, None]]] = {}
    for one in asked:
        for selected in one.selected:
            if selected.owner and selected.at not in heard:
                unheard.setdefault(selected.at, (selected.text, {}))[1].update(one.known)
    for at, (text, known) in unheard.items():
        objections.refuse("TC614", f"No argument is called {text!r}", at, nearest(text, sorted(known)))


def _written(value: Json) -> str:
    """A value as its author writes it, not too long for a message."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
