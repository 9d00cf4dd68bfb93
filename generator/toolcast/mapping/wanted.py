"""A tool as it is wanted: its texts, its hints, the form of its body, and whether it is a resource."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final
from urllib.parse import quote

from toolcast.mapping import media
from toolcast.mapping.inputs import Inputs
from toolcast.mapping.objections import Objections
from toolcast.mapping.texts import clean, description, ended
from toolcast.model.catalog import Hint, Hints, PathArg, WholeBody
from toolcast.model.openapi import MediaType, Operation
from toolcast.model.wishes import Said, ToolWish

_PLACEHOLDER: Final = re.compile(r"\{([^{}]*)\}")
_UNFIT: Final = re.compile(r"[^A-Za-z0-9_]")  # for the variable of a URI template (RFC 6570 section 2.3)
_LITERAL: Final = "/:@!$&'()*+,;=-._~%"


def described(
    operation: Operation, name: str, wish: ToolWish, *, choice: str = "", answer: str = ""
) -> tuple[str, int]:
    """A description as it is wanted, and its length before it is cut.

    ``choice`` says when to take the tool rather than its siblings, ``answer`` what it gives: a description of the
    owner's has to do without both, and ``use_when`` is in the place of the first.
    """
    more = [choice if wish.description is None else "", *wish.notes]
    if wish.use_when is not None:
        more[0] = f"Use it when {_sentence(clean(wish.use_when.value))}"
    if wish.description is not None:
        return ended(clean(wish.description.value), more)
    return description(operation, name, choice="\n".join(line for line in more if line), answer=answer)


def _sentence(text: str) -> str:
    """What follows "Use it when", which many write at the beginning."""
    text = re.sub(r"^(?:use (?:it |this )?when|when)\s+", "", text, flags=re.IGNORECASE)
    return text if text.endswith((".", "!", "?")) else f"{text}."


def hinted(found: Hints, wish: ToolWish, objections: Objections) -> Hints:
    """Hints as they are wanted; what follows from one that is wanted changes with it."""
    read_only, destructive, idempotent = wish.read_only, wish.destructive, wish.idempotent
    if read_only is not None and read_only.value is not found.read_only.value:
        follows = "it only reads" if read_only.value else "it changes things, and nothing says that it only adds"
        found = replace(
            found,
            read_only=_hint(read_only),
            destructive=Hint(value=not read_only.value, reason=follows),
            idempotent=Hint(value=read_only.value, reason=follows),
        )
    elif read_only is not None:
        found = replace(found, read_only=_hint(read_only))
    if found.read_only.value:
        for said, means in ((destructive, True), (idempotent, False)):
            if said is not None and said.value is means:
                cure = "Say `read_only = false` as well, or leave it out."
                objections.object(said, "TC618", "What only reads is not destructive, and may be repeated", cure)
                return found
    if destructive is not None:
        found = replace(found, destructive=_hint(destructive))
    if idempotent is not None:
        found = replace(found, idempotent=_hint(idempotent))
    if wish.open_world is not None:
        found = replace(found, open_world=_hint(wish.open_world))
    return found


def _hint(said: Said[bool]) -> Hint:
    return Hint(value=said.value, reason=said.by)


def sent_as(operation: Operation, wish: ToolWish, preferred: Sequence[str], objections: Objections) -> Operation:
    """The operation with the one representation of its body that is wanted, where there is such a wish."""
    body = operation.body
    if body is None:
        return operation
    offered: dict[str, MediaType] = {}
    for content in body.content:
        offered.setdefault(media.essence(content.media_type), content)
    said = wish.media_type
    if said is not None and media.essence(said.value) in offered:
        return replace(operation, body=replace(body, content=(offered[media.essence(said.value)],)))
    if said is not None and not is_of_rule(said):
        message = f"The body of {operation.key} cannot be sent as {said.value}"
        objections.object(said, "TC617", message, f"It may be sent as {', '.join(offered)}.")
    found = next((offered[name] for name in map(media.essence, preferred) if name in offered), None)
    return operation if found is None else replace(operation, body=replace(body, content=(found,)))


def is_resource(wish: ToolWish) -> bool:
    """Is it wanted as a resource?"""
    return wish.offer is not None and wish.offer.value == "resource"


def resource(
    operation: Operation, server: str, taken: Inputs, hints: Hints, wish: ToolWish, objections: Objections
) -> str | None:
    """The URI, or its template (RFC 6570), where an operation is offered as a resource; None where it is a tool."""
    said = wish.offer
    if said is None or not is_resource(wish):
        return None
    given = [binding for binding in taken.bindings if binding.argument in taken.sources]
    plain = all(isinstance(b, PathArg) and b.style == "simple" and not (b.media_type or b.slashes) for b in given)
    if operation.method == "GET" and hints.read_only.value and plain and len(given) == len(taken.sources):
        # An authority would be read without case, so there is none; the path is that of the API.
        arguments = {binding.name: binding.argument for binding in given if isinstance(binding, PathArg)}
        pieces = _PLACEHOLDER.split(operation.path)  # every second one is a name
        return f"{server}://" + "".join(
            f"{{{_UNFIT.sub('_', piece)}}}" if at % 2 and piece in arguments else quote(piece, safe=_LITERAL)
            for at, piece in enumerate(pieces)
        )
    if not is_of_rule(said):
        message = f"{operation.key} cannot be a resource: it has to be a GET that only reads, by its path alone"
        objections.object(said, "TC619", message, "Hide or fix its other arguments, or offer it as a tool.")
    return None


def check_form(operation: Operation, taken: Inputs, wish: ToolWish, objections: Objections) -> None:
    """Object where the fields of a body should be arguments and cannot."""
    said = wish.body
    if said is None or said.value != "flat" or is_of_rule(said):
        return
    if any(isinstance(binding, WholeBody) for binding in taken.bindings):
        message = f"The body of {operation.key} cannot be flat: not all that it may be has a name"
        objections.object(said, "TC617", message, "Remove `body`.")


def is_of_rule(said: Said[Any]) -> bool:
    """Is a wish meant for several operations, of which some may not be able to fulfil it?"""
    return said.at.pointer.startswith("/rules/")
