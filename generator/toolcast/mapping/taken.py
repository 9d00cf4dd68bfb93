"""What of an operation's arguments a tool takes, and what becomes of the others, by what is wanted of each."""

from __future__ import annotations

from dataclasses import replace

from toolcast.mapping.argument_wishes import ArgumentWishes, Secret, Slot
from toolcast.mapping.arguments import Argument, published
from toolcast.mapping.schemas import Schemas
from toolcast.mapping.texts import argument_text
from toolcast.mapping.trimming import Aim
from toolcast.model.catalog import Binding
from toolcast.model.json import Json
from toolcast.model.limits import ARGUMENT_DESCRIPTION
from toolcast.model.wishes import ArgumentWish


class Taken:
    """Collects the arguments that a tool takes, all bindings, and what is sent without being given."""

    def __init__(self, asked: ArgumentWishes, schemas: Schemas) -> None:
        self.arguments: list[Argument] = []
        self.bindings: list[Binding] = []
        self.fixed: dict[str, Json] = {}
        self.defaults: dict[str, Json] = {}
        self.secrets: list[Secret] = []
        self._headers: list[str] = []
        self._asked = asked
        self._schemas = schemas

    def add(self, slot: Slot, argument: Argument, binding: Binding) -> None:
        """One more argument, with what is wanted of it."""
        wish = self._asked.of(slot)
        secret = self._asked.secret(wish, slot, required=argument.required)
        if secret is not None:
            self.secrets.append(secret)
            # What stands within the path or the body is filled in there, by the name of its argument.
            self.bindings += [binding] if slot[0] in ("path", "body") else []
        elif wish.fixed is not None:
            self.fixed[argument.name] = wish.fixed.value
            self.bindings.append(self._asked.bound(binding, wish))
        elif not self._asked.is_hidden(wish, argument.name, required=argument.required):
            self.bindings.append(self._asked.bound(binding, wish))
            self.arguments.append(self._wished(argument, wish))

    def _wished(self, argument: Argument, wish: ArgumentWish) -> Argument:
        """An argument as it is wanted; what has a default need not be given."""
        if wish.description is not None:
            argument = replace(argument, text=argument_text(wish.description.value))
        if wish.default is None and wish.header is None:
            return argument
        schema = published(argument, self._schemas, Aim(), ARGUMENT_DESCRIPTION)
        told = dict(argument.told)
        if wish.default is not None and self._asked.fitting(wish.default, schema, argument.name):
            told["default"] = self.defaults[argument.name] = wish.default.value
            argument = replace(argument, required=False)
        header = self._asked.header(wish.header, schema, argument.name, self._headers)
        if header:
            self._headers.append(header)
            told["x-mcp-header"] = header
        return replace(argument, told=told)
