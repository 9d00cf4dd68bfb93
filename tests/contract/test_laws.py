"""The laws of comparison, over a small family of schemas: what breaks agents is called breaking, nothing else is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import Any

import jsonschema_rs
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from toolcast.contract import Contract, compare

Schema = dict[str, Any]

_SCALARS: list[Any] = [
    None, False, True, -6, -1, 0, 1, 2, 3, 4, 5, 6, 9, -0.5, 0.5, 1.5, 2.5, 3.5,
    "", "a", "b", "c", "ab", "ba", "ac", "cb", "aab", "acb", "abc", "aaab", "bbbb",
]  # fmt: skip
_FEW = st.lists(st.sampled_from(_SCALARS), min_size=1, max_size=3)
_SMALL = st.integers(0, 3)


def _some(**keywords: st.SearchStrategy[Any]) -> st.SearchStrategy[Schema]:
    return st.fixed_dictionaries({}, optional=keywords)


def _typed(kind: str, **keywords: st.SearchStrategy[Any]) -> st.SearchStrategy[Schema]:
    return _some(**keywords).map(lambda found: {"type": kind, **found})


_TYPES = st.sampled_from(["null", "boolean", "integer", "number", "string"])
_PLAIN = st.one_of(
    st.just({}),
    _TYPES.map(lambda kind: {"type": kind}),
    st.lists(_TYPES, min_size=1, max_size=2, unique=True).map(lambda kinds: {"type": kinds}),
    _FEW.map(lambda values: {"enum": values}),
    _typed("integer", minimum=_SMALL, maximum=_SMALL, exclusiveMinimum=_SMALL, multipleOf=st.sampled_from([2, 3])),
    _typed("number", minimum=_SMALL, exclusiveMaximum=_SMALL, maximum=_SMALL),
    _typed("string", minLength=_SMALL, maxLength=_SMALL, pattern=st.sampled_from(["^a", "b$"])),
)


@st.composite
def _objects(draw: st.DrawFn, inner: st.SearchStrategy[Schema]) -> Schema:
    properties = draw(st.dictionaries(st.sampled_from("xy"), inner, max_size=2))
    made: Schema = {"type": "object"}
    if properties or draw(st.booleans()):
        made["properties"] = properties
    required = draw(st.lists(st.sampled_from("xy"), unique=True, max_size=1))
    further = draw(st.sampled_from([None, False, True, {"type": "string"}]))
    return {
        **made,
        **({"required": required} if required else {}),
        **({} if further is None else {"additionalProperties": further}),
    }


def _deeper(inner: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    return st.one_of(
        _typed("array", items=inner, minItems=_SMALL, maxItems=st.integers(0, 2)),
        _typed("array", items=inner, minItems=st.integers(0, 1), uniqueItems=st.booleans()),
        _objects(inner),
        st.lists(inner, min_size=1, max_size=2).map(lambda branches: {"anyOf": branches}),
    )


_SCHEMAS = st.one_of(_PLAIN, _deeper(_PLAIN), _deeper(st.one_of(_PLAIN, _deeper(_PLAIN))))


@st.composite
def _pairs(draw: st.DrawFn) -> tuple[Schema, Schema]:
    """Two schemas, often alike."""
    one = draw(_SCHEMAS)
    return one, draw(st.one_of(st.just(one).map(lambda schema: {"anyOf": [schema, {"type": "null"}]}), _SCHEMAS))


def _tool(schema: Schema, *, required: bool = False) -> Schema:
    root = {"type": "object", "properties": {"a": schema}, "additionalProperties": False}
    return {"name": "t", "inputSchema": {**root, "required": ["a"]} if required else root}


def _verdict(old: Schema, new: Schema) -> str:
    return compare(Contract(tools=(_tool(old),)), Contract(tools=(_tool(new),))).verdict


def _told(schema: Schema | bool) -> Any:
    """The schema of what another tells of: an object that has fields, and says nothing of others, has no others."""
    if not isinstance(schema, dict):
        return schema
    told: dict[str, Any] = {**schema}
    for key in ("items", "additionalProperties"):
        if key in told:
            told[key] = _told(told[key])
    if "anyOf" in told:
        told["anyOf"] = [_told(branch) for branch in told["anyOf"]]
    if told.get("properties"):
        told["properties"] = {name: _told(part) for name, part in told["properties"].items()}
        if "additionalProperties" not in told:
            told["properties"] |= {name: {} for name in told.get("required", ()) if name not in told["properties"]}
            told["additionalProperties"] = False
    return told


def _values(whole: Schema | bool) -> Iterator[Any]:
    """Values that may tell a schema from another; some of them it may not even accept."""
    yield from _COMMON
    schema = whole if isinstance(whole, dict) else {}
    for branch in schema.get("anyOf", ()):
        yield from _values(branch)
    if schema.get("type") == "array":
        items = [*islice(_accepted(schema.get("items", {})), 14)]
        yield from ([one] for one in items)
        yield from ([*two] for two in product(items, repeat=2))
        yield from ([*three] for three in product(items[:4], repeat=3))
    if schema.get("type") == "object":
        choices: list[list[Any]] = []
        for name in "xyz":
            part = schema.get("properties", {}).get(name, schema.get("additionalProperties", {}))
            choices.append([_ABSENT, *islice(_accepted(part), 24)])
        for values in product(*choices):
            yield {name: value for name, value in zip("xyz", values, strict=True) if value is not _ABSENT}


_ABSENT = object()
_INNER = [*_SCALARS, [], {}, ["c"], [1], ["c", 1], [1, 2, 3], {"x": 1}, {"y": "a"}, {"x": 1, "z": 1}]
_COMMON = [
    *_INNER,
    *([value] for value in _INNER),
    *([value, value] for value in _INNER),
    *({name: value} for name in "xyz" for value in _INNER),
    *({"x": one, "y": other} for one in ("a", 1, None) for other in ("a", 1, None)),
    *({"x": one, "z": other} for one in ("a", 1) for other in ("a", 1)),
    [0, 1, 2],
]


def _accepted(schema: Schema | bool) -> Iterator[Any]:
    told = jsonschema_rs.Draft202012Validator(_told(schema))
    return (value for value in _values(schema) if told.is_valid(value))


def _refused(old: Schema, new: Schema) -> list[Any]:
    """Some values that the old schema tells of and the new one refuses."""
    validator = jsonschema_rs.Draft202012Validator(new)
    found = (value for value in [*_values(old), *_values(new)] if not validator.is_valid(value))
    told = jsonschema_rs.Draft202012Validator(_told(old))
    return [*islice((value for value in found if told.is_valid(value)), 3)]


@settings(max_examples=150)
@given(_pairs())
def test_what_refuses_something_that_was_accepted_is_breaking(pair: tuple[Schema, Schema]) -> None:
    assume(_refused(*pair))
    assert _verdict(*pair) == "breaking"


# The same examples each time: of a rare kind of values there may be none among those that are tried.
@settings(max_examples=250, derandomize=True)
@given(_pairs())
def test_what_is_breaking_refuses_something_that_was_accepted(pair: tuple[Schema, Schema]) -> None:
    assume(_verdict(*pair) == "breaking")
    assert _refused(*pair)


@settings(max_examples=100)
@given(_SCHEMAS)
def test_a_schema_is_no_change_of_itself(schema: Schema) -> None:
    assert not compare(Contract(tools=(_tool(schema),)), Contract(tools=(_tool({**schema}),))).changes


@settings(max_examples=100)
@given(_SCHEMAS, _SCHEMAS)
def test_a_wider_schema_is_compatible(one: Schema, other: Schema) -> None:
    assert _verdict(one, {"anyOf": [one, other]}) != "breaking"


@settings(max_examples=50)
@given(_SCHEMAS, st.booleans(), st.booleans())
def test_requiring_an_argument_breaks(schema: Schema, before: bool, after: bool) -> None:
    assume(any(True for _ in _accepted(schema)))
    old, new = _tool(schema, required=before), _tool(schema, required=after)
    verdict = compare(Contract(tools=(old,)), Contract(tools=(new,))).verdict
    assert verdict == ("none" if before == after else "breaking" if after else "compatible")
