"""What a model is told when the API refuses a request: what happened, what the API says, what to do."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from http import HTTPStatus
from typing import Any, Final

from .decode import Document, Records, Text, decode, dump
from .legible import clean
from .operation import Json, Operation, Path
from .response import Response
from .settings import Settings

MAX_CHARACTERS: Final = 4_000
_MAX_SAID: Final = 3_000

_MARKUP: Final = re.compile(r"(?is)<(script|style|title)\b.*?</\1\s*>|<!--.*?-->|<[^>]*>")
# Problem details (RFC 9457) first, then what else APIs call it.
_TELLING: Final = (
    "title",
    "detail",
    "details",
    "message",
    "msg",
    "error",
    "error_description",
    "description",
    "reason",
    "code",
    "errors",
    "invalid-params",
    "invalid_params",
)


def explain(response: Response, operation: Operation[Any, Any], settings: Settings) -> str:
    """A text of at most ``MAX_CHARACTERS`` about an answer that is no success; it shows no credential."""
    response = redacted(response, settings)
    status = f"{response.status} {reason(response)}".strip()
    parts = [f"The API answered {status} to {operation.name} ({operation.method} {operation.path})."]
    # Before it is cut, so that no half of a credential is left.
    if said := clean(settings.redact(_said(response)), _MAX_SAID):
        parts.append(f"It says: {said}")
    parts.append(_advice(response, operation, settings))
    return "\n".join(parts)[:MAX_CHARACTERS]


def redacted(response: Response, settings: Settings) -> Response:
    """The response with no credential in what it says outside of its body."""
    headers = {name: settings.redact(value) for name, value in response.headers.items()}
    return replace(
        response, reason=settings.redact(response.reason), headers=headers, url=settings.redact(response.url)
    )


def reason(response: Response) -> str:
    """The reason phrase of a response, or what its status code means."""
    if said := clean(response.reason, 60):
        return said
    try:
        return HTTPStatus(response.status).phrase
    except ValueError:
        return ""


def location(response: Response) -> str:
    """Where a response points to."""
    return clean(response.headers.get("location", ""), 500)


def _said(response: Response) -> str:
    """What the body of a failure says, in one text."""
    match decode(response, json_expected=True):
        case Document(value):
            return _telling(value)
        case Records(text=text):
            return text
        case Text(text):
            if "<" in text[:1_000] and re.search(r"(?i)<(!doctype|html|head|body|title|p|h1|\?xml)", text[:1_000]):
                title = re.search(r"(?is)<title[^>]*>(.*?)</title>", text[:10_000])
                text = f"{title[1] if title else ''} {_MARKUP.sub(' ', text[:100_000])}"
                return " ".join(html.unescape(text).split())
            return text
        case _:
            return ""


def _telling(value: Json) -> str:
    """The members of a problem document that say what is wrong."""
    match value:
        case str():
            return value
        case dict():
            told = {name: value[name] for name in _TELLING if value.get(name) not in (None, "", [], {})}
            if not told:
                return dump(value)
            return "; ".join(
                member if isinstance(member, str) else _telling(member) if isinstance(member, dict) else dump(member)
                for member in told.values()
            )
        case None:
            return ""
        case _:
            return dump(value)


def _advice(response: Response, operation: Operation[Any, Any], settings: Settings) -> str:
    """What to do about it."""
    match response.status:
        case 401 | 403 | 407:
            return _about_credentials(response.status, operation, settings)
        case 404 | 410:
            named = [binding.argument for binding in operation.bindings if isinstance(binding, Path)]
            return (
                f"Check {', '.join(named)}: what they name may not exist, or not be visible to this server."
                if named
                else f"Nothing is there; the operator may have to check {settings.prefix}_BASE_URL."
            )
        case 409 | 412:
            return "This conflicts with the present state: read that first, then decide whether to call again."
        case 413:
            return "Send less at once."
        case 429:
            return f"Too many requests. {_later(response)}"
        case 408 | 425 | 503 | 504:
            return _later(response)
        case 304:
            return "What was asked for has not changed."
        case code if 300 <= code < 400:
            where = location(response) or "nowhere"
            most = settings.manners.redirects
            follows = (
                f"follows up to {most} redirects of reading calls, and none in circles or into a private network"
                if most
                else f"follows no redirects ({settings.prefix}_REDIRECTS)"
            )
            return (
                f"It points to {where}; this server {follows}. If the API has moved, the operator has to set "
                f"{settings.prefix}_BASE_URL."
            )
        case code if code >= 500:
            return f"The fault is the API's. {_later(response)}"
        case _:
            return "Correct the arguments before you call again; the same call will fail again."


def _later(response: Response) -> str:
    after = clean(response.headers.get("retry-after", ""), 40)
    if after.isdigit():
        return f"Try again in {after} seconds."
    return f"Try again after {after}." if after else "Try again later."


def _about_credentials(status: int, operation: Operation[Any, Any], settings: Settings) -> str:
    wanted = settings.credentials.wanted(operation)
    fault = "were refused" if status == 401 else "do not permit this"
    if not settings.authenticate:
        return f"This server sends no credentials ({settings.prefix}_AUTH=off); they {fault} as they came."
    if not wanted:
        return (
            f"The description of the API asks for no credentials here; if it needs some after all, the operator "
            f"can set {settings.prefix}_HEADERS."
        )
    return f"The server's credentials {fault}. The operator of this server has to check {wanted}."
