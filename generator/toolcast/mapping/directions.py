"""Directions: what travels to the API, and what comes back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeAlias

from toolcast.mapping.cycles import VALUES
from toolcast.mapping.references import References
from toolcast.model.json import Json
from toolcast.model.pointer import child

Direction: TypeAlias = Literal["input", "output"]
# The keyword of properties that do not travel in a direction.
HIDDEN: Final[dict[Direction, str]] = {"input": "readOnly", "output": "writeOnly"}
COMPONENTS: Final = "#/components/schemas"


def affected(references: References) -> Mapping[Direction, frozenset[str]]:
    """The components, by direction, in or below which a property does not travel in it."""
    components = references.document.root.get("components")
    declared = components.get("schemas") if isinstance(components, dict) else None
    users: dict[str, list[str]] = defaultdict(list)
    found: dict[str, list[str]] = {keyword: [] for keyword in HIDDEN.values()}
    for name, schema in (declared if isinstance(declared, dict) else {}).items():
        reference = child(COMPONENTS, name)
        stack: list[Json] = [schema]
        while stack:
            value = stack.pop()
            if isinstance(value, list):
                stack.extend(value)
            elif isinstance(value, dict):
                for keyword, owners in found.items():
                    if value.get(keyword) is True:
                        owners.append(reference)
                target = value.get("$ref")
                if isinstance(target, str):
                    users[target].append(reference)
                for variant in references.variants.of(value).values():
                    users[variant].append(reference)
                stack.extend(
                    part for key, part in value.items() if isinstance(part, (dict, list)) and key not in VALUES
                )
    return {direction: _reaching(found[keyword], users) for direction, keyword in HIDDEN.items()}


def _reaching(found: Iterable[str], users: Mapping[str, list[str]]) -> frozenset[str]:
    reached: set[str] = set()
    waiting = list(found)
    while waiting:
        reference = waiting.pop()
        if reference not in reached:
            reached.add(reference)
            waiting.extend(users.get(reference, ()))
    return frozenset(reached)
