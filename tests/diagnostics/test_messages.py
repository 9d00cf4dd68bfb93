"""Every message begins with a capital and ends without a full stop; every cure is a sentence."""

from __future__ import annotations

import re

from tests.diagnostics.sources import Text, texts

# With a stop, with what is filled in, or with an example of a command, an expression or a line.
_ENDS = re.compile(r"([.?!]\)?|\0|: (toolcast |[`$/]).*)$")


def _told(found: list[Text]) -> str:
    return "\n".join(f"{text.at}: {text.words!r}" for text in found)


def test_messages_begin_with_a_capital_and_end_without_a_full_stop() -> None:
    messages = [text for text in texts() if text.message]
    assert len(messages) > 150, "the scan has lost its subject"
    odd = [text for text in messages if re.match(r"[a-z]", text.words) or text.words.endswith(".")]
    assert not odd, _told(odd)


def test_cures_are_sentences() -> None:
    """A capital at the beginning; at the end a stop, or an example after a colon."""
    cures = [text for text in texts() if not text.message]
    assert len(cures) > 150, "the scan has lost its subject"
    odd = [text for text in cures if re.match(r"[a-z]", text.words) or not _ENDS.search(text.words)]
    assert not odd, _told(odd)
