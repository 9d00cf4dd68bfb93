"""Templates as people choose, read and override them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from toolcast.model.files import Owner

# What makes an owner's template that extends one of ours say so: ``{% extends "builtin:README.md.jinja" %}``.
BUILTIN: Final = "builtin:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A template: its ``name`` is its path in the tree of templates, with ``/``.

    ``owner`` is whose its files are once written; ``own`` says that it is the owner's and no built-in one.
    """

    name: str
    path: Path
    owner: Owner
    own: bool

    @property
    def target(self) -> str:
        """The path of what it makes, with ``PACKAGE`` and ``GROUP`` still in it."""
        return self.name.removesuffix(".jinja")

    @property
    def is_rendered(self) -> bool:
        """Is it rendered, and not copied?"""
        return self.name.endswith(".jinja")

    @property
    def is_per_group(self) -> bool:
        """Does it make a file for each group?"""
        return "GROUP" in self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A part of a template that an owner's can override; ``variables`` are what it sees besides ``package``."""

    name: str
    about: str
    variables: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """What a value that templates see has: its name, its type in words, and what it is where its name does not tell."""

    name: str
    type: str
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Visible:
    """A kind of value that templates see."""

    name: str
    about: str
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interface:
    """What owners' templates can rely on: values, blocks by template, and filters with what each does."""

    values: tuple[Visible, ...]
    blocks: tuple[tuple[Template, tuple[Block, ...]], ...]
    filters: tuple[tuple[str, str], ...]
