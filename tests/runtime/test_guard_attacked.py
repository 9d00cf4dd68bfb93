"""The guard attacked over HTTP: what comes of each attempt to pass for a human's consent."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.types import ElicitRequestParams, ElicitResult
from runtime.operation import Api
from runtime.seal import Seals

from .conftest import Upstream
from .test_callers import headers, message, serving

PAGE = Path(__file__).parents[2] / "docs" / "runtime.md"
SHARED, FOREIGN = "shared-key-" + "k" * 40, "foreign-key-" + "f" * 40
REX = {"name": "Rex"}
YES = {"action": "accept", "content": {"confirm": True}}

Policy = Literal["ask", "required"]
Outcome = Literal["asked", "refused", "sent", "invalid"]


@dataclass(kw_only=True)
class World:
    """Replicas with one policy, each started when it is called: two share a key, and one of them keeps sessions."""

    start: Callable[..., str]
    folder: Path

    @cached_property
    def one(self) -> str:
        """A replica with the shared key."""
        return self.start(SHARED, False)

    @cached_property
    def other(self) -> str:
        """Another with the shared key."""
        return self.start(SHARED, False)

    @cached_property
    def pair(self) -> tuple[str, str]:
        """Two with the shared key and a shared folder."""
        return self.start(SHARED, False, self.folder), self.start(SHARED, False, self.folder)

    @cached_property
    def stranger(self) -> str:
        """One with another key."""
        return self.start(FOREIGN, False)

    @cached_property
    def keyless(self) -> str:
        """One without a key to share."""
        return self.start("", False)

    @cached_property
    def stateful(self) -> str:
        """One that keeps sessions, so that it can ask older clients."""
        return self.start(SHARED, True)

    def call(
        self,
        url: str = "",
        *,
        tool: str = "create_pet",
        arguments: Any = None,
        answer: Any = None,
        state: Any = None,
        caller: str = "ann",
        asks: bool = True,
    ) -> dict[str, Any]:
        """What the server answers to one call of a client that can ask its human, unless told otherwise."""
        body = message("tools/call", tool, REX if arguments is None else arguments)
        if asks:
            body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = {"elicitation": {}}
        if answer is not None:
            body["params"]["inputResponses"] = {"confirm": answer}
        if state is not None:
            body["params"]["requestState"] = state
        sent = headers("tools/call", tool, **{"X-Pet-Key": f"key-of-{caller}"})
        return httpx2.post(url or self.one, json=body, headers=sent).json()

    def state(self, url: str = "", **call: Any) -> str:
        """The state of a question that was really asked."""
        return self.call(url, **call)["result"]["requestState"]

    def older(self, url: str, ask: Any) -> dict[str, Any]:
        """The result of a call by a client of 2025-11-25."""

        async def go() -> bool | None:
            async with Client(url, mode="legacy", elicitation_callback=ask) as client:
                return (await client.call_tool("create_pet", REX)).is_error

        return {"result": {"isError": anyio.run(go)}}


def outcome(answer: dict[str, Any]) -> Outcome:
    if "error" in answer:
        return "invalid"
    if answer["result"].get("resultType") == "input_required":
        return "asked"
    return "refused" if answer["result"]["isError"] else "sent"


async def agrees(context: Any, params: ElicitRequestParams) -> ElicitResult:
    return ElicitResult(action="accept", content={"confirm": True})


async def declines(context: Any, params: ElicitRequestParams) -> ElicitResult:
    return ElicitResult(action="decline")


def flipped(state: str) -> str:
    """A state whose content says something else under the mark that it had."""
    return ("A" if state[0] != "A" else "B") + state[1:]


def expired(world: World) -> str:
    """A state as the server itself would have sealed it more than 120 seconds ago."""
    value = Seals([SHARED]).opened("confirmation", world.state())
    assert value is not None
    return Seals([SHARED]).sealed("confirmation", value, -1)


def forged(world: World) -> str:
    """A state with the right content, sealed by somebody without the key."""
    value = Seals([SHARED]).opened("confirmation", world.state())
    assert value is not None
    return Seals([FOREIGN]).sealed("confirmation", value, 60)


def replayed(world: World, again: str, first: str = "") -> dict[str, Any]:
    """The second use of a confirmation to which a human agreed."""
    state = world.state(first)
    assert outcome(world.call(first, answer=YES, state=state)) == "sent"
    return world.call(again, answer=YES, state=state)


def changed_mind(world: World) -> dict[str, Any]:
    """A yes to the question that a human has already answered with a no."""
    state = world.state()
    assert outcome(world.call(answer={"action": "decline"}, state=state)) == "refused"
    return world.call(answer=YES, state=state)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What is tried, what comes of it under ``required`` and ``ask``, and what the API gets altogether."""

    tried: Callable[[World], dict[str, Any]]
    required: Outcome = "asked"
    ask: Outcome = "asked"
    sent: int = 0  # requests that a human agreed to


ATTEMPTS = {
    "an argument `confirm: true`": Attempt(
        tried=lambda w: w.call(arguments={**REX, "confirm": True}), required="refused", ask="refused"
    ),
    "an answer without a state": Attempt(tried=lambda w: w.call(answer=YES)),
    "a state without an answer": Attempt(tried=lambda w: w.call(state=w.state())),
    "a made-up state": Attempt(tried=lambda w: w.call(answer=YES, state="confirmed.yes")),
    "a state forged without the key": Attempt(tried=lambda w: w.call(answer=YES, state=forged(w))),
    "an altered state": Attempt(tried=lambda w: w.call(answer=YES, state=flipped(w.state()))),
    "an expired state": Attempt(tried=lambda w: w.call(answer=YES, state=expired(w))),
    "the state of another tool": Attempt(
        tried=lambda w: w.call(answer=YES, state=w.state(tool="get_pet", arguments={"petId": 7}))
    ),
    "the state of other arguments": Attempt(
        tried=lambda w: w.call(answer=YES, state=w.state(arguments={"name": "Max"}))
    ),
    "the state of another caller": Attempt(tried=lambda w: w.call(answer=YES, state=w.state(caller="bob"))),
    "a confirmation used a second time": Attempt(tried=lambda w: replayed(w, w.one), sent=1),
    "a confirmation begun on a replica with another key": Attempt(
        tried=lambda w: w.call(answer=YES, state=w.state(w.stranger))
    ),
    "a confirmation begun on a replica without a shared key": Attempt(
        tried=lambda w: w.call(answer=YES, state=w.state(w.keyless))
    ),
    "an answer `accept` without the tick": Attempt(
        tried=lambda w: w.call(answer={"action": "accept", "content": {"confirm": False}}, state=w.state()),
        required="refused",
        ask="refused",
    ),
    "an answer whose tick is the text `true`": Attempt(
        tried=lambda w: w.call(answer={"action": "accept", "content": {"confirm": "true"}}, state=w.state()),
        required="refused",
        ask="refused",
    ),
    "a human who declines": Attempt(
        tried=lambda w: w.call(answer={"action": "decline"}, state=w.state()), required="refused", ask="refused"
    ),
    "a yes to a question that was answered with a no": Attempt(tried=changed_mind),
    "a human who declines, asked by an older client": Attempt(
        tried=lambda w: w.older(w.stateful, declines), required="refused", ask="refused"
    ),
    "an answer and a state from a client that cannot ask": Attempt(
        tried=lambda w: w.call(answer=YES, state=w.state(), asks=False), required="refused", ask="sent"
    ),
    "an older client without elicitation": Attempt(
        tried=lambda w: w.older(w.stateful, None), required="refused", ask="sent"
    ),
    "an older client over HTTP without `--stateful`": Attempt(
        tried=lambda w: w.older(w.one, agrees), required="refused", ask="sent"
    ),
    "a human who agrees": Attempt(
        tried=lambda w: w.call(answer=YES, state=w.state()), required="sent", ask="sent", sent=1
    ),
    "a human who agrees, asked by an older client": Attempt(
        tried=lambda w: w.older(w.stateful, agrees), required="sent", ask="sent", sent=1
    ),
    "a confirmation finished on a replica that shares the key": Attempt(
        tried=lambda w: w.call(w.other, answer=YES, state=w.state()), required="sent", ask="sent", sent=1
    ),
    "a confirmation used a second time, on another replica that shares the key": Attempt(
        tried=lambda w: replayed(w, w.other), required="sent", ask="sent", sent=2
    ),
    "a confirmation used a second time, on another replica that shares the key and a folder": Attempt(
        tried=lambda w: replayed(w, w.pair[1], w.pair[0]), sent=1
    ),
}


@pytest.fixture(params=["required", "ask"])
def policy(request: pytest.FixtureRequest) -> Policy:
    """The guard's policy."""
    return request.param


@pytest.fixture
def world(api: Api, upstream: Upstream, policy: Policy, tmp_path: Path) -> Generator[World]:
    """The replicas, before one API."""
    rules = {
        "GUARD": f"create_pet={policy} get_pet={policy}",
        "CALLER_CREDENTIALS": "X-Pet-Key=PETSTORE_API_KEY",
    }
    with ExitStack() as stack:

        def replica(key: str, stateful: bool, folder: Path | None = None) -> str:
            keys = ({"STATE_KEYS": key} if key else {}) | ({"STATE_FOLDER": str(folder)} if folder else {})
            return stack.enter_context(serving(api, upstream, {**rules, **keys}, stateful=stateful))

        yield World(start=replica, folder=tmp_path)


@pytest.mark.parametrize("name", ATTEMPTS)
def test_an_attempt_comes_to_what_the_page_says(world: World, policy: Policy, upstream: Upstream, name: str) -> None:
    attempt = ATTEMPTS[name]
    expected = attempt.required if policy == "required" else attempt.ask
    assert outcome(attempt.tried(world)) == expected
    # Where no human can be asked, ``ask`` lets the call go out, as it says.
    unasked = policy == "ask" and expected == "sent" and not attempt.sent
    assert len(upstream.received) == (1 if unasked else attempt.sent)


def test_nothing_goes_out_under_required_unless_a_human_agreed() -> None:
    assert all(attempt.sent for attempt in ATTEMPTS.values() if attempt.required == "sent")


def test_the_page_has_a_row_for_each_attempt() -> None:
    section = PAGE.read_text("utf-8").partition("### The guard attacked\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.+?) \| (\w+)\b.*? \| (\w+)\b.*? \|$", section, re.MULTILINE)
    told = [(name, attempt.required, attempt.ask) for name, attempt in ATTEMPTS.items()]
    assert [row for row in rows if row[0] != "attempt"] == told
