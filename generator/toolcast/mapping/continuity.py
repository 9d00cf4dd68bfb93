"""Continuity: which operation of an earlier generation each one is, so that it keeps what was decided for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from toolcast.mapping.moves import alike, carried, moved
from toolcast.model.lock import Lock
from toolcast.model.openapi import Operation

T = TypeVar("T")


def continued(operations: Iterable[Operation], lock: Lock) -> Lock:
    """The lock with everything under the keys that the operations have now.

    An operation is the earlier one with its key, else the one that is gone and had its operationId, else the one that
    is gone and looks like it. The names of others that are gone retire; an operation that comes back takes its name
    out of retirement.
    """
    present: dict[str, Operation] = {}
    for operation in operations:
        present.setdefault(operation.key, operation)
    found = _recognised(present, lock)
    names = {key: name for key, (_, name) in found.items()}
    moves = {key: was for key, (was, _) in found.items()}
    gone = {name: key for key, name in lock.names.items() if name not in names.values()}
    return replace(
        lock,
        names=names,
        retired={name: key for name, key in lock.retired.items() if name not in names.values()} | gone,
        groups=_moved(lock.groups, moves),
        arguments={
            key: carried(arguments, moves.get(key, key), key)
            for key, arguments in _moved(lock.arguments, moves).items()
        },
        bodies=_moved(lock.bodies, moves),
    )


def decided(lock: Lock, offered: Sequence[Operation], names: Mapping[str, str]) -> Lock:
    """The continued lock after names were given: what is not offered retires, a name that was replaced is an alias."""
    kept = set(names.values())
    gone = {name: key for key, name in lock.names.items() if key not in names}
    replaced = {lock.names[key]: name for key, name in names.items() if lock.names.get(key, name) != name}
    aliases = {alias: replaced.get(name, name) for alias, name in lock.aliases.items()} | replaced
    ids = Counter(operation.id for operation in offered)
    used = {names[operation.key]: operation.id for operation in offered}
    return replace(
        lock,
        names=dict(names),
        retired={name: key for name, key in {**lock.retired, **gone}.items() if name not in kept},
        aliases={alias: name for alias, name in aliases.items() if alias not in kept},
        # An id that two operations have tells neither of them; one that an operation has given up is free for others.
        ids={id_: name for id_, name in lock.ids.items() if name not in kept or used[name] == id_}
        | {operation.id: names[operation.key] for operation in offered if operation.id and ids[operation.id] == 1},
    )


def aliases(lock: Lock) -> dict[str, str]:
    """The earlier names of tools that are there, sorted, with their present names."""
    present = set(lock.names.values())
    return {alias: name for alias, name in sorted(lock.aliases.items()) if name in present}


def successors(lock: Lock) -> dict[str, str]:
    """The names that no tool has any more, sorted, each with the tool that took its place, "" where none did.

    That is the tool of the same operation in another version of the API, when there is one and one only.
    """
    tools: dict[tuple[str, ...], list[str]] = {}
    for key, name in lock.names.items():
        tools.setdefault(alike(key), []).append(name)
    others = {name: tools.get(alike(key), []) for name, key in lock.retired.items()}
    gone = {name: found[0] if len(found) == 1 else "" for name, found in others.items()}
    gone |= {alias: gone[name] for alias, name in lock.aliases.items() if name in gone}
    return dict(sorted(gone.items()))


def _recognised(present: Mapping[str, Operation], lock: Lock) -> dict[str, tuple[str, str]]:
    """Present keys with the key and the name that their operations had."""
    owners: dict[str, str] = {}  # by name: one that somebody has written twice into the lock belongs to one
    for key in sorted(present.keys() & lock.names.keys()):
        owners.setdefault(lock.names[key], key)
    found = {key: (key, name) for name, key in owners.items()}
    ids = Counter(operation.id for operation in present.values())
    gone = {name: key for key, name in lock.names.items() if key not in found}
    retired = dict(lock.retired)
    by_id = {o.key: lock.ids[o.id] for o in present.values() if o.id and o.id in lock.ids and ids[o.id] == 1}
    by_key: dict[str, str] = {}
    for name, key in sorted(retired.items()):
        by_key.setdefault(key, name)
    for claims, names in ((by_id, gone), (by_key, retired), (by_id, retired)):
        for key in sorted(present.keys() - found.keys()):
            name = claims.get(key)
            if name is not None and name in names:
                found[key] = (names.pop(name), name)
    left = {key: name for name, key in (*sorted(retired.items(), reverse=True), *gone.items())}
    new = present.keys() - found.keys()
    moves = moved([*gone.values()], [*retired.values()], new, earlier=lock.names.keys(), present=present.keys())
    return found | {key: (was, left[was]) for key, was in moves.items()}


def _moved(values: Mapping[str, T], moves: Mapping[str, str]) -> dict[str, T]:
    """What is kept by key, under the keys that the operations have now."""
    left = {*moves, *moves.values()}
    kept = {key: value for key, value in values.items() if key not in left}
    return kept | {key: values[was] for key, was in moves.items() if was in values}
