"""The server: which operations it offers, and how. Yours: written once, and never touched again.

An operation is a typed value that can be called, so what you build can be composed from them:

    from .api.groups.books import LIST_BOOKS

    answer = await LIST_BOOKS(server, {…})
"""

from __future__ import annotations

from ._runtime.server import Server
from .api import API


def build() -> Server:
    """The server that the command runs."""
    return Server(API)
