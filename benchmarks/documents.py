"""Small documents of different characters, made by code, for measurements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

Document = dict[str, Any]
_WORDS: Final = (
    "the parcel shelf label route depot driver weight customs receipt sender address season order arrives leaves"
    " before after while counts returns keeps moves names changes when its each other same next given known open"
).split()


def words(seed: int, count: int) -> str:
    """So many words of prose, the same for the same seed."""
    found: list[str] = []
    for _ in range(count):
        seed = (seed * 1_103_515_245 + 12_345) % 2**31
        found.append(_WORDS[seed // 65_536 % len(_WORDS)])
    text = " ".join(found)
    return f"{text[:1].upper()}{text[1:]}."


def _string(seed: int, count: int = 12, **more: Any) -> Document:
    return {"type": "string", "description": words(seed, count), **more}


def _object(fields: Mapping[str, Any], *required: str) -> Document:
    return {"type": "object", "properties": dict(fields), **({"required": [*required]} if required else {})}


def _ref(name: str) -> Document:
    return {"$ref": f"#/components/schemas/{name}"}


def _operation(seed: int, id_: str, *parameters: Document, body: Any = None, form: Any = None, answer: Any) -> Document:
    made: Document = {
        "operationId": id_,
        "summary": words(seed, 6),
        "description": words(seed + 1, 25),
        "tags": ["parcels"],
        "parameters": [*parameters],
        "responses": {"200": {"description": "Done", "content": {"application/json": {"schema": answer}}}},
    }
    for media_type, schema in (("application/json", body), ("multipart/form-data", form)):
        if schema is not None:
            made["requestBody"] = {"required": True, "content": {media_type: {"schema": schema}}}
    return made


def _query(seed: int, name: str, schema: Any = None, **more: Any) -> Document:
    description = words(seed, 14)
    return {"name": name, "in": "query", "description": description, "schema": schema or {"type": "string"}, **more}


def _path(name: str = "id") -> Document:
    return {"name": name, "in": "path", "required": True, "description": "Which one.", "schema": {"type": "integer"}}


def _document(paths: Mapping[str, Any], schemas: Mapping[str, Any] | None = None) -> Document:
    return {
        "openapi": "3.1.0",
        "info": {"title": "Parcels", "version": "1"},
        "servers": [{"url": "https://parcels.example"}],
        "paths": dict(paths),
        "components": {"schemas": dict(schemas or {})},
    }


def plain() -> Document:
    """Two hundred small operations on forty kinds of things."""
    paths: Document = {}
    for i in range(40):
        thing = _object({"name": _string(i), "weight": {"type": "number"}, "open": {"type": "boolean"}}, "name")
        kind = f"kind{i}"
        paths[f"/{kind}"] = {
            "get": _operation(
                i, f"list_{kind}", _query(i, "limit", {"type": "integer"}), answer={"type": "array", "items": thing}
            ),
            "post": _operation(i, f"create_{kind}", body=thing, answer=thing),
        }
        paths[f"/{kind}/{{id}}"] = {
            method: _operation(i, f"{verb}_{kind}", _path(), body=thing if method == "put" else None, answer=thing)
            for method, verb in (("get", "get"), ("put", "replace"), ("delete", "delete"))
        }
    return _document(paths)


def filters() -> Document:
    """Lists with very many optional parameters."""
    paths: Document = {}
    for i, count in enumerate((10, 30, 60, 90, 150, 250)):
        filters = [_query(i * 1_000 + n, f"filter[{words(n, 1)[:-1].lower()}{n}]") for n in range(count)]
        answer = {"type": "array", "items": _object({"id": {"type": "integer"}})}
        paths[f"/list{i}"] = {"get": _operation(i, f"list_parcels_{i}", *filters, answer=answer)}
    return _document(paths)


def nesting() -> Document:
    """Bodies of objects in objects, eight levels deep."""

    def level(depth: int, seed: int) -> Document:
        fields: Document = {f"{words(seed + n, 1)[:-1].lower()}{n}": _string(seed + n) for n in range(4)}
        if depth:
            fields |= {f"part{n}": level(depth - 1, seed * 3 + n) for n in range(2)}
        return _object(fields, *[*fields][:2])

    paths = {
        f"/order{i}": {"post": _operation(i, f"place_order_{i}", body=level(i, i + 1), answer=level(i, i + 1))}
        for i in range(9)
    }
    return _document(paths)


def enumerations() -> Document:
    """Parameters and fields with hundreds of values."""
    zones = [f"Region{i % 12}/{words(i, 1)[:-1]}_{i}" for i in range(400)]
    events = [f"{words(i, 1)[:-1].lower()}.{words(i + 7, 1)[:-1].lower()}.{i}" for i in range(250)]
    body = _object(
        {"zone": {"type": "string", "enum": zones}, "events": {"type": "array", "items": {"enum": events}}}, "zone"
    )
    paths = {
        "/hooks": {"post": _operation(1, "create_hook", body=body, answer=_object({"id": {"type": "integer"}}))},
        "/zones": {"get": _operation(2, "list_zones", _query(3, "zone", {"enum": zones}), answer={"type": "array"})},
    }
    return _document(paths)


def texts() -> Document:
    """Long descriptions of everything."""
    paths: Document = {}
    for i in range(20):
        fields = {f"field{n}": _string(i * 100 + n, 60) for n in range(12)}
        inner = {f"inner{n}": _string(i * 200 + n, 60) for n in range(12)}
        operation = _operation(
            i, f"describe_{i}", _query(i, "label"), body=_object({**fields, "inner": _object(inner)}), answer={}
        )
        operation["description"] = "\n\n".join(words(i * 10 + n, 70) for n in range(4))
        paths[f"/described{i}"] = {"post": operation}
    return _document(paths)


def unions() -> Document:
    """Bodies that are one of twelve, told by a tag."""
    names = [f"Step{i}" for i in range(12)]
    schemas: Document = {
        name: _object({"kind": {"type": "string"}, **{f"option{i}_{n}": _string(i * 50 + n) for n in range(8)}}, "kind")
        for i, name in enumerate(names)
    }
    mapping = {name.lower(): f"#/components/schemas/{name}" for name in names}
    schemas["Step"] = {
        "oneOf": [_ref(name) for name in names],
        "discriminator": {"propertyName": "kind", "mapping": mapping},
    }
    body = _object(
        {"name": _string(1), "first": _ref("Step"), "steps": {"type": "array", "items": _ref("Step")}}, "name", "steps"
    )
    paths = {
        "/flows": {"post": _operation(1, "create_flow", body=body, answer=body)},
        "/steps": {"post": _operation(2, "create_step", body=_ref("Step"), answer=_ref("Step"))},
    }
    return _document(paths, schemas)


def recursion() -> Document:
    """Trees, and a language of filters that all refer to each other."""
    kinds = [f"Filter{i}" for i in range(12)]
    schemas: Document = {
        "Node": _object({"name": _string(1), "children": {"type": "array", "items": _ref("Node")}}, "name"),
        **{
            name: _object({"note": _string(i), **{other: _ref(other) for other in kinds}})
            for i, name in enumerate(kinds)
        },
    }
    paths = {
        "/trees": {"post": _operation(1, "save_tree", body=_ref("Node"), answer=_ref("Node"))},
        "/search": {"post": _operation(2, "search_parcels", body=_ref("Filter0"), answer={"type": "array"})},
    }
    return _document(paths, schemas)


def uploads() -> Document:
    """Forms with files beside what describes them."""
    file = {"type": "string", "format": "binary", "description": words(1, 10)}
    meta = _object({f"field{n}": _string(n) for n in range(10)})
    form = _object(
        {"file": file, "more_files": {"type": "array", "items": file}, "meta": meta, "name": _string(3)}, "file"
    )
    paths = {f"/files{i}": {"post": _operation(i, f"upload_{i}", form=form, answer=meta)} for i in range(10)}
    return _document(paths)


def repetition() -> Document:
    """One schema in very many places of a body."""
    place = _object(
        {name: _string(i) for i, name in enumerate(("street", "house", "town", "region", "country", "note"))}
    )
    body = _object({f"stop{i}": _ref("Place") for i in range(30)}, "stop0")
    paths = {f"/routes{i}": {"post": _operation(i, f"plan_route_{i}", body=body, answer=body)} for i in range(5)}
    return _document(paths, {"Place": place})


def family(count: int) -> Document:
    """So many operations of one kind of API: five for each kind of thing, whose objects hold those of two others."""
    kinds = max(1, count // 5)
    paths: Document = {}
    schemas: Document = {}
    for i in range(kinds):
        name, thing = f"Kind{i}", f"kind{i}"
        fields: Document = {f"field_{n}": _string(i * 7 + n, 8) for n in range(6)}
        linked = {"owner": _ref(f"Link{i}"), "next": _ref(f"Link{(i + 1) % kinds}")}
        schemas[f"Link{i}"] = _object({"id": {"type": "integer"}, "note": _string(i)}, "id")
        schemas[name] = _object({"id": {"type": "integer"}, **fields, **linked}, "id", "field_0")
        schemas[f"New{name}"] = _object(
            {**fields, **linked, "state": {"type": "string", "enum": ["on", "off"]}}, "field_0"
        )
        many = {"type": "array", "items": _ref(name)}
        filters = [_query(i, "limit", {"type": "integer"}), _query(i + 1, "state"), _query(i + 2, "after")]
        own = {
            f"/{thing}": {
                "get": _operation(i, f"list_{thing}", *filters, answer=many),
                "post": _operation(i + 1, f"create_{thing}", body=_ref(f"New{name}"), answer=_ref(name)),
            },
            f"/{thing}/{{id}}": {
                "get": _operation(i + 2, f"get_{thing}", _path(), answer=_ref(name)),
                "put": _operation(i + 3, f"update_{thing}", _path(), body=_ref(f"New{name}"), answer=_ref(name)),
                "delete": _operation(i + 4, f"delete_{thing}", _path(), answer={"type": "object"}),
            },
        }
        for operation in (operation for item in own.values() for operation in item.values()):
            operation["tags"] = [f"group{i // 20}"]
        paths |= own
    return _document(paths, schemas)


MADE: Final[Iterable[Callable[[], Document]]] = (
    plain, filters, nesting, enumerations, texts, unions, recursion, uploads, repetition,
)  # fmt: skip
