"""The server: which operations it offers, and how. Yours: written once, and never touched again.

`Server(API)` offers every operation of the API. Each of these gives a server that does one thing differently:

    .only(lambda tool: tool.read_only)      pick tools by name, group and hints
    .without("some_tool")                   leave some out
    .describe("some_tool", "…")             tell models something else of one
    .wrap(OPERATION, function)              do something before, after or instead of a call
    .add(OwnTool(…), Resource(…), Prompt(…))
    .credentials(function)                  take credentials for each call from elsewhere
    .lifespan(function)                     open something for as long as the server runs

An operation is a typed value that can be called, with a server or with the call that a function of yours gets:

    from .api.groups.routes import SEARCH_ROUTES

    answer = await SEARCH_ROUTES(call, {…})
"""

from __future__ import annotations

from ._runtime.server import Server
from .api import API


def build() -> Server:
    """The server that the command runs."""
    return Server(API)
