"""The guard: its policy, its seals, and everything that must not count as a human's answer."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.types import (
    CallToolRequestParams,
    ClientCapabilities,
    ElicitationCapability,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
    UrlElicitationCapability,
)
from runtime.confirmation import InputNeeded
from runtime.errors import CallError, SettingsError
from runtime.guard import SECONDS, Guard, Human, Nobody, Policy, identity, question
from runtime.once import Used
from runtime.request import Request
from runtime.seal import Seals

from runtime import confirmation, seal

TOOLS = {"delete_pet": "pets", "create_pet": "pets", "cancel_order": "orders"}
DESTRUCTIVE = {"readOnlyHint": False, "destructiveHint": True}
WRITE = {"readOnlyHint": False, "destructiveHint": False}
READ = {"readOnlyHint": True, "destructiveHint": False}
KEY, OTHER_KEY = "k" * 40, "o" * 40
REQUEST = Request("DELETE", "https://api.example/pets/7", (), None)


# Policy


@pytest.mark.parametrize(
    ("rules", "tool", "group", "hints", "policy"),
    [
        ("", "delete_pet", "pets", DESTRUCTIVE, "ask"),
        ("", "delete_pet", "pets", {}, "ask"),
        ("", "create_pet", "pets", WRITE, "off"),
        ("", "list_pets", "pets", READ, "off"),
        ("required", "delete_pet", "pets", DESTRUCTIVE, "required"),
        ("required write=ask", "create_pet", "pets", WRITE, "ask"),
        ("required write=required", "list_pets", "pets", READ, "off"),
        ("off, orders=required", "cancel_order", "orders", DESTRUCTIVE, "required"),
        ("off, orders=required", "delete_pet", "pets", DESTRUCTIVE, "off"),
        ("pets=off delete_pet=required", "delete_pet", "pets", DESTRUCTIVE, "required"),
        ("pets=off delete_pet=required", "create_pet", "pets", WRITE, "off"),
    ],
)
def test_the_policy_of_a_tool(rules: str, tool: str, group: str, hints: dict[str, bool], policy: Policy) -> None:
    assert Guard.read("P", {"P_GUARD": rules}, TOOLS).of(tool, group, hints) == policy


@pytest.mark.parametrize("rules", ["never", "pets=maybe", "cats=off", "=ask", "delete_pets=required"])
def test_a_rule_that_names_nothing_stops_the_start(rules: str) -> None:
    with pytest.raises(SettingsError, match="P_GUARD"):
        Guard.read("P", {"P_GUARD": rules}, TOOLS)


class Says:
    """A human who was asked."""

    def __init__(self, answer: bool | None) -> None:
        self.answer = answer

    async def agrees(self, question: str, call: str) -> bool | None:
        return self.answer


@pytest.mark.parametrize(
    ("policy", "human", "outcome"),
    [
        ("ask", Says(True), "confirmed"),
        ("ask", Nobody(), "unconfirmed"),
        ("required", Says(True), "confirmed"),
    ],
)
def test_what_goes_out(policy: Policy, human: Human, outcome: str) -> None:
    assert anyio.run(Guard("P").review, policy, "Delete?", "call", human) == outcome


@pytest.mark.parametrize(
    ("policy", "human", "told"),
    [
        ("required", Nobody(), "this client cannot ask one, so nothing was sent"),
        ("required", Says(False), "did not confirm"),
        ("ask", Says(False), "did not confirm"),
    ],
)
def test_what_does_not_go_out(policy: Policy, human: Human, told: str) -> None:
    with pytest.raises(CallError, match=told):
        anyio.run(Guard("P").review, policy, "Delete?", "call", human)


def test_the_human_sees_the_request() -> None:
    body = Request("POST", "https://api.example/orders?dry=0", (("Authorization", "x"),), b'{"total": 12}')
    shown = question("Place an order", body, {"total": 12})
    assert shown == 'Place an order?\n\nPOST https://api.example/orders?dry=0\n\n{"total": 12}'
    assert "\u202e" not in question("Delete", Request("DELETE", "https://a/b", (), b"\xe2\x80\xaeevil"), {})
    assert "5 bytes" in question("Upload", Request("PUT", "https://a/b", (), b"\xff\xfe\x00\x00\x00"), {})


# Seals


@given(st.dictionaries(st.text(max_size=8), st.one_of(st.integers(), st.text(max_size=8), st.none())), st.text())
def test_a_seal_is_known_to_whoever_shares_a_key(value: dict[str, Any], purpose: str) -> None:
    text = Seals([KEY]).sealed(purpose, value, 60)
    assert Seals([OTHER_KEY, KEY]).opened(purpose, text) == value
    assert Seals([OTHER_KEY]).opened(purpose, text) is None
    assert Seals([KEY]).opened(f"{purpose}x", text) is None
    assert Seals().opened(purpose, text) is None
    assert set(text) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")


@given(st.data())
def test_an_altered_seal_is_none(data: st.DataObject) -> None:
    text = Seals([KEY]).sealed("p", {"a": 1}, 60)
    at = data.draw(st.integers(0, len(text) - 1))
    sign = data.draw(st.sampled_from("AZaz09-_. \n=é"))
    if text[at] != sign:
        assert Seals([KEY]).opened("p", text[:at] + sign + text[at + 1 :]) is None


def test_a_seal_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    text = Seals([KEY]).sealed("p", {}, 60)
    now = seal.time.time()
    monkeypatch.setattr(seal.time, "time", lambda: now + 61)
    assert Seals([KEY]).opened("p", text) is None


def test_short_keys_are_refused_and_no_key_is_shown() -> None:
    with pytest.raises(SettingsError, match="P_STATE_KEYS") as caught:
        Seals.read("P", {"P_STATE_KEYS": f"{KEY} short"})
    assert "short" not in str(caught.value)
    assert KEY not in repr(Seals([KEY]))


# The round trip of 2026-07-28


@dataclass
class Session:
    """What a request tells of its client."""

    client_capabilities: Any = None
    can_send_request: bool = False


@dataclass
class Context:
    """A request, as far as the guard looks at it."""

    protocol_version: str = "2026-07-28"
    session: Session = field(default_factory=Session)
    request_id: str = "1"


FORMS = ClientCapabilities(elicitation=ElicitationCapability())
URLS = ClientCapabilities(elicitation=ElicitationCapability(url=UrlElicitationCapability()))


CALL = identity("delete_pet", {"petId": 7}, REQUEST, "ann", "ask")
Outcome = bool | None | InputRequiredResult


def agrees(
    answer: Any = None,
    state: str | None = None,
    *,
    call: str = CALL,
    seals: Seals | None = None,
    used: Used | None = None,
    context: Context | None = None,
) -> Outcome:
    """What becomes of a call with this answer and this state."""
    given = {} if answer is None else {"confirm": answer}
    params = CallToolRequestParams(name="delete_pet", arguments={"petId": 7, "confirm": True})
    params = params.model_copy(update={"input_responses": given, "request_state": state})
    ctx = context or Context(session=Session(FORMS))
    human = confirmation.human(cast("Any", ctx), params, seals or Seals([KEY]), used or Used(SECONDS))
    try:
        return anyio.run(human.agrees, "Delete a pet?", call)
    except InputNeeded as needed:
        return needed.result


def asked(**given: Any) -> InputRequiredResult:
    outcome = agrees(**given)
    assert isinstance(outcome, InputRequiredResult), outcome
    return outcome


YES = ElicitResult(action="accept", content={"confirm": True})


def state_of(call: str = CALL, seals: Seals | None = None) -> str:
    return asked(call=call, seals=seals).request_state or ""


def test_the_human_is_asked_by_the_client() -> None:
    result = asked()
    assert result.input_requests is not None
    request = result.input_requests["confirm"]
    assert isinstance(request, ElicitRequest)
    assert isinstance(request.params, ElicitRequestFormParams)
    assert request.params.message == "Delete a pet?"
    assert agrees(YES, result.request_state) is True


def test_a_confirmation_begun_by_one_replica_is_known_to_another() -> None:
    assert agrees(YES, state_of(seals=Seals([KEY])), seals=Seals([KEY])) is True


ATTEMPTS: dict[str, Callable[[], Outcome]] = {
    "no answer and no state": lambda: agrees(),
    "an argument that is called like the answer": lambda: agrees(),
    "an answer without state": lambda: agrees(YES),
    "a state without an answer": lambda: agrees(None, state_of()),
    "a made-up state": lambda: agrees(YES, "v1.confirmed"),
    "an altered state": lambda: agrees(YES, state_of()[:-2] + "AA"),
    "the state of another call": lambda: agrees(YES, state_of("of another call")),
    "the state of another caller": lambda: agrees(
        YES, state_of(identity("delete_pet", {"petId": 7}, REQUEST, "bob", "ask"))
    ),
    "the state of other arguments": lambda: agrees(
        YES, state_of(identity("delete_pet", {"petId": 8}, REQUEST, "ann", "ask"))
    ),
    "a state sealed with another key": lambda: agrees(YES, state_of(seals=Seals([OTHER_KEY]))),
    "a seal made for another purpose": lambda: agrees(
        YES, Seals([KEY]).sealed("resource", {"call": CALL, "nonce": "1"}, 60)
    ),
}


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_what_is_no_confirmation_is_asked_again(attempt: str) -> None:
    assert isinstance(ATTEMPTS[attempt](), InputRequiredResult)


def test_a_confirmation_is_used_once() -> None:
    used, state = Used(SECONDS), state_of()
    assert agrees(YES, state, used=used) is True
    assert isinstance(agrees(YES, state, used=used), InputRequiredResult)


def test_a_confirmation_is_used_once_by_all_that_share_a_folder(tmp_path: Path) -> None:
    state = state_of()
    assert agrees(YES, state, used=Used(SECONDS, tmp_path)) is True
    assert isinstance(agrees(YES, state, used=Used(SECONDS, tmp_path)), InputRequiredResult)
    assert agrees(YES, state_of(), used=Used(SECONDS, tmp_path)) is True


def test_of_many_who_use_a_confirmation_at_once_one_succeeds(tmp_path: Path) -> None:
    async def race() -> list[bool]:
        won: list[bool] = []

        async def run(used: Used) -> None:
            won.append(await used.take("a"))

        async with anyio.create_task_group() as tasks:
            for _ in range(30):
                tasks.start_soon(run, Used(SECONDS, tmp_path))
        return won

    assert sorted(anyio.run(race))[-2:] == [False, True]


def test_notes_of_what_is_long_over_are_removed(tmp_path: Path) -> None:
    for name in ("old.used", "other.txt"):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, 0))
    assert anyio.run(Used(SECONDS, tmp_path).take, "a") is True
    assert len(list(tmp_path.glob("*.used"))) == 1 and not (tmp_path / "old.used").exists()
    assert (tmp_path / "other.txt").exists()


def test_a_confirmation_whose_use_cannot_be_noted_does_not_count(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    used = Used.read("P", {"P_STATE_FOLDER": str(folder)}, SECONDS)
    folder.rmdir()
    with pytest.raises(CallError, match="nothing was sent"):
        agrees(YES, state_of(), used=used)
    with pytest.raises(SettingsError, match="P_STATE_FOLDER"):
        Used.read("P", {"P_STATE_FOLDER": str(folder)}, SECONDS)


def test_a_confirmation_lives_two_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    state, now = state_of(), seal.time.time()
    monkeypatch.setattr(seal.time, "time", lambda: now + SECONDS + 1)
    assert isinstance(agrees(YES, state), InputRequiredResult)


@pytest.mark.parametrize(
    "answer",
    [
        ElicitResult(action="decline"),
        ElicitResult(action="cancel"),
        ElicitResult(action="accept", content={"confirm": False}),
        ElicitResult(action="accept", content={}),
        ElicitResult(action="accept", content={"confirm": "true"}),
    ],
)
def test_anything_but_a_yes_is_a_no(answer: ElicitResult) -> None:
    assert agrees(answer, state_of()) is False


@pytest.mark.parametrize(
    "context",
    [
        Context(),
        Context(session=Session(ClientCapabilities())),
        Context(session=Session(URLS)),
        Context(protocol_version="2025-11-25", session=Session(FORMS, can_send_request=False)),
    ],
)
def test_a_client_that_cannot_ask(context: Context) -> None:
    assert agrees(YES, state_of(), context=context) is None


def test_what_a_confirmation_is_bound_to() -> None:
    other_url = Request("DELETE", "https://api.example/pets/8", (), None)
    with_body = Request("DELETE", "https://api.example/pets/7", (), b"x")
    calls = {
        CALL,
        identity("delete_pets", {"petId": 7}, REQUEST, "ann", "ask"),
        identity("delete_pet", {"petId": "7"}, REQUEST, "ann", "ask"),
        identity("delete_pet", {"petId": 7}, other_url, "ann", "ask"),
        identity("delete_pet", {"petId": 7}, with_body, "ann", "ask"),
        identity("delete_pet", {"petId": 7}, REQUEST, "bob", "ask"),
        identity("delete_pet", {"petId": 7}, REQUEST, "ann", "required"),
    }
    assert len(calls) == 7
