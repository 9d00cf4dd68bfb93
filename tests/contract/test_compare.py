"""Comparing two contracts: every kind of change, with its verdict."""

from __future__ import annotations

from typing import Any

import pytest

from toolcast.contract import Change, Comparison, Contract, compare, read
from toolcast.model.lock import Lock

Schema = dict[str, Any]
READ = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": True}
WRITE = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True}
STRING: Schema = {"type": "string"}
NULL: Schema = {"type": "null"}


def tool(
    name: str = "t",
    *,
    arguments: Schema | None = None,
    required: list[str] | None = None,
    parts: Schema | None = None,
    **more: Any,
) -> Schema:
    """A tool with these arguments and parts."""
    schema = {"type": "object", "properties": arguments or {}, "additionalProperties": False}
    return {
        "name": name,
        "inputSchema": schema | ({"required": required} if required else {}),
        "annotations": READ,
        **(parts or {}),
        **more,
    }


def contract(*tools: Schema, **more: Any) -> Contract:
    """A contract of tools."""
    return Contract(tools=tools, **more)


def seen(found: Comparison) -> list[tuple[str, str, str]]:
    """The verdict, the kind and the place of each change."""
    return [(change.verdict, change.kind, change.where) for change in found.changes]


def only(found: Comparison) -> Change:
    """The one change that there is."""
    assert len(found.changes) == 1, found.changes
    assert found.changes[0].reason.endswith(".")
    return found.changes[0]


def arguments(old: Schema, new: Schema, *, before: list[str] | None = None, after: list[str] | None = None) -> Any:
    """What is seen when the arguments of a tool change."""
    return seen(compare(contract(tool(arguments=old, required=before)), contract(tool(arguments=new, required=after))))


def result(old: Schema | None, new: Schema | None) -> Any:
    """What is seen when the output schema of a tool changes."""
    tools = [tool(parts={"outputSchema": schema} if schema is not None else {}) for schema in (old, new)]
    return seen(compare(contract(tools[0]), contract(tools[1])))


# --- tools


def test_nothing_has_changed() -> None:
    found = compare(contract(tool(), origins=("https://a",)), contract(tool(), origins=("https://a",)))
    assert (found.changes, found.verdict, found.advice) == ((), "none", "none")


def test_tools_come_and_go() -> None:
    found = compare(contract(tool("a")), contract(tool("b", title="B")))
    assert seen(found) == [("breaking", "tool-removed", ""), ("compatible", "tool-added", "")]
    assert [change.tool for change in found.changes] == ["a", "b"]
    assert (found.verdict, found.advice) == ("breaking", "major")


@pytest.mark.parametrize(
    ("hints", "aliases", "verdict"),
    [
        (READ, {"list_pets": "pets"}, "compatible"),
        (WRITE, {"list_pets": "pets"}, "risk"),
        (READ, {}, "breaking"),
        (READ, None, "breaking"),
    ],
)
@pytest.mark.parametrize("keys", [True, False])
def test_a_rename(hints: Schema, aliases: dict[str, str] | None, verdict: str, keys: bool) -> None:
    known = ({"list_pets": "GET /pets"}, {"pets": "GET /pets"}) if keys else (None, None)
    old = contract(tool("list_pets", annotations=hints, title="List pets"), keys=known[0])
    new = contract(tool("pets", annotations=hints, title="List pets"), keys=known[1], aliases=aliases)
    change = only(compare(old, new))
    assert (change.kind, change.verdict, change.tool) == ("tool-renamed", verdict, "pets")
    assert (change.before, change.after) == ("list_pets", "pets")


def test_a_renamed_tool_is_compared_with_what_it_was() -> None:
    old = contract(tool("list_pets", arguments={"limit": STRING}))
    new = contract(tool("pets"), aliases={"list_pets": "pets"})
    assert seen(compare(old, new)) == [
        ("compatible", "tool-renamed", ""),
        ("breaking", "argument-removed", "arguments.limit"),
    ]


def test_what_looks_like_two_others_is_neither() -> None:
    old = contract(tool("get_pet", title="T"))
    new = contract(tool("one", title="T"), tool("other", title="T"))
    assert sorted(kind for _, kind, _ in seen(compare(old, new))) == ["tool-added", "tool-added", "tool-removed"]
    assert {kind for _, kind, _ in seen(compare(contract(tool("ping")), contract(tool("logout"))))} == {
        "tool-added",
        "tool-removed",
    }


def test_a_request_that_goes_elsewhere() -> None:
    change = only(compare(contract(tool(), keys={"t": "GET /a"}), contract(tool(), keys={"t": "GET /v2/a"})))
    assert (change.verdict, change.kind, change.before, change.after) == (
        "compatible", "operation", "GET /a", "GET /v2/a",
    )  # fmt: skip


@pytest.mark.parametrize("key", ["title", "description", "icons", "_meta"])
def test_words_are_cosmetic(key: str) -> None:
    found = compare(contract(tool(parts={key: ["a"]})), contract(tool(parts={key: ["b"]})))
    assert seen(found) == [("cosmetic", "text", key)]
    assert (found.verdict, found.advice) == ("cosmetic", "patch")


def test_words_of_arguments_and_results_are_cosmetic_once_each() -> None:
    def described(text: str) -> Schema:
        return {"type": "object", "description": text, "properties": {"a": {"type": "string", "description": text}}}

    assert arguments({"x": described("one")}, {"x": described("two")}) == [("cosmetic", "text", "arguments.x")]
    assert result(described("one"), described("two")) == [("cosmetic", "text", "result")]
    # A field that is called like a keyword is a field.
    titled: Schema = {"type": "object", "properties": {"title": STRING, "default": STRING}}
    assert arguments({"x": titled}, {"x": {**titled, "properties": {"title": STRING, "default": {}}}}) == [
        ("compatible", "type", "arguments.x.default")
    ]


# --- hints


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (READ, {**WRITE, "destructiveHint": False, "idempotentHint": True}, [("risk", "annotations.readOnlyHint")]),
        (WRITE, {**WRITE, "idempotentHint": True}, [("compatible", "annotations.idempotentHint")]),
        ({**WRITE, "destructiveHint": False}, WRITE, [("risk", "annotations.destructiveHint")]),
        ({**READ, "openWorldHint": False}, READ, [("risk", "annotations.openWorldHint")]),
        # MCP: without a word a tool may write and destroy, is not idempotent, and reaches out.
        (WRITE, {}, []),
        # Of a tool that only reads, two hints say nothing.
        (READ, {"readOnlyHint": True, "destructiveHint": True}, []),
    ],
)
def test_hints(old: Schema, new: Schema, expected: list[tuple[str, str]]) -> None:
    found = compare(contract(tool(annotations=old)), contract(tool(annotations=new)))
    assert seen(found) == [(verdict, "hint", where) for verdict, where in expected]


def test_a_tool_that_begins_to_write_is_a_risk() -> None:
    found = compare(contract(tool(annotations=READ)), contract(tool(annotations=WRITE)))
    assert found.verdict == "risk" and len(found.changes) == 3
    back = compare(contract(tool(annotations=WRITE)), contract(tool(annotations=READ)))
    assert back.verdict == "compatible"


# --- arguments


def test_arguments_come_and_go() -> None:
    x: Schema = {"x": STRING}
    assert arguments(x, {}) == [("breaking", "argument-removed", "arguments.x")]
    assert arguments({}, x) == [("compatible", "argument-added", "arguments.x")]
    assert arguments({}, x, after=["x"]) == [("breaking", "argument-added", "arguments.x")]
    assert arguments(x, x, after=["x"]) == [("breaking", "argument-required", "arguments.x")]
    assert arguments(x, x, before=["x"]) == [("compatible", "argument-optional", "arguments.x")]


def test_an_argument_that_is_gone_breaks_even_where_anything_is_accepted() -> None:
    old, new = tool(arguments={"x": STRING}), tool()
    del old["inputSchema"]["additionalProperties"], new["inputSchema"]["additionalProperties"]
    assert seen(compare(contract(old), contract(new))) == [("breaking", "argument-removed", "arguments.x")]


@pytest.mark.parametrize(
    ("narrow", "wide", "kind"),
    [
        ({"type": "integer"}, {"type": "number"}, "type"),
        ({"type": "string"}, {"type": ["string", "null"]}, "type"),
        ({"type": "string"}, {}, "type"),
        ({"type": "string", "enum": ["a"]}, {"type": "string", "enum": ["a", "b"]}, "values"),
        ({"type": "string", "enum": ["a"]}, {"type": "string"}, "values"),
        ({"type": "string", "format": "date"}, {"type": "string"}, "format"),
        ({"type": "string", "format": "uri"}, {"type": "string", "format": "uri-reference"}, "format"),
        ({"type": "integer", "format": "int32"}, {"type": "integer", "format": "int64"}, "format"),
        ({"type": "string", "pattern": "^a"}, {"type": "string"}, "pattern"),
        ({"type": "integer", "minimum": 1}, {"type": "integer", "minimum": 0}, "bound"),
        ({"type": "integer", "maximum": 1}, {"type": "integer"}, "bound"),
        ({"type": "integer", "multipleOf": 4}, {"type": "integer", "multipleOf": 2}, "bound"),
        ({"type": "string", "maxLength": 5}, {"type": "string", "maxLength": 6}, "bound"),
        ({"type": "array", "items": {}, "uniqueItems": True}, {"type": "array", "items": {}}, "bound"),
        ({"type": "object", "additionalProperties": False}, {"type": "object"}, "more-fields"),
        ({"anyOf": [STRING, {"type": "array"}]}, {"anyOf": [STRING, {"type": "array"}, NULL]}, "branch-added"),
        ({"type": "object", "not": {"required": ["a"]}}, {"type": "object"}, "schema"),
    ],
)  # fmt: skip
def test_types_narrow_and_widen(narrow: Schema, wide: Schema, kind: str) -> None:
    back = "branch-removed" if kind == "branch-added" else kind
    assert arguments({"x": narrow}, {"x": wide}) == [("compatible", kind, "arguments.x")]
    assert arguments({"x": wide}, {"x": narrow}) == [("breaking", back, "arguments.x")]
    # What an answer may be is the other way round.
    root = {"type": "object", "additionalProperties": False}
    old, new = ({**root, "properties": {"x": schema}} for schema in (narrow, wide))
    assert result(old, new) == [("breaking", kind, "result.x")]
    assert result(new, old) == [("compatible", back, "result.x")]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}),
        ({"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^b"}),
        ({"type": "string"}, {"type": "integer"}),
        ({"type": "string", "enum": ["a", "b"]}, {"type": "string", "enum": ["b", "c"]}),
        ({"type": "boolean", "enum": [True]}, {"type": "integer", "enum": [1]}),
    ],
)
def test_what_is_neither_narrower_nor_wider_breaks(one: Schema, other: Schema) -> None:
    assert {verdict for verdict, _, _ in arguments({"x": one}, {"x": other})} >= {"breaking"}
    assert {verdict for verdict, _, _ in arguments({"x": other}, {"x": one})} >= {"breaking"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"const": "a"}, {"enum": ["a"]}),
        ({"type": "integer", "minimum": 1}, {"type": "integer", "exclusiveMinimum": 0}),
        ({"type": ["string", "null"]}, {"anyOf": [{"type": "null"}, {"type": "string"}]}),
        ({"type": "integer", "format": "int64"}, {"type": "integer"}),
        ({"oneOf": [{"type": "null"}, {"type": "string"}]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ({"allOf": [{"type": "string"}, {"maxLength": 3}]}, {"type": "string", "maxLength": 3}),
        ({"type": "integer", "minimum": 0, "maximum": 9},
         {"anyOf": [{"type": "integer", "minimum": 0, "maximum": 4}, {"type": "integer", "minimum": 5, "maximum": 9}]}),
        ({"type": "object", "required": ["k"], "properties": {"k": {"enum": ["a", "b"]}}},
         {"anyOf": [{"type": "object", "required": ["k"], "properties": {"k": {"enum": ["a"]}}},
                    {"type": "object", "required": ["k"], "properties": {"k": {"enum": ["b"]}}}]}),
    ],
)  # fmt: skip
def test_another_spelling_is_cosmetic_at_most(one: Schema, other: Schema) -> None:
    for old, new in ((one, other), (other, one)):
        assert {verdict for verdict, _, _ in arguments({"x": old}, {"x": new})} <= {"cosmetic"}


def test_what_is_inside_is_told_at_its_place() -> None:
    def nested(inner: Schema) -> Schema:
        item: Schema = {"type": "object", "properties": {"k": inner}}
        return {"x": {"type": "object", "properties": {"list": {"type": "array", "items": item}}}}

    assert arguments(nested({"type": "integer"}), nested(STRING)) == [("breaking", "type", "arguments.x.list[].k")]
    labels: Schema = {"type": "object", "additionalProperties": {"type": "string"}}
    wider: Schema = {"type": "object", "additionalProperties": {"type": ["string", "null"]}}
    assert arguments({"x": labels}, {"x": wider}) == [("compatible", "type", "arguments.x.*")]
    pair: Schema = {"type": "array", "prefixItems": [STRING, STRING], "items": {}}
    other: Schema = {"type": "array", "prefixItems": [STRING, {"type": "integer"}], "items": {}}
    assert arguments({"x": pair}, {"x": other}) == [("breaking", "type", "arguments.x[1]")]


def test_fields_of_an_argument() -> None:
    def fields(*names: str, **more: Any) -> Schema:
        return {"x": {"type": "object", "properties": dict.fromkeys(names, STRING), **more}}

    assert arguments(fields("a"), fields("a", "b")) == [("compatible", "field-added", "arguments.x.b")]
    assert arguments(fields("a"), fields("a", "b", required=["b"])) == [("breaking", "field-added", "arguments.x.b")]
    assert arguments(fields("a", "b"), fields("a")) == [("compatible", "field-removed", "arguments.x.b")]
    closed = {"additionalProperties": False}
    assert arguments(fields("a", "b", **closed), fields("a", **closed)) == [
        ("breaking", "field-removed", "arguments.x.b")
    ]
    assert arguments(fields("a"), fields("a", required=["a"])) == [("breaking", "field-required", "arguments.x.a")]
    assert arguments(fields("a", required=["a"]), fields("a")) == [("compatible", "field-optional", "arguments.x.a")]
    assert arguments(fields("a"), {"x": {"type": "object"}}) == [("compatible", "fields-untold", "arguments.x")]
    assert arguments({"x": {"type": "object"}}, fields("a")) == [("breaking", "fields-told", "arguments.x")]


def test_branches_are_known_by_their_tags() -> None:
    def pets(**kinds: Schema) -> Schema:
        branches = [
            {"type": "object", "required": ["kind"], "properties": {"kind": {"enum": [kind]}, "size": size}}
            for kind, size in kinds.items()
        ]
        return {"pet": {"anyOf": branches}}

    whole: Schema = {"type": "integer"}
    assert arguments(pets(cat=whole, dog=whole), pets(dog={"type": "number"}, cat=whole)) == [
        ("compatible", "type", "arguments.pet.size")
    ]
    assert arguments(pets(cat=whole, dog=whole), pets(cat=whole)) == [("breaking", "branch-removed", "arguments.pet")]


def test_references_are_followed_in_their_own_document() -> None:
    def root(definition: Schema, **more: Any) -> Schema:
        node: Schema = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}, "value": definition}}
        made = tool(arguments={"x": {"$ref": "#/$defs/Node"}}, **more)
        made["inputSchema"]["$defs"] = {"Node": node}
        return made

    assert seen(compare(contract(root(STRING)), contract(root(STRING)))) == []
    assert seen(compare(contract(root(STRING)), contract(root({"type": "integer"})))) == [
        ("breaking", "type", "arguments.x.value")
    ]
    inlined = tool(arguments={"x": {"type": "object", "properties": {"next": {"type": "object"}, "value": STRING}}})
    assert compare(contract(root(STRING)), contract(inlined)).verdict == "compatible"


def test_defaults() -> None:
    change = [("compatible", "default", "arguments.x")]
    assert arguments({"x": {**STRING, "default": "a"}}, {"x": {**STRING, "default": "b"}}) == change
    assert arguments({"x": {"default": True}}, {"x": {"default": 1}}) == change


def test_arguments_that_have_moved_into_another() -> None:
    def more(*names: str) -> Schema:
        return {"more": {"type": "object", "description": "\n".join(["Further arguments, by name:", *names])}}

    x: Schema = {"x": STRING}
    assert arguments(x, more("x (integer): Some text", "y: Another")) == [
        ("breaking", "argument-moved", "arguments.x"),
        ("compatible", "argument-added", "arguments.more"),
    ]
    assert arguments({**more("x", "y")}, {**x, **more("y")})[0] == ("compatible", "argument-moved", "arguments.x")
    assert ("breaking", "argument-removed", "arguments.more.y") in arguments(more("x", "y"), more("x"))
    assert ("compatible", "argument-added", "arguments.more.y") in arguments(more("x"), more("x", "y"))
    listed: Schema = {"more": {"type": "object", "description": "Further arguments, by name: x, y"}}
    assert ("breaking", "argument-removed", "arguments.more.y") in arguments(listed, more("x"))


ODD: list[Any] = [
    None, 3, [], "x", {"type": 3}, {"properties": []}, {"required": "x"}, {"anyOf": {}}, {"enum": 1}, {"enum": {}},
    {"$ref": "#/nowhere"}, {"$ref": 1}, {"pattern": "("}, {"minimum": "1"}, {"items": [{}]}, {"maxLength": 2**70},
    {"enum": ["\ud800"]}, {"const": 10**400}, {"$ref": "#"}, {"anyOf": [{"$ref": "#"}]}, {"multipleOf": 0},
]  # fmt: skip


@pytest.mark.parametrize("odd", ODD)
def test_schemas_that_are_none_do_no_harm(odd: Any) -> None:
    plain = contract(tool(arguments={"x": STRING}))
    for other in (
        contract({"name": "t", "inputSchema": odd}),
        contract(tool(arguments={"x": odd})),
        contract(tool(parts={"outputSchema": odd})),
        contract({"name": "t", "annotations": odd}),
    ):
        assert isinstance(compare(plain, other), Comparison)
        assert isinstance(compare(other, plain), Comparison)
        assert not compare(other, other).changes


def test_deep_schemas_are_compared() -> None:
    def deep(inner: Schema, levels: int) -> Schema:
        for level in range(levels):
            inner = {"type": "object", "properties": {"x": inner}} if level % 2 else {"type": "array", "items": inner}
        return {"x": inner}

    assert arguments(deep(STRING, 20), deep({"type": ["string", "null"]}, 20))[0][0] == "compatible"
    for levels in (60, 150):
        assert arguments(deep(STRING, levels), deep(STRING, levels)) == []
        assert arguments(deep(STRING, levels), deep({"type": "integer"}, levels))[0][0] == "breaking"


# --- results


def test_results_come_and_go() -> None:
    one: Schema = {"type": "object"}
    assert result(None, one) == [("compatible", "result-added", "result")]
    assert result(one, None) == [("breaking", "result-removed", "result")]


def test_fields_of_a_result() -> None:
    def fields(*names: str, **more: Any) -> Schema:
        return {"type": "object", "properties": dict.fromkeys(names, STRING), **more}

    assert result(fields("a"), fields("a", "b")) == [("compatible", "field-added", "result.b")]
    assert result(fields("a", "b"), fields("a")) == [("breaking", "field-removed", "result.b")]
    assert result(fields("a", required=["a"]), fields("a")) == [("breaking", "field-optional", "result.a")]
    assert result(fields("a"), fields("a", required=["a"])) == [("compatible", "field-required", "result.a")]
    wrapped: Schema = {"type": "object", "properties": {"x": fields("a")}}
    told: Schema = {"type": "object", "properties": {"x": {"type": "object"}}}
    assert result(wrapped, told) == [("compatible", "fields-untold", "result.x")]
    assert result(told, wrapped) == [("compatible", "fields-told", "result.x")]


# --- the server


def test_where_requests_go() -> None:
    found = compare(contract(origins=("https://a", "https://b")), contract(origins=("https://b", "https://c")))
    assert [(c.verdict, c.kind, c.before or c.after) for c in found.changes] == [
        ("risk", "origin-added", "https://c"),
        ("compatible", "origin-removed", "https://a"),
    ]
    assert (found.verdict, found.advice) == ("risk", "major")
    assert not compare(contract(), contract(origins=("https://a",))).changes  # not known before


def oauth(url: str, *scopes: str) -> dict[str, Any]:
    """An OAuth scheme as the lock has it."""
    flows = {"clientCredentials": {"tokenUrl": url}}
    return {"oauth": {"type": "oauth2", "flows": flows, "scopes": [*scopes]}}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({}, oauth("https://id"), [("risk", "scheme-added", "credentials.oauth")]),
        (oauth("https://id"), {}, [("compatible", "scheme-removed", "credentials.oauth")]),
        (
            oauth("https://id"),
            oauth("https://other"),
            [("risk", "token-url", "credentials.oauth.flows.clientCredentials.tokenUrl")],
        ),
        (
            oauth("https://id", "read"),
            oauth("https://id", "write"),
            [
                ("risk", "scope-added", "credentials.oauth.scopes"),
                ("compatible", "scope-removed", "credentials.oauth.scopes"),
            ],
        ),
        (
            {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
            {"key": {"type": "apiKey", "in": "query", "name": "X-Key"}},
            [("risk", "scheme", "credentials.key.in")],
        ),
    ],
)
def test_where_credentials_go(old: Any, new: Any, expected: Any) -> None:
    assert seen(compare(contract(credentials=old), contract(credentials=new))) == expected


def test_sizes() -> None:
    old = contract(tool("a"), tool("b"), sizes={"a": 100, "b": 400})
    new = contract(tool("a"), tool("b"), sizes={"a": 120, "b": 520})
    assert [(c.tool, c.before, c.after) for c in compare(old, new).changes] == [("", 500, 640), ("b", 400, 520)]
    assert compare(old, new).verdict == "cosmetic"


# --- reading


def test_a_contract_is_read_with_what_the_lock_knows() -> None:
    lock = Lock(
        names={"GET /a": "t"}, aliases={"old": "t"}, origins=("https://a",), credentials={"k": {"type": "http"}}
    )
    found = read('{"tools": [{"name": "t"}]}', lock)
    assert found == Contract(
        tools=({"name": "t"},),
        origins=("https://a",),
        credentials={"k": {"type": "http"}},
        keys={"t": "GET /a"},
        aliases={"old": "t"},
    )
    assert read('{"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}') == Contract(tools=())


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"tools": {}}', '{"tools": [1]}', '{"tools": [{"name": 1}]}', b"\xff"]
)
def test_what_is_no_contract(text: str | bytes) -> None:
    assert read(text) is None
