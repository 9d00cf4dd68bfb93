"""Where the decisions of a grammar come from: from hypothesis, which shrinks them, or from a number, which is quick."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


class Choices(Protocol):
    """Decisions, one after the other."""

    def number(self, least: int, most: int, /) -> int:
        """A number, both ends included."""
        ...

    def one(self, options: Sequence[T], /) -> T:
        """One of several."""
        ...


class Seeded:
    """Decisions that follow from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def number(self, least: int, most: int, /) -> int:
        """A number, both ends included."""
        return least + int(self._random.random() * (most - least + 1))

    def one(self, options: Sequence[T], /) -> T:
        """One of several."""
        return options[int(self._random.random() * len(options))]


class Drawn:
    """Decisions that hypothesis makes, and shrinks towards the least and the first."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def number(self, least: int, most: int, /) -> int:
        """A number, both ends included."""
        return self._draw(st.integers(least, most))

    def one(self, options: Sequence[T], /) -> T:
        """One of several."""
        return self._draw(st.sampled_from(options))


def rarely(choices: Choices, times: int = 10) -> bool:
    """Yes, once in so many times."""
    return choices.number(1, times) == times


def strategy(grammar: Callable[[Choices], T]) -> st.SearchStrategy[T]:
    """What a grammar makes, as a strategy of hypothesis."""

    @st.composite
    def made(draw: st.DrawFn) -> T:
        return grammar(Drawn(draw))

    return made()
