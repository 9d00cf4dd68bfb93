"""Texts: what a model and a person read of an operation, cleaned and short enough."""

from __future__ import annotations

import html
import re

from toolcast.mapping.names import words
from toolcast.model.limits import ARGUMENT_DESCRIPTION, DESCRIPTION
from toolcast.model.openapi import Operation

# Control characters but tab and newline; bidirectional controls; invisible letters, tags and variation selectors.
# Joiners (U+200C, U+200D) and emoji's U+FE0F stay: many scripts need them.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff]"
)
# Anything that makes a text more than plain lines.
_MARKED = re.compile(r"[<&\[`*_#\r\t\n\u2028\u2029]|  ")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_SCRIPT = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_BREAK = re.compile(r"<\s*(?:br|/p|/div|/li|/tr|/h[1-6]|/ul|/ol)\s*/?\s*>", re.IGNORECASE)
# The elements that texts are written with; anything else in angle brackets is what the text speaks of (``<id>``).
_TAG = re.compile(
    r"</?(?:a|abbr|article|aside|b|big|blockquote|body|br|button|caption|center|cite|code|col|colgroup|dd|del|details|"
    r"dfn|div|dl|dt|em|embed|figure|font|footer|form|h[1-6]|head|header|hr|html|i|iframe|img|input|ins|kbd|label|li|link|"
    r"main|mark|meta|nav|object|ol|p|param|pre|q|s|samp|script|section|small|span|strike|strong|style|sub|summary|sup|svg|"
    r"table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|video|wbr)(?:[\s/][^<>]*)?>",
    re.IGNORECASE,
)
_LINK = re.compile(r"!?\[([^\]\[]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\)")
_MARKS = re.compile(r"(?m)^\s{0,3}#{1,6}\s+|\*\*|__(?=\S)|(?<=\S)__")
_FENCE = re.compile(r"(?m)^\s*```[^\n]*$\n?")
_BLANKS = re.compile(r"[ \t]+")
_ROUNDS = 8  # of markup inside markup
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9`\"'(\[À-ÿ])")


_LINE_END = re.compile("\r\n?|[\u2028\u2029]")


def hidden(text: str) -> set[str]:
    """The invisible, bidirectional and control characters of a text."""
    return set(_HIDDEN.findall(text)) - {"\r", "\u2028", "\u2029"}


def clean(text: str) -> str:
    """A text without hidden characters, HTML and decoration; paragraphs become lines. Once is enough."""
    for _ in range(_ROUNDS):
        cleaned = _cleaned(text)
        if cleaned == text:
            return text
        text = cleaned
    # What still hides markup in markup was written to deceive.
    return _cleaned(re.sub(r"[<>&\[\]*_#`]", "", text))


def _cleaned(text: str) -> str:
    text = _HIDDEN.sub("", _LINE_END.sub("\n", text))
    if not _MARKED.search(text):
        return text.strip()
    if "<" in text:
        text = _TAG.sub("", _BREAK.sub("\n", _SCRIPT.sub("", _COMMENT.sub("", text))))
    if "&" in text:
        text = _HIDDEN.sub("", html.unescape(text))
    text = _MARKS.sub("", _LINK.sub(r"\1", _FENCE.sub("", text)))
    lines = (_BLANKS.sub(" ", line).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def shorten(text: str, limit: int) -> str:
    """The text in at most ``limit`` characters: whole sentences where at least half of it stays, else whole words."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    end = max(cut.rfind(mark) for mark in (". ", ".\n", "! ", "? "))
    if end >= limit // 2:
        return f"{cut[: end + 1]} …" if end + 3 <= limit else cut[: end + 1]
    space = max(cut.rfind(" "), cut.rfind("\n"))
    return f"{cut[: space if space > limit // 2 else limit - 1].rstrip(' ,;:')}…"


def sentence(text: str, limit: int = 100) -> str:
    """The first sentence of a text on one line, shortened."""
    return shorten(_SENTENCE.split(clean(text).replace("\n", " "), maxsplit=1)[0], limit)


def argument_text(text: str) -> str:
    """A description of an argument."""
    return shorten(clean(text), ARGUMENT_DESCRIPTION)


def title(operation: Operation, name: str) -> str:
    """A title for people: the summary where it is short, else what the operation does."""
    summary = clean(operation.summary).replace("\n", " ").rstrip(".")
    if 0 < len(summary) <= 80:
        return summary
    subject = _subject(operation, name)
    return shorten(f"{subject[:1].upper()}{subject[1:]}", 80)


def _subject(operation: Operation, name: str) -> str:
    """What an operation does, in words: its id where the tool is named by it, else method and path.

    An id that several operations share says nothing of this one, and might call a deletion a reading.
    """
    parts = words(operation.id) if operation.id else []
    if len(parts) > 1 and name == "_".join(parts):
        return " ".join(parts)
    nouns = [word for segment in operation.path.split("/") if "{" not in segment for word in words(segment)]
    return f"{_ACTIONS.get(operation.method, 'call')} {' '.join(nouns) or 'the root'}"


def composed(operation: Operation, name: str) -> str:
    """A sentence for an operation that has no text, from what the document does say."""
    subject = _subject(operation, name)
    keys = [p.name for p in operation.parameters if p.location == "path"]
    known = f" for the given {', '.join(keys)}" if keys else ""
    answer = next((clean(r.description) for r in operation.responses if r.status.startswith("2") and r.description), "")
    told = f" Answer: {answer.rstrip('.')}." if answer and answer.lower().rstrip(".") not in ("ok", "success") else ""
    return f"{subject[:1].upper()}{subject[1:]}{known} ({operation.method} {operation.path}).{told}"


_ACTIONS = {"GET": "get", "PUT": "replace", "POST": "post to", "DELETE": "delete", "PATCH": "update", "HEAD": "check"}


def description(operation: Operation, name: str) -> tuple[str, int]:
    """What the model decides by, and its length before it was cut: summary first, then the description."""
    summary, text = clean(operation.summary), clean(operation.description)
    if summary and text.lower().startswith(summary.lower().rstrip(".")):
        summary = ""
    if summary and text and summary[-1] not in ".!?:…":
        summary += "."
    whole = "\n".join(part for part in (summary, text) if part) or composed(operation, name)
    if operation.deprecated:
        whole = f"Deprecated. {whole}"
    return shorten(whole, DESCRIPTION), len(whole)
