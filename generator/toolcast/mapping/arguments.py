"""The wishes for the arguments of one operation: which argument each means, and what they come to together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from toolcast.diagnostics import Location
from toolcast.mapping.objections import Objections
from toolcast.model.shape import nearest
from toolcast.model.wishes import ArgumentWish, Selected, overridden

Slot: TypeAlias = tuple[str, str]  # a place of the request, and the name there


class ArgumentWishes:
    """Answers for one operation, and remembers which wishes have found an argument."""

    def __init__(self, selected: Sequence[Selected] = ()) -> None:
        self.selected = selected
        self.heard: set[Location] = set()
        self.known: dict[str, None] = {}
        self._meant: list[tuple[Selected, Collection[Slot]]] = []

    def __bool__(self) -> bool:
        return bool(self.selected)

    def meet(self, slots: Mapping[Slot, Collection[str]]) -> None:
        """Find out what each wish means among all arguments; each has the names that it has, had, or would have.

        A text means what is called so in the document and stands in a place ("query limit"), else the argument of
        that name, else whatever the document calls so.
        """
        self.known |= dict.fromkeys(name for names in slots.values() for name in names)
        for selected in self.selected:
            text = selected.text
            ranks = (
                [slot for slot in slots if text == " ".join(slot)],
                [slot for slot, names in slots.items() if text in names],
                [slot for slot in slots if text == slot[1]],
            )
            meant = next((rank for rank in ranks if rank), [])
            self._meant.append((selected, meant))
            if meant:
                self.heard.add(selected.at)

    def of(self, slot: Slot, own: ArgumentWish | None = None) -> ArgumentWish:
        """What is wanted of an argument; ``own`` is what it says itself: more than its operation, less than the owner."""
        wish = ArgumentWish()
        for owner in (False, True):
            for selected, meant in self._meant:
                if selected.owner is owner and slot in meant:
                    wish = overridden(wish, selected.wish)
            if not owner and own is not None:
                wish = overridden(wish, own)
        return wish

    def of_secret(self, slot: Slot) -> ArgumentWish:
        """What is wanted of what is a credential by itself, and so has no argument yet."""
        wish = ArgumentWish()
        for selected in self.selected:
            if selected.text in (slot[1], " ".join(slot)):
                wish = overridden(wish, selected.wish)
                self.heard.add(selected.at)
        return wish


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
