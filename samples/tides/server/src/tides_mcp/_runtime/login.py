"""Login: a person lets the server act for them, in a browser on this machine or on another device.

Authorization code with PKCE on a loopback redirect (RFC 6749, 7636, 8252), and device authorization (RFC 8628).
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import html
import secrets
import webbrowser
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import parse_qs, urlencode, urlsplit

import anyio
from anyio.abc import Listener, SocketAttribute, SocketStream

from .errors import CallError
from .oauth import Grant, RefusedError, Send, asked, checked, discovered, granted
from .security import OAuth

_PATIENCE: Final = 300.0  # seconds for the person
_LONGEST_REQUEST: Final = 16 * 1024
_PAGE: Final = "<!doctype html><meta charset=utf-8><title>{title}</title><p>{title}. You can close this page.</p>"

Say = Callable[[str], None]


async def login(scheme: OAuth, values: Mapping[str, str], send: Send, say: Say, *, browser: bool = True) -> Grant:
    """What a person grants; raises ``CallError``. ``browser`` opens one, where the flow has a page for it."""
    client = values.get(scheme.variable("CLIENT_ID"))
    if not client:
        raise CallError(f"Set {scheme.variable('CLIENT_ID')} to the client's id at the authorization server.")
    where = await discovered(send, scheme.discovery) if scheme.discovery else {}
    token_url = values.get(scheme.variable("TOKEN_URL")) or scheme.token_url or str(where.get("token_endpoint") or "")
    checked(token_url, scheme.variable("TOKEN_URL"))
    form = {"client_id": client}
    if secret := values.get(scheme.variable("CLIENT_SECRET")):
        form["client_secret"] = secret
    scopes = values.get(scheme.variable("SCOPES"), " ".join(scheme.scopes))
    if scopes:
        form["scope"] = scopes
    authorization_url = scheme.authorization_url or str(where.get("authorization_endpoint") or "")
    device_url = scheme.device_url or str(where.get("device_authorization_endpoint") or "")
    if device_url and ("deviceAuthorization" in scheme.flows or not authorization_url):
        return await _by_device(checked(device_url, "the document"), token_url, form, send, say)
    if authorization_url:
        return await _by_code(checked(authorization_url, "the document"), token_url, form, send, say, browser=browser)
    raise CallError("The description of this API offers neither an authorization code nor a device flow.")


async def _by_code(page: str, token_url: str, form: Mapping[str, str], send: Send, say: Say, *, browser: bool) -> Grant:
    verifier, state = secrets.token_urlsafe(48), secrets.token_urlsafe(24)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=0)
    async with listener:
        port = listener.listeners[0].extra(SocketAttribute.local_port)
        redirect = f"http://127.0.0.1:{port}/callback"
        query = {
            "response_type": "code",
            "client_id": form["client_id"],
            "redirect_uri": redirect,
            "state": state,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        } | ({"scope": form["scope"]} if "scope" in form else {})
        url = f"{page}{'&' if urlsplit(page).query else '?'}{urlencode(query)}"
        say(f"Open this page to let the server act for you:\n  {url}")
        if browser:
            webbrowser.open(url)
        code = await _redirected(listener, state)
    return await granted(
        send,
        token_url,
        {
            **{name: value for name, value in form.items() if name != "scope"},
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect,
            "code_verifier": verifier,
        },
    )


async def _redirected(listener: Listener[SocketStream], state: str) -> str:
    """The code that the browser brings back."""
    outcome: list[str | CallError] = []
    with anyio.move_on_after(_PATIENCE):
        async with anyio.create_task_group() as group:

            async def serve(stream: SocketStream) -> None:
                async with stream:
                    found = await _callback(stream, state)
                if found is not None:
                    outcome.append(found)
                    group.cancel_scope.cancel()

            await listener.serve(serve)
    match outcome:
        case [str() as code, *_]:
            return code
        case [CallError() as error, *_]:
            raise error
        case _:
            raise CallError(f"Nobody came back from the page within {_PATIENCE:.0f} s.")


async def _callback(stream: SocketStream, state: str) -> str | CallError | None:
    """What one request brings: the code, a refusal, or nothing that concerns this login."""
    received = b""
    with anyio.move_on_after(10):
        while b"\r\n\r\n" not in received and len(received) < _LONGEST_REQUEST:
            received += await stream.receive()
    target = received.split(b" ")[1].decode("latin-1") if received.count(b" ") >= 2 else ""
    query = {name: values[0] for name, values in parse_qs(urlsplit(target).query).items()}
    ours = urlsplit(target).path == "/callback" and hmac.compare_digest(query.get("state", "").encode(), state.encode())
    outcome: str | CallError | None = None
    if ours and query.get("code"):
        outcome, title = query["code"], "The server may act for you now"
    elif ours:
        outcome, title = (
            CallError(f"The authorization server refused: {query.get('error', 'no code')[:100]}."),
            "Refused",
        )
    else:
        title = "This page belongs to no login"
    page = _PAGE.format(title=html.escape(title)).encode()
    head = f"HTTP/1.1 {200 if ours else 404} \r\nContent-Type: text/html\r\nContent-Length: {len(page)}\r\n"
    await stream.send(f"{head}Connection: close\r\n\r\n".encode() + page)
    return outcome


async def _by_device(device_url: str, token_url: str, form: Mapping[str, str], send: Send, say: Say) -> Grant:
    asking = {name: value for name, value in form.items() if name != "client_secret"}
    answer = await asked(send, device_url, asking)
    code, page = str(answer.get("user_code") or ""), str(answer.get("verification_uri") or "")
    if not code or not page or not answer.get("device_code"):
        raise CallError("The authorization server answered without a code for the device.")
    say(f"Open {page} on any device and enter the code {code}")
    pause = float(answer.get("interval") or 5)
    polling = {
        **{name: value for name, value in form.items() if name != "scope"},
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        "device_code": str(answer["device_code"]),
    }
    deadline = anyio.current_time() + min(_PATIENCE, float(answer.get("expires_in") or _PATIENCE))
    while anyio.current_time() + pause < deadline:
        await anyio.sleep(pause)
        try:
            return await granted(send, token_url, polling)
        except RefusedError as refused:
            if refused.code == "slow_down":
                pause += 5  # RFC 8628 section 3.5
            elif refused.code != "authorization_pending":
                raise
    raise CallError("Nobody entered the code in time.")
