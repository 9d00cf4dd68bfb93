"""Texts: what a model and a person read of an operation, cleaned and short enough."""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolcast.mapping.markup import clean as clean
from toolcast.mapping.markup import hidden as hidden
from toolcast.mapping.names import words
from toolcast.mapping.verbs import CHANGING, READING
from toolcast.model.limits import ARGUMENT_DESCRIPTION, DESCRIPTION
from toolcast.model.openapi import Operation

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9`\"'(\[À-ÿ])")
_VERSION = re.compile(r"v\d+(\.\d+)*|api|\d+(\.\d+)+", re.IGNORECASE)
_PLAIN = re.compile(r"[A-Z]?[a-z]+[.!]?")
# Sentences that do not say what an operation does.
_ASIDE = re.compile(
    r"^(?:note|notes|warning|caution|important|attention|tip|hint|beta|preview|deprecated|see|refer|for more|"
    r"for details|for further|more info\w*|read more|learn|requires?|required|permissions?|scopes?|(?:scoped )?oauth|"
    r"authorization|authentication|access|stability|rate limits?|available (?:in|on|since|to|for)|we recommend|"
    r"this (?:endpoint|api|feature|method|operation|resource) (?:is|was|has been) "
    r"(?:in|currently|deprecated|experimental|only|not|now|available|subject))\b|\?$",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"(?:^|(?<=[.!?])\s+)(?:(?:for (?:more|further|additional) (?:information|details?|info)|to learn more|learn more|"
    r"read more|more info(?:rmation)?|see also)\b[^.!?\n]{0,160}(?:[.!?]+(?=\s|$)|$))",
    re.IGNORECASE,
)
TITLE = 80  # characters of a title


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
    summary = _summary(operation).replace("\n", " ").rstrip(".")
    if 0 < len(summary) <= TITLE:
        return summary
    told = sentence(_key_first(clean(operation.description)), 1_000).rstrip(".")
    begun = words(operation.id or "")[:1]
    if not (begun and begun[0] in CHANGING | READING) and 0 < len(told) <= TITLE:
        return f"{told[:1].upper()}{told[1:]}"
    subject = _subject(operation, name)
    return shorten(f"{subject[:1].upper()}{subject[1:]}", TITLE)


def _summary(operation: Operation) -> str:
    """The summary, unless it is no text but the operationId or the path once more (``addLists()``)."""
    summary = clean(operation.summary)
    told = words(summary)
    again = told in (words(operation.id or ""), words(operation.path)) or words(operation.path)[-len(told) :] == told
    return "" if again and " " not in summary and not _PLAIN.fullmatch(summary) else summary


def _subject(operation: Operation, name: str) -> str:
    """What an operation does, in words: its id where the tool is named by it, else method and path.

    An id that several operations share says nothing of this one, and might call a deletion a reading.
    """
    parts = words(operation.id) if operation.id else []
    if len(parts) > 1 and name == "_".join(parts):
        return " ".join(parts)
    segments = [segment for segment in operation.path.split("/") if segment and not _VERSION.fullmatch(segment)]
    nouns = [word for segment in segments if "{" not in segment for word in words(segment)]
    verb = _ACTIONS.get(operation.method, "call")
    if operation.method == "GET" and segments and "{" not in segments[-1] and nouns and nouns[-1].endswith("s"):
        verb = "list"
    return f"{verb} {' '.join(nouns) or 'the root'}"


def composed(operation: Operation, name: str) -> str:
    """A sentence for an operation that has no text: verb and nouns, by what, with what, and the request itself."""
    subject = _subject(operation, name)
    keys = [parameter.name for parameter in operation.parameters if parameter.location == "path"]
    needed = [p.name for p in operation.parameters if p.required and p.location in ("query", "querystring")]
    by = f" for the given {', '.join(dict.fromkeys([*keys, *needed]))}" if keys or needed else ""
    body = sentence(operation.body.description, 120) if operation.body else ""
    told = f" {body}" if body else ""
    return f"{subject[:1].upper()}{subject[1:]}{by} ({operation.method} {operation.path}).{told}"


_ACTIONS = {"GET": "get", "PUT": "replace", "POST": "post to", "DELETE": "delete", "PATCH": "update", "HEAD": "check"}


def description(operation: Operation, name: str, *, choice: str = "", answer: str = "") -> tuple[str, int]:
    """What the model decides by, and its length before it was cut.

    First what it does: summary, then description, the key sentence at the beginning. Then, whole: when to take it
    rather than another tool (``choice``), and what it gives back.
    """
    summary, text = _summary(operation), _without_references(clean(operation.description))
    if summary and (text.lower().startswith(summary.lower().rstrip(".")) or _says(sentence(text, 250), summary)):
        summary = ""
    if summary and text and summary[-1] not in ".!?:…":
        summary += "."
    told = _key_first("\n".join(part for part in (summary, text) if part)) or composed(operation, name)
    if operation.deprecated:
        told = f"Deprecated. {told}"
    return ended(told, [choice, f"Answer: {answer}." if answer else ""])


def ended(told: str, more: Sequence[str]) -> tuple[str, int]:
    """A text with lines behind it that stay whole when it is cut, and the length before it was cut."""
    rest = "".join(f"\n{line}" for line in more if line)[: DESCRIPTION // 2]
    return f"{shorten(told, DESCRIPTION - len(rest))}{rest}", len(told) + len(rest)


def _without_references(text: str) -> str:
    """A text without sentences that only send the reader elsewhere, where a model cannot go."""
    lines = (_REFERENCE.sub("", line).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _says(told: str, summary: str) -> bool:
    """Does a sentence say all that a summary does?"""
    stems = _stems(told)
    return bool(stems) and _stems(summary) <= stems


def _stems(text: str) -> frozenset[str]:
    return frozenset(_SAME.get(stem, stem) for word in words(text) if (stem := _stem(word)) not in _SMALL)


def _stem(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 and not word.endswith("ss") else word


_SMALL = frozenset("a an the of in on to for by with and or that this these it its all one given specified".split())
_SAME = {
    form: verb
    for verb, forms in {
        "get": "retrieve return fetch show list find read view",
        "create": "add make insert",
        "update": "edit modify change patch",
        "delete": "remove",
    }.items()
    for form in forms.split()
}


def _key_first(text: str) -> str:
    """The text with the first of its sentences at the beginning that is no aside (a note, a question, who may call)."""
    lines = text.split("\n")
    begun = _SENTENCE.split(lines[0])
    if not _ASIDE.search(begun[0]):
        return text
    for at, line in enumerate(lines[:4]):
        for piece in begun if at == 0 else _SENTENCE.split(line)[:3]:
            if len(words(piece)) > 2 and not _ASIDE.search(piece) and piece[-1] in ".!":
                return "\n".join([piece, text.replace(piece, "", 1).replace("\n\n", "\n").strip().replace("  ", " ")])
    return text
