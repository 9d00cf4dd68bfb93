"""Whatever an API does, a call of it ends in its time, says what happened, and takes no more room than it should.

``benchmarks/faults.py`` measures the same on an emitted server.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Generator
from pathlib import Path

import pytest
from runtime.operation import Api
from runtime.server import Server
from tests.independent import unruly

from .conftest import CREDENTIALS, call, text

TIME = 1.0  # seconds that a call has

TOLD = {
    "hangs": r"did not answer within 1 s \(PETSTORE_TIMEOUT\)\. Try again later",
    "drips": r"did not answer within 1 s \(PETSTORE_TIMEOUT\)\. Try again later",
    "resets": r"The connection to 127\.0\.0\.1:\d+ broke \(\w+\)\. It was tried 3 times",
    "resets in the middle": r"The connection to 127\.0\.0\.1:\d+ broke \(\w+\)\. It was tried 3 times",
    "sends 100 MB": r"larger than the 10,485,760 bytes that this server reads \(PETSTORE_MAX_RESPONSE_BYTES\)",
    "sends 100 MB, packed": r"larger than the 10,485,760 bytes that this server reads",
    "sends 9 MB of rows": r"This answer was too large and is cut: [\d,]+ of 80,000 at /result",
    "says that it sends more than it does": r"The connection to 127\.0\.0\.1:\d+ broke \(RemoteProtocolError\)",
    "says that it sends less than it does": r"Note: this answer is declared as application/json, but not JSON",
    "sends headers without end": r"The connection to 127\.0\.0\.1:\d+ broke \(RemoteProtocolError\)",
    "answers 429 with Retry-After: 0": r"429",
    "answers 429 with Retry-After: 3600": r"429[\s\S]*3600 seconds",
    "answers 503 with Retry-After: 0": r"503",
    "answers 503 with Retry-After: 3600": r"503[\s\S]*3600 seconds",
    "redirects in circles": r"302[\s\S]*follows up to 5 redirects of reading calls, and none in circles",
    "sends an object where a list was said": r'\{"id":\{"deep":\[1\]\}\}',
    "sends HTML as JSON": r"<html>It works!</html>\nNote: this answer is declared as application/json",
    "nests 100,000 lists": r"^\[\[\[",
    "speaks another protocol": r"The connection to 127\.0\.0\.1:\d+ broke \(RemoteProtocolError\)",
}
ANSWERS = {
    "sends 9 MB of rows",
    "says that it sends less than it does",
    "sends an object where a list was said",
    "sends HTML as JSON",
    "nests 100,000 lists",
}


@pytest.fixture(scope="module")
def url() -> Generator[str]:
    """Where the unruly API is."""
    with unruly.serving() as found:
        yield found


@pytest.mark.parametrize("fault", unruly.FAULTS)
def test_a_call_ends_in_its_time_with_a_result_that_can_be_read(api: Api, url: str, fault: str) -> None:
    environ = {
        "PETSTORE_BASE_URL": f"{url}/{unruly.path(fault)}",
        "PETSTORE_TIMEOUT": str(TIME),
        "PETSTORE_REDIRECTS": "5",
        **CREDENTIALS,
    }
    before = _peak(reset=True)
    begin = time.monotonic()
    result = call(Server(api, environ=environ), "list_pets")
    took = time.monotonic() - begin
    grown = _peak() - before
    assert re.search(TOLD[fault], text(result)), text(result)[:500]
    assert result.is_error is (fault not in ANSWERS)
    # Turning nine megabytes of rows into a result takes longer than reading them.
    assert took < TIME + (5 if "9 MB" in fault else 1)
    assert grown < (300 if "9 MB" in fault else 100), f"{grown} MiB"


def test_every_fault_has_its_words() -> None:
    assert TOLD.keys() == unruly.FAULTS.keys() >= ANSWERS


def _peak(*, reset: bool = False) -> float:
    """The most memory that this process has held since it was reset, in MiB; 0 where that cannot be known."""
    if sys.platform != "linux":
        return 0
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))
