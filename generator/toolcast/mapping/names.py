"""Names: of tools, of groups, of arguments. A tool's name is an API for agents, so it never depends on order."""

from __future__ import annotations

import hashlib
import keyword
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from toolcast.mapping.shortening import FILLERS, shortened
from toolcast.model.limits import (
    ARGUMENT_NAME,
    PROPERTY_KEY,
    RESERVED_TOOL_NAMES,
    SERVER_AND_TOOL_NAME,
    TOOL_NAME,
    TOOL_NAME_AT_LEAST,
)
from toolcast.model.lock import Lock
from toolcast.model.openapi import Operation

NOTHING_CHOSEN: Final[Mapping[str, str]] = MappingProxyType({})

_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z0-9]+")
_PLURAL_ACRONYM = re.compile(r"([A-Z]{2,})s(?=[A-Z_]|$)")
_VERSION_SEGMENT = re.compile(r"v\d+(\.\d+)*|api", re.IGNORECASE)
_VERBS = {"GET": "get", "PUT": "replace", "POST": "post", "DELETE": "delete", "PATCH": "update"}
_LATIN = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ł": "l", "þ": "th", "ð": "d", "ı": "i", "ŋ": "ng"}
_CYRILLIC = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
        "a b v g d e e zh z i i k l m n o p r s t u f kh ts ch sh shch _ y _ e yu ya".split(),
        strict=True,
    )
)
_GREEK = dict(
    zip("αβγδεζηθικλμνξοπρσςτυφχψω", "a b g d e z e th i k l m n x o p r s s t y f ch ps o".split(), strict=True)
)
# Letters that Unicode does not decompose (NFKD), small and capital, as they are written in ASCII.
_LETTERS = str.maketrans(
    {
        form: ascii_form if form == letter else ascii_form.capitalize()
        for letter, ascii_form in (_LATIN | _CYRILLIC | _GREEK).items()
        for form in (letter, letter.upper())
        if len(form) == 1
    }
)
# Characters that tell arguments of one operation apart, spelled out where two would become equal.
_SPELLED = {
    "<": "_lt", ">": "_gt", "=": "_eq", "!": "_not", "$": "dollar_", "@": "at_", "#": "hash_", "%": "percent_",
    "&": "_and_", "*": "star_", "+": "_plus_", "~": "_like", "^": "_caret_", "|": "_or_",
}  # fmt: skip


def ascii_text(text: str) -> str:
    """The text in ASCII: accents dropped, letters transliterated, others as the hexadecimal of their code points."""
    if text.isascii():
        return text
    folded = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    letters = (c for c in folded if not unicodedata.combining(c))
    return "".join(c if c.isascii() else f"_u{ord(c):x}_" if c.isalnum() else " " for c in letters)


def words(text: str) -> list[str]:
    """The words of a name in any style, in lower case: ``getHTTPResponses-v2`` → get, http, responses, v2."""
    return list(_words(text))


@lru_cache(maxsize=16_384)
def _words(text: str) -> tuple[str, ...]:
    text = _PLURAL_ACRONYM.sub(lambda m: m[1].capitalize() + "s", ascii_text(text))
    return tuple(word.lower() for word in _BOUNDARY.split(text) if word)


def digest(text: str, length: int = 4) -> str:
    """A short hexadecimal digest that tells names apart without depending on order."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]


def slug(title: str, taken: Collection[str] = ()) -> str:
    """A base name for a package: ASCII, starts with a letter, at most 40 characters; not in ``taken``."""
    name = "-".join(words(title)) or "api"
    if not name[0].isalpha():
        name = f"api-{name}"
    name = name[:40].rstrip("-")
    if keyword.iskeyword(name) or name.replace("-", "_") in taken:
        name = f"{name[:36]}-api"
    return name


def _of_path(operation: Operation) -> list[str]:
    """A name's words from method and path: ``GET /v1/pets/{id}/toys`` → get, pets, toys, by, id."""
    plain: list[str] = []
    placeholders: list[str] = []
    segments = [segment for segment in operation.path.split("/") if segment]
    for segment in segments:
        if not plain and _VERSION_SEGMENT.fullmatch(segment) and len(segments) > 1:
            continue
        for name in re.findall(r"\{([^{}]*)\}", segment):
            placeholders += words(name)
        plain += words(re.sub(r"\{[^{}]*\}", " ", segment))
    tail = ["by", *placeholders] if placeholders and operation.path.rstrip("/").endswith("}") else []
    return [_verb(operation.method), *(plain or ["root"]), *tail]


def _candidate(operation: Operation) -> list[str]:
    parts = words(operation.id) if operation.id else []
    parts = parts or _of_path(operation)
    if not parts[0][0].isalpha():
        parts = [_verb(operation.method), *parts]
    return parts


def _verb(method: str) -> str:
    """What a method is called in a name; any token may be a method (OpenAPI 3.2 section 4.9)."""
    parts = words(method)
    return _VERBS.get(method, parts[0] if parts and parts[0][0].isalpha() else "call")


def tool_name_limit(server: str) -> int:
    """The longest tool name that every client takes from a server of this name."""
    return max(TOOL_NAME_AT_LEAST, min(TOOL_NAME, SERVER_AND_TOOL_NAME - len(server)))


def _fitted(parts: Sequence[str], limit: int, key: str) -> str:
    """The words as one name of at most ``limit`` characters; a shortened one ends in a digest of the key."""
    name = "_".join(parts)
    if len(name) <= limit:
        return name
    kept = [part for i, part in enumerate(parts) if i == 0 or part not in FILLERS]
    name = "_".join(kept)
    if len(name) <= limit:
        return name
    return f"{shortened(kept, limit - 5)}_{digest(key)}"


def tool_names(
    operations: Sequence[Operation], server: str, lock: Lock, chosen: Mapping[str, str] = NOTHING_CHOSEN
) -> dict[str, str]:
    """A name for each operation's key: the one that was chosen, the locked one, else one that no order makes.

    ``chosen`` holds names by key. Names are unique without case, and none that the lock knows is given to another
    operation. When several operations would take one name, all of them get a digest of their key.
    """
    limit = tool_name_limit(server)
    keys = {operation.key for operation in operations}
    given = {key: name for key, name in {**lock.names, **chosen}.items() if key in keys}
    taken = {*lock.names.values(), *lock.retired, *lock.aliases, *given.values()} | RESERVED_TOOL_NAMES
    wanted: dict[str, list[Operation]] = defaultdict(list)
    for operation in operations:
        if operation.key not in given:
            wanted[_fitted(_candidate(operation), limit, operation.key)].append(operation)
    clashing: list[Operation] = []
    for name, owners in sorted(wanted.items()):
        # An id that is written like the name itself keeps it; others that only come out alike give way.
        exact = [o for o in owners if o.id == name] if len(owners) > 1 else owners
        if len(exact) == 1 and name not in taken:
            given[exact[0].key] = name
            owners = [o for o in owners if o is not exact[0]]
        clashing += owners
    taken |= set(given.values())
    for operation in sorted(clashing, key=lambda o: o.key):
        name = _suffixed("_".join(_candidate(operation)), limit, operation.key, taken)
        given[operation.key] = name
        taken.add(name)
    return given


def _suffixed(name: str, limit: int, key: str, taken: Collection[str]) -> str:
    """The name with as many digits of the key's digest as it takes to differ from all others."""
    for length in range(4, 33, 2):
        candidate = f"{name[: limit - length - 1].rstrip('_')}_{digest(key, length)}"
        if candidate not in taken:
            return candidate
    raise AssertionError(f"no free name for {key}")  # 2^128 names are taken


def group_names(labels: Collection[str], locked: Mapping[str, str]) -> dict[str, str]:
    """A module name for each group's label: ASCII, importable, harmless as a file name, independent of order."""
    given = {label: locked[label] for label in labels if label in locked}
    wanted: dict[str, list[str]] = defaultdict(list)
    for label in sorted(set(labels) - set(given)):
        wanted[_module(label)].append(label)
    taken = set(given.values())
    for name, owners in sorted(wanted.items()):
        exact = [label for label in owners if label == name] if len(owners) > 1 else owners
        if len(exact) == 1 and name not in taken:
            given[exact[0]] = name
            owners = [label for label in owners if label != exact[0]]
        for label in owners:
            given[label] = _suffixed(name, 40, label, taken | set(given.values()))
    return given


# Names that Windows keeps for devices, whatever the extension, and the modules beside the groups.
_RESERVED_MODULES = frozenset(
    ["con", "prn", "aux", "nul", *(f"com{i}" for i in range(10)), *(f"lpt{i}" for i in range(10)), "types", "test"]
)


def _module(label: str) -> str:
    name = "_".join(words(label))[:40].rstrip("_") or "operations"
    if not name[0].isalpha():
        name = f"group_{name}"
    return (
        f"{name}_group" if name in _RESERVED_MODULES or keyword.iskeyword(name) or keyword.issoftkeyword(name) else name
    )


# The key of a body that is one argument, in the lock: a body's field is "body" and its name.
WHOLE_BODY: Final = "body "
_PLACES: Final = ("path", "query", "querystring", "header", "cookie", "body")


def _plain(name: str) -> str:
    """A parameter's name as an argument's: kept when clients take it, else with underscores (``filter[status]``)."""
    if PROPERTY_KEY.fullmatch(name):
        return name
    plain = re.sub(r"_*[^A-Za-z0-9_.-]+_*", "_", ascii_text(name)).strip("_.")
    return plain[:ARGUMENT_NAME] or "value"


def _spelled(name: str) -> str:
    return _plain("".join(_SPELLED.get(c, c) for c in name))


def argument_names(wanted: Sequence[tuple[str, str]], locked: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """An argument for each (place, name), where ("body", "") is the body as a whole.

    A name that clients take as it is stays; where two places have it, the first of path, query, header, cookie and
    body has it, and the others take their place as a suffix (``id_query``). Names of one place that would become
    equal are spelled out, all but the one that needed no change; then they take a digest. No order matters.
    """
    given: dict[tuple[str, str], str] = {}
    taken: set[str] = set()
    for place, name in sorted(wanted):
        argument = locked.get(f"{place} {name}")
        if argument is not None and argument not in taken:
            given[place, name] = argument
            taken.add(argument)
    free = sorted((wish for wish in wanted if wish not in given), key=lambda wish: (_PLACES.index(wish[0]), wish[1]))
    for place, name in free:
        if name == _plain(name) and name not in taken:
            given[place, name] = name
            taken.add(name)
    for place, name in free:
        if (place, name) not in given:
            rivals = [n for where, n in free if where == place and _plain(n).lower() == _plain(name).lower()]
            given[place, name] = argument = next(n for n in _choices(place, name, len(rivals) > 1) if n not in taken)
            taken.add(argument)
    return given


def _choices(place: str, name: str, spelled: bool) -> Iterator[str]:
    """The names that an argument may have, the best first."""
    if (place, name) == ("body", ""):
        yield from ("body", "request_body")
    plain = _spelled(name) if spelled and name != _plain(name) else _plain(name)
    yield plain
    yield f"{plain[: ARGUMENT_NAME - len(place) - 1]}_{place}"
    for length in range(4, 33, 2):
        yield f"{plain[: ARGUMENT_NAME - length - 1]}_{digest(f'{place} {name}', length)}"
