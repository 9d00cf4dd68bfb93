"""What can go wrong before, during and after a call, in words that a model or an operator can act on."""

from __future__ import annotations

from collections.abc import Container, Iterable
from difflib import get_close_matches


class CallError(Exception):
    """A call that has no answer; the message says why and what to do, and holds no secret."""


class ArgumentProblem(CallError):
    """Arguments that the tool does not accept; nothing was sent."""


class UnknownTool(CallError):
    """A name that is no tool of this server."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        near = get_close_matches(name, list(known), n=1)
        super().__init__(f"Unknown tool: {name[:100]}" + (f". Did you mean {near[0]}?" if near else ""))


def gone(name: str, successor: str, known: Container[str]) -> str:
    """What a caller is told who knows a tool that this server has no more, and sees those that are known."""
    instead = f"Call {successor} instead; its arguments may differ." if successor in known else ""
    return f"{name} is gone: the API does not offer it any more. Nothing was sent. {instead}".rstrip()


class SettingsError(Exception):
    """A setting that cannot be used; the message names the environment variable and never shows its value."""


class CompositionError(Exception):
    """What ``server.py`` asks for cannot be; the message says why."""
