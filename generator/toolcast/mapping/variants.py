"""Variants: which schemas a discriminator chooses between (OpenAPI 3.1.1 section 4.8.25)."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import Final

from toolcast.model.document import Document
from toolcast.model.json import Json, JsonObject
from toolcast.model.pointer import Missing, child, resolve

# Beside a discriminator without a mapping: its variants by name, as the document implies them.
IMPLIED: Final = "$variants"
_COMPONENTS: Final = "#/components/schemas"


def named(schema: JsonObject) -> dict[str, str]:
    """The references in a discriminator's mapping by their tags; a bare name means a component."""
    discriminator = schema.get("discriminator")
    if not isinstance(discriminator, dict):
        return {}
    mapping = discriminator.get("mapping")
    if not isinstance(mapping, dict):
        mapping = discriminator.get(IMPLIED)
    if not isinstance(mapping, dict):
        return {}
    return {tag: component(target) for tag, target in mapping.items() if isinstance(target, str)}


def component(target: str) -> str:
    """A mapping's target as a reference."""
    return target if "#" in target or "/" in target else child(_COMPONENTS, target)


def branches(schema: JsonObject) -> list[Json]:
    """The branches of a union."""
    for key in ("oneOf", "anyOf"):
        listed = schema.get(key)
        if isinstance(listed, list) and listed:
            return listed
    return []


class Variants:
    """The variants of one document's schemas: those that are named, and those that only build on a base."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def of(self, schema: JsonObject) -> dict[str, str]:
        """References by tag: the mapping's, else every component whose ``allOf`` has this very schema in it."""
        if "discriminator" not in schema:
            return {}
        return named(schema) or ({} if branches(schema) else self._implied.get(id(schema), {}))

    def told(self, schema: JsonObject) -> JsonObject:
        """The schema with its implied variants written into its discriminator."""
        discriminator = schema.get("discriminator")
        implied = self._implied.get(id(schema)) if isinstance(discriminator, dict) else None
        if not isinstance(discriminator, dict) or not implied or discriminator.get("mapping") or branches(schema):
            return schema
        told: JsonObject = {**implied}
        return {**schema, "discriminator": {**discriminator, IMPLIED: told}}

    @cached_property
    def _implied(self) -> dict[int, dict[str, str]]:
        components = self._document.root.get("components")
        declared = components.get("schemas") if isinstance(components, dict) else None
        heirs: dict[str, dict[str, str]] = defaultdict(dict)
        for name, schema in (declared if isinstance(declared, dict) else {}).items():
            parts = schema.get("allOf") if isinstance(schema, dict) else None
            for part in parts if isinstance(parts, list) else ():
                base = part.get("$ref") if isinstance(part, dict) else None
                if isinstance(base, str):
                    heirs[base][name] = child(_COMPONENTS, name)
        found: dict[int, dict[str, str]] = {}
        for base in heirs:
            try:
                schema = resolve(self._document, base)
            except Missing:
                continue
            if isinstance(schema, dict) and isinstance(schema.get("discriminator"), dict):
                found[id(schema)] = _all_heirs(base, heirs)
        return found


def _all_heirs(base: str, heirs: dict[str, dict[str, str]]) -> dict[str, str]:
    """What builds on a base, directly or through others."""
    found: dict[str, str] = {}
    bases = [base]
    while bases:
        for name, reference in heirs.get(bases.pop(0), {}).items():
            if name not in found:
                found[name] = reference
                bases.append(reference)
    return found
