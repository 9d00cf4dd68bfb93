"""Loosening: what of an answer's schema upstreams can be trusted to keep to."""

from __future__ import annotations

from typing import Final

from toolcast.mapping.drafts import NOTES, TEXT
from toolcast.mapping.tokens import Sizes
from toolcast.model.json import JsonObject

# What APIs send where their document promises a type.
_SENT: Final[dict[str, tuple[str, ...]]] = {
    "integer": ("integer", "string", "null"),
    "number": ("number", "string", "null"),
    "boolean": ("boolean", "string", "null"),
    "string": ("string", "null"),
    "array": ("array", "null"),
    "object": ("object", "null"),
    "null": ("null",),
}


class Loosener:
    """Loosens drafts that share parts; each shared part is loosened once."""

    def __init__(self, sizes: Sizes) -> None:
        self._sizes = sizes
        self._known: dict[int, tuple[JsonObject, JsonObject]] = {}  # the draft is held, so that its identity stays

    def loosened(self, draft: JsonObject) -> JsonObject:
        """Types, properties and descriptions, but nothing that upstreams habitually break. Do not change it."""
        known = self._known.get(id(draft))
        if known is None:
            known = self._known[id(draft)] = (draft, self._made(draft))
        return known[1]

    def _made(self, draft: JsonObject) -> JsonObject:
        result: JsonObject = {}
        declared = draft.get("type")
        kinds = [kind for kind in (declared if isinstance(declared, list) else [declared]) if isinstance(kind, str)]
        if kinds:
            sent = list(dict.fromkeys(kind for declared_kind in kinds for kind in _SENT[declared_kind]))
            result["type"] = [*sent] if len(sent) > 1 else sent[0]
        if TEXT in draft:
            result[TEXT] = draft[TEXT]
        if NOTES in draft and "object" in kinds and "properties" not in draft:  # what the fields are called
            result[NOTES] = draft[NOTES]
        branches = draft.get("anyOf")
        if isinstance(branches, list):
            loose = (self.loosened(branch) for branch in branches if isinstance(branch, dict))
            distinct = self._sizes.distinct(loose)
            if len(distinct) == 1:
                return {**distinct[0], **result}
            result["anyOf"] = [*distinct]
        properties, items, rest = draft.get("properties"), draft.get("items"), draft.get("additionalProperties")
        if isinstance(properties, dict):
            result["properties"] = {name: self.loosened(v) for name, v in properties.items() if isinstance(v, dict)}
        if isinstance(items, dict) and "prefixItems" not in draft:
            result["items"] = self.loosened(items)
        elif "array" in kinds:
            result["items"] = {}
        if isinstance(rest, dict):
            result["additionalProperties"] = self.loosened(rest)
        return result
