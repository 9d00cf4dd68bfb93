"""Wishes: what the owner and the document's author want of each operation, as one value."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from toolcast.mapping import selection
from toolcast.mapping.extensions import Extensions
from toolcast.mapping.names import tool_name_limit, tool_names, words
from toolcast.mapping.objections import Objections
from toolcast.model.config import Config, ToolTable
from toolcast.model.limits import RESERVED_TOOL_NAMES
from toolcast.model.lock import Lock
from toolcast.model.openapi import Operation
from toolcast.model.shape import nearest
from toolcast.model.wishes import Said, ToolWish, overridden


def wishes(
    operations: Sequence[Operation],
    config: Config,
    lock: Lock,
    server: str,
    extensions: Extensions,
    objections: Objections,
) -> Mapping[str, ToolWish]:
    """What is wanted of each operation, by key: tables of ``tools`` before ``rules`` before the document's extensions.

    ``server`` is the name that tools' names are fitted to. What means no operation is objected to.
    """
    found = {operation.key: extensions.of(operation) for operation in operations}
    for rule in config.rules:
        if selection.check(rule.match, operations, objections):
            meant = [operation.key for operation in operations if selection.matches(rule.match, operation)]
            if not meant:
                cure = "An operation has to have one of each kind; write two rules for either."
                objections.refuse("TC610", "The rule means no operation", rule.at, cure)
            for key in meant:
                found[key] = overridden(found[key], rule.wish)
    selection.check(config.select.include, operations, objections)
    selection.check(config.select.exclude, operations, objections)
    names = _Names(operations, lock, server)
    owners: dict[str, str] = {}
    for table in config.tools:
        key = names.key(table, objections)
        if key in owners:
            message = f"`tools.{table.text}` and `tools.{owners[key]}` are both {key}"
            objections.refuse("TC612", message, table.at, "Make one table of the two.")
        if key is not None:
            owners[key] = table.text
            found[key] = overridden(found[key], table.wish)
    return found


class _Names:
    """What operations are called: by their keys, by operationId, by the names that tools have, had or would have."""

    def __init__(self, operations: Sequence[Operation], lock: Lock, server: str) -> None:
        self._operations = list({operation.key: operation for operation in reversed(operations)}.values())
        self._lock = lock
        self._server = server
        self._tables: list[Mapping[str, str]] | None = None

    def key(self, table: ToolTable, objections: Objections) -> str | None:
        """The key of the operation that a table means; None where there is none, which is objected to."""
        method, space, path = table.text.partition(" ")
        keys = {operation.key for operation in self._operations}
        for text in (table.text, f"{method.upper()}{space}{path.strip()}"):
            if text in keys:
                return text
        named = [operation.key for operation in self._operations if operation.id == table.text]
        if len(named) > 1:
            message = f"{table.text!r} is the operationId of {' and '.join(sorted(named))}"
            objections.refuse("TC612", message, table.at, f'Name it by method and path: [tools."{named[0]}"].')
            return None
        tables = [dict.fromkeys([table.text], named[0])] if named else self._names()
        found = next((names[table.text] for names in tables if table.text in names), None)
        if found is None:
            self._object(table, keys, objections)
        return found

    def _names(self) -> list[Mapping[str, str]]:
        """Keys by name, the surest first."""
        if self._tables is None:
            keys = {operation.key for operation in self._operations}
            current = [operation for operation in self._operations if not operation.deprecated]
            fresh = [tool_names(some, self._server, Lock()) for some in (current, self._operations)]
            known = {name: key for name, key in _owners(self._lock).items() if key in keys}
            self._tables = [known, *({name: key for key, name in table.items()} for table in fresh)]
        return self._tables

    def _object(self, table: ToolTable, keys: set[str], objections: Objections) -> None:
        gone = _owners(self._lock).get(table.text, table.text if table.text in self._lock.names else None)
        if gone is not None:
            message = f"`tools.{table.text}` was {gone}, which the document does not have any more"
            objections.refuse("TC611", message, table.at, "Remove the table.")
            return
        ids = [operation.id for operation in self._operations if operation.id]
        known = [*{name for names in self._names() for name in names}, *ids, *keys]
        objections.refuse(
            "TC611", f"No operation is called {table.text!r}", table.at, nearest(table.text, sorted(known))
        )


def _owners(lock: Lock) -> Mapping[str, str]:
    """The key of the operation that a name is or was a tool's of."""
    present = {name: key for key, name in lock.names.items()}
    known = {**lock.retired, **present}
    return {**{alias: known[name] for alias, name in lock.aliases.items() if name in known}, **known}


def chosen_names(
    offered: Sequence[Operation], wanted: Mapping[str, ToolWish], lock: Lock, server: str, objections: Objections
) -> dict[str, str]:
    """The names that were chosen for tools, by key; what cannot be a name is objected to.

    A document's names are for tools that have none yet; a name once given is never given to another operation.
    """
    limit, owners = tool_name_limit(server), _owners(lock)
    chosen: dict[str, tuple[str, Said[str]]] = {}
    for operation in offered:
        said = wanted[operation.key].name
        if said is None or (not said.owner and operation.key in lock.names):
            continue
        name = said.value if said.owner else "_".join(words(said.value))
        holder = owners.get(name, operation.key)
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
            objections.object(
                said, "TC613", f"{said.value!r} cannot be the name of a tool", "Write one like list_pets."
            )
        elif len(name) > limit:
            cure = f"Use at most {limit} characters: some clients refuse more."
            objections.object(said, "TC613", f"The name {name!r} has {len(name)} characters", cure)
        elif name in RESERVED_TOOL_NAMES:
            objections.object(said, "TC613", f"{name!r} is a tool of the server's own", "Choose another name.")
        elif holder != operation.key:
            cure = "Choose another: agents may still know that one by it."
            objections.object(said, "TC613", f"{name!r} is or was the name of {holder}", cure)
        else:
            chosen[operation.key] = (name, said)
    counts = Counter(name for name, _ in chosen.values())
    for name, said in chosen.values():
        if counts[name] > 1:
            objections.object(
                said, "TC613", f"{counts[name]} tools would be called {name!r}", "Choose different names."
            )
    return {key: name for key, (name, _) in chosen.items() if counts[name] == 1}
