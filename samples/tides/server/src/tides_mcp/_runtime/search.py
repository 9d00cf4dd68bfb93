"""Search: the tools of a large API that fit a few words, best first (BM25F: a tool is a document, fields weigh)."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

_WORD: Final = re.compile(r"[^\W_]+", re.UNICODE)
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z])(?=[0-9])")
_UNSPACED: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SATURATION: Final = 1.2  # k1 of BM25
_LENGTH: Final = 0.5  # b of BM25
_COVERED: Final = 1.0  # what it adds when every word of a name is asked for
_WEIGHTS: Final = {"name": 4.0, "title": 3.0, "group": 1.5, "text": 1.0, "arguments": 0.6}

_IDLE_WORDS: Final = """
    a all an and any are as at be by can do for from given has have how i if in into is it its me my of on one or our
    please s so such than that the their them then there these this to use using via want was we when where which who
    will with you your
"""
# What APIs and people call the same; the first word of a line stands for all of them.
_SAME_WORDS: Final = """
    get fetch read retrieve return show view describe lookup
    list enumerate index browse
    create add insert new make register post
    update edit modify change patch alter
    replace put overwrite set
    delete remove destroy erase drop
    search find query filter
    repository repo
    organization organisation org
    configuration config
    authentication auth
    message msg
    image picture
"""
_IDLE: Final = frozenset(_IDLE_WORDS.split())
_SAME: Final = {word: line.split()[0] for line in _SAME_WORDS.strip().splitlines() for word in line.split()}


def words(text: str) -> Iterator[str]:
    """The words of a text or a name, reduced to what their forms have in common; of scripts without spaces, pairs."""
    for part in _WORD.findall(text):
        if _UNSPACED.search(part):
            yield from (part[at : at + 2] for at in range(max(1, len(part) - 1)))
            continue
        for word in _HUMP.split(part):
            lower = word.lower()
            if lower not in _IDLE:
                stem = _stem(lower)
                yield _SAME.get(lower) or _SAME.get(stem) or stem


def _stem(word: str) -> str:
    """A word without the endings of English plurals and verbs."""
    if len(word) <= 3 or not word.isascii():
        return word
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word[: -len(ending)] + instead
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            if word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    return word.removesuffix("e") if len(word) > 4 else word


class Index:
    """Tools by their words; ``entries`` are tools as in a tools/list answer, ``groups`` the group of each by name."""

    def __init__(self, entries: Iterable[Mapping[str, Any]], groups: Mapping[str, str]) -> None:
        self._names: list[str] = []
        self._wanted: list[frozenset[str]] = []
        self._postings: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        counted: list[tuple[dict[str, Counter[str]], dict[str, int]]] = []
        totals: Counter[str] = Counter()
        for entry in entries:
            fields = {field: Counter(words(text)) for field, text in _fields(entry, groups).items()}
            lengths = {field: sum(counts.values()) for field, counts in fields.items()}
            totals.update(lengths)
            self._names.append(entry["name"])
            self._wanted.append(frozenset(fields["name"]))
            counted.append((fields, lengths))
        count = len(self._names) or 1
        for number, (fields, lengths) in enumerate(counted):
            weights: defaultdict[str, float] = defaultdict(float)
            for field, counts in fields.items():
                usual = totals[field] / count or 1.0
                norm = 1 - _LENGTH + _LENGTH * lengths[field] / usual
                for word, times in counts.items():
                    weights[word] += _WEIGHTS[field] * times / norm
            for word, weight in weights.items():
                self._postings[word].append((number, weight))

    def found(self, query: str, limit: int) -> list[str]:
        """The names of at most ``limit`` tools, the best first; of equal ones in the order of the contract."""
        scores: defaultdict[int, float] = defaultdict(float)
        for word, times in Counter(words(query)).items():
            postings = self._postings.get(word, [])
            rarity = math.log(1 + (len(self._names) - len(postings) + 0.5) / (len(postings) + 0.5))
            for number, weight in postings:
                scores[number] += times * rarity * weight * (_SATURATION + 1) / (weight + _SATURATION)
        asked = frozenset(words(query))
        for number in scores:
            # `delete_file` is meant by "delete a file" rather than `delete_vector_store_file`.
            name = self._wanted[number]
            scores[number] *= 1 + _COVERED * len(name & asked) / (len(name) or 1)
        best = sorted(scores, key=lambda number: (-round(scores[number], 9), number))
        return [self._names[number] for number in best[:limit]]


def _fields(entry: Mapping[str, Any], groups: Mapping[str, str]) -> dict[str, str]:
    """The texts of a tool that are searched, by field."""
    properties: Mapping[str, Any] = entry.get("inputSchema", {}).get("properties", {})
    arguments = [f"{name} {schema.get('description', '')}" for name, schema in properties.items()]
    return {
        "name": entry["name"],
        "title": entry.get("title", ""),
        "group": groups.get(entry["name"], ""),
        "text": entry.get("description", ""),
        "arguments": " ".join(arguments),
    }
