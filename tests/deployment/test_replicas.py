"""Replicas behind a proxy: a crash of one breaks nothing for long, and what one has begun another goes on with.

The large form is ``benchmarks/replicas.py``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Generator
from typing import Any

import anyio
import httpx2
import pytest

from toolcast import pipeline
from toolcast.diagnostics import Report

from . import replicas
from .replicas import HOSTS, Site, Tally

CALLS = 150
# Linux has all of 127.0.0.0/8 for loopback.
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs several addresses of loopback")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Generator[Site]:
    """Three replicas, and the API behind them."""
    folder = tmp_path_factory.mktemp("stations")
    (folder / "stations.yaml").write_text(replicas.DOCUMENT, "utf-8")
    package = folder / "package"
    assert pipeline.generate(str(folder / "stations.yaml"), package, report=Report(), name="stations").applied
    with replicas.site(package, "stations_mcp") as made:
        yield made


def asked(url: str, method: str, **params: Any) -> Any:
    """The result of one request as a client of 2026-07-28 sends it, which can ask its human something."""
    meta: dict[str, Any] = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    }
    headers = {
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": method,
        "Mcp-Name": params.get("name") or params["uri"],
    }
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
    answer = httpx2.post(url, json=message, headers=headers, timeout=30, trust_env=False)
    told = answer.json()
    assert "result" in told, told
    return told["result"]


def removed(url: str, station: int, **confirmation: Any) -> Any:
    """What a replica says to the removal of a station."""
    return asked(url, "tools/call", name="remove_station", arguments={"n": station}, **confirmation)


def test_a_replica_that_crashes_and_comes_back(site: Site) -> None:
    tally = Tally()

    async def run() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(replicas.load, url, range(CALLS), ("2026-07-28", "legacy"), 2, tally)
            for share, happens in ((3, site.kill), (2, site.start)):
                while tally.calls < CALLS // share:
                    await anyio.sleep(0.01)
                await anyio.to_thread.run_sync(happens, HOSTS[1])

    with replicas.proxied(site) as url:
        anyio.run(run)
    # Every call has been answered rightly in the end; few had to be made again, by clients who were told that.
    assert (tally.right, tally.told, tally.wrong) == (CALLS, 0, 0)
    assert sum(tally.broken.values()) <= 4, tally.broken
    assert {f"POST /stations/{number}/readings" for number in range(0, CALLS, 5)} <= set(site.carried_out)


def test_a_confirmation_that_one_replica_asks_for_another_takes(site: Site) -> None:
    first, second, third = map(site.url, HOSTS)
    waiting = removed(first, 7)
    assert waiting["resultType"] == "input_required"
    agreed = {"confirm": {"action": "accept", "content": {"confirm": True}}}
    answered = {"inputResponses": agreed, "requestState": waiting["requestState"]}
    # For another station it counts nowhere.
    assert removed(third, 8, **answered)["resultType"] == "input_required"
    assert "DELETE /stations/7" not in site.carried_out
    done = removed(second, 7, **answered)
    assert (done["resultType"], done.get("isError", False)) == ("complete", False)
    assert site.carried_out.count("DELETE /stations/7") == 1
    assert "DELETE /stations/8" not in site.carried_out


def test_an_answer_that_one_replica_has_cut_others_go_on_with(site: Site) -> None:
    result = asked(site.url(HOSTS[0]), "tools/call", name="get_archive", arguments={})
    total = replicas.ROWS
    shown = result["structuredContent"]["_truncated"]["arrays"]["/result"]
    assert shown["total"] == total
    rows: list[Any] = result["structuredContent"]["result"]
    assert len(rows) == shown["shown"] < total
    (link,) = (block for block in result["content"] if block["type"] == "resource_link")
    following, turn = link["uri"], 0
    while following:
        turn += 1
        piece, note = asked(site.url(HOSTS[turn % 3]), "resources/read", uri=following)["contents"]
        rows += json.loads(piece["text"])
        following = note["text"].partition("It goes on at ")[2]
    assert [row["row"] for row in rows] == list(range(total))
    assert turn > 1


def test_without_the_key_of_the_others_a_replica_asks_again(site: Site) -> None:
    site.kill(HOSTS[2])
    site.start(HOSTS[2], STATIONS_STATE_KEYS="another-key-that-the-other-replicas-do-not-have")
    waiting = removed(site.url(HOSTS[0]), 9)
    agreed = {"confirm": {"action": "accept", "content": {"confirm": True}}}
    answered = {"inputResponses": agreed, "requestState": waiting["requestState"]}
    assert removed(site.url(HOSTS[2]), 9, **answered)["resultType"] == "input_required"
    assert "DELETE /stations/9" not in site.carried_out
