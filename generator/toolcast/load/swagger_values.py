"""Parameters, headers, forms and responses of Swagger 2.0 → those of OpenAPI 3, one by one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from toolcast.model.json import Json, JsonObject

URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
# The words of a parameter, header or item that say something of its value (Swagger 2.0, Parameter Object).
_VALUE = (
    *("type", "format", "title", "items", "default", "enum", "multipleOf", "pattern", "nullable", "x-nullable"),
    *("maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength"),
    *("maxItems", "minItems", "uniqueItems"),
)
_STYLES = {
    "csv": ("form", False),
    "ssv": ("spaceDelimited", False),
    "tsv": ("tabDelimited", False),  # OpenAPI has none: ours
    "pipes": ("pipeDelimited", False),
    "multi": ("form", True),
}
_SPOKEN = {"csv": "commas", "ssv": "spaces", "tsv": "tabs", "pipes": "vertical bars (|)"}


def parameter(node: JsonObject) -> None:
    """Rewrite a parameter that is neither body nor form, in place."""
    listed = _list_format(node)
    schema = value(node)
    for word in (*_VALUE, "schema", "collectionFormat"):
        node.pop(word, None)
    if listed is not None:
        node |= _style(listed, query=node.get("in") == "query")
    if schema is not None:
        node["schema"] = schema
    _example(node)


def header(node: JsonObject) -> None:
    """Rewrite the header of a response, in place."""
    schema = value(node)
    for word in (*_VALUE, "collectionFormat"):
        node.pop(word, None)
    if schema is not None:
        node["schema"] = schema


def value(node: JsonObject) -> JsonObject | None:
    """The schema of what a parameter, header or item takes; None where it says nothing."""
    found: JsonObject = {word: node[word] for word in _VALUE if word in node}
    items = found.get("items")
    if isinstance(items, dict):
        found["items"] = _item(items)
    stated = node.get("schema")  # not allowed there, but some write it
    if isinstance(stated, dict):
        found = {**stated, **found} if found else stated
    if found.get("type") == "file":
        found = {**found, "type": "string", "format": "binary"}
    return found or None


def _item(node: JsonObject) -> JsonObject:
    """The schema of an item; a list in a list is a text, since OpenAPI 3 knows one delimiter for a value only."""
    if node.get("type") != "array":
        node.pop("collectionFormat", None)
        if node.get("type") == "file":
            node |= {"type": "string", "format": "binary"}
        return node
    inner = node.get("items")
    kind = inner.get("type") if isinstance(inner, dict) else None
    noun = f"{kind} values" if isinstance(kind, str) and kind != "array" else "values"
    spoken = _SPOKEN.get(str(node.get("collectionFormat")), _SPOKEN["csv"])
    text = node.get("description")
    told = f"A list of {noun}, joined by {spoken}."
    return {"type": "string", "description": f"{text}\n\n{told}" if isinstance(text, str) else told}


def _list_format(node: JsonObject) -> str | None:
    """How the items of a list are written; None where there is no list."""
    if node.get("type") != "array":
        return None
    stated = node.get("collectionFormat")
    return stated if isinstance(stated, str) and stated in _STYLES else "csv"


def _style(listed: str, *, query: bool) -> JsonObject:
    """Style and explode, where they are not those of OpenAPI 3 anyway; only a query can repeat a name."""
    if listed == "multi" or (listed == "csv" and not query):
        return {}
    style, explode = _STYLES[listed]
    return {"style": style, "explode": explode}


def _example(node: JsonObject) -> None:
    if "x-example" in node and "example" not in node:
        node["example"] = node.pop("x-example")


def body(node: JsonObject, consumes: Sequence[str]) -> JsonObject:
    """The request body for a parameter with `in: body`."""
    media: JsonObject = {} if node.get("schema") is None else {"schema": node["schema"]}
    if "x-example" in node:
        media["example"] = node["x-example"]
    made: JsonObject = {word: node[word] for word in node if word in ("description", "required") or _is_kept(word)}
    made["content"] = {media_type: dict(media) for media_type in consumes or ("application/json",)}
    return made


def _is_kept(word: str) -> bool:
    return word.startswith("x-") and word != "x-example"


def form(parameters: Iterable[JsonObject], consumes: Sequence[str]) -> JsonObject:
    """The request body for parameters with `in: formData`; files need multipart (Swagger 2.0, Parameter Object)."""
    properties: JsonObject = {}
    required: list[Json] = []
    encoding: JsonObject = {}
    files = False
    for node in parameters:
        name = str(node.get("name"))
        own: JsonObject = {**(value(node) or {"type": "string"})}
        files = files or _is_file(own)
        own |= {word: node[word] for word in ("description", "example") if word in node}
        own |= {word: node[word] for word in node if word.startswith("x-") and word not in own}
        if "x-example" in own:
            own["example"] = own.pop("x-example")
        properties[name] = own
        if node.get("required") is True:
            required.append(name)
        listed = _list_format(node)
        styled = _style(listed, query=True) if listed is not None else {}
        if styled:
            encoding[name] = styled
    schema: JsonObject = {"type": "object", "properties": properties, **({"required": required} if required else {})}
    media: JsonObject = {"schema": schema, **({"encoding": encoding} if encoding else {})}
    content: JsonObject = {media_type: dict(media) for media_type in _form_types(consumes, files=files)}
    return {"required": True, "content": content} if required else {"content": content}


def _form_types(consumes: Sequence[str], *, files: bool) -> list[str]:
    multipart = [media_type for media_type in consumes if media_type.lower().startswith("multipart/")]
    if files:
        return multipart or [MULTIPART]
    return [m for m in consumes if m in multipart or m.lower().startswith(URLENCODED)] or [URLENCODED]


def _is_file(schema: JsonObject) -> bool:
    items = schema.get("items")
    return schema.get("format") == "binary" or (isinstance(items, dict) and items.get("format") == "binary")


def response(node: JsonObject, produces: Sequence[str]) -> None:
    """Rewrite a response, in place."""
    schema, examples = node.pop("schema", None), node.pop("examples", None)
    content: JsonObject = {}
    if schema is not None:
        file = isinstance(schema, dict) and schema.get("type") == "file"
        default = "application/octet-stream" if file else "application/json"
        content = {media_type: {"schema": schema} for media_type in produces or (default,)}
    for media_type, example in (examples if isinstance(examples, dict) else {}).items():
        if "/" in media_type:
            media = content.setdefault(media_type, {} if schema is None else {"schema": schema})
            if isinstance(media, dict):
                media["example"] = example
    if content:
        node["content"] = content


def schema(node: JsonObject) -> None:
    """Rewrite what is a schema's own in Swagger 2.0, in place."""
    if isinstance(node.get("discriminator"), str):
        node["discriminator"] = {"propertyName": node["discriminator"]}
    if "x-nullable" in node:
        node.setdefault("nullable", node.pop("x-nullable"))
    if node.get("type") == "file":
        node |= {"type": "string", "format": "binary"}
