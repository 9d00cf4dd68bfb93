"""The server over streamable HTTP, for one process or many behind a load balancer."""

from __future__ import annotations

import importlib
import math
import os
import secrets
import socket
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from mcp.server.auth.settings import AuthSettings
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from .credentials import read_secret
from .log import configure, say
from .verification import Authority, Verifier

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from .server import Server

_LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")


def application(server: Server, host: str, *, stateful: bool = False) -> ASGIApp:
    """The ASGI application, which answers at ``/mcp``.

    ``stateful`` keeps sessions for clients of the protocol's older revisions, which can then be asked something; such
    a client has to come back to this process.

    It answers requests for the loopback names, for ``host`` and for ``PREFIX_ALLOWED_HOSTS`` only, and refuses web
    pages of other origins: a browser on the same machine must not become a way in (DNS rebinding).
    """
    allowed = server.settings.allowed_hosts
    names = [*_LOOPBACK, *(name for name in allowed if name != "*")]
    if host not in ("", "0.0.0.0", "::", *_LOOPBACK):
        names.append(f"[{host}]" if ":" in host else host)
    hosts = [form for name in names for form in _with_any_port(name)]
    origins = [f"{scheme}://{form}" for scheme in ("http", "https") for form in hosts]
    authority = Authority.read(server.api.environment, server.environ)
    verified: dict[str, Any] = {}
    if authority is not None:
        verified["token_verifier"] = Verifier(authority, server.upstream().plain)
        verified["auth"] = AuthSettings.model_validate(
            {
                "issuer_url": authority.issuer,
                "resource_server_url": authority.resource,
                "required_scopes": sorted(server.access.scopes.every),
                "validate_token_resource": True,
            }
        )
    app = server.lowlevel().streamable_http_app(
        stateless_http=not stateful,
        host=host,
        **verified,
        custom_starlette_routes=[Route("/healthz", _alive), Route("/readyz", _alive)],
        transport_security=TransportSecuritySettings(
            enable_dns_rebinding_protection="*" not in allowed, allowed_hosts=hosts, allowed_origins=origins
        ),
    )
    return _OriginGuard(app, origins) if "*" in allowed else app


def worker() -> ASGIApp:
    """The application of one of several processes, which learn from their environment what to serve."""
    package = importlib.import_module("..server", __package__)
    server: Server = package.build()
    configure(server.settings.prefix, server.environ)
    prefix = server.settings.prefix
    return application(server, os.environ.get(f"{prefix}_HOST", ""), stateful=False)


def serve(server: Server, host: str, port: int, *, stateful: bool = False, workers: int = 1) -> int:
    """Serve until the process is told to stop; the exit status."""
    import uvicorn

    try:
        listening = listener(host, port)
    except (OSError, OverflowError) as error:
        reason = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
        say(f"{server.api.name}: error: cannot serve on {host}, port {port}: {reason}")
        return 1
    with listening:
        for line in cautions(server, host):
            say(f"{server.api.name}: warning: {line}")
        shown = f"[{host}]" if ":" in host else host
        say(f"{server.api.name}: serving on http://{shown}:{listening.getsockname()[1]}/mcp")
        if workers == 1:
            config = uvicorn.Config(application(server, host, stateful=stateful), **_options(server))
            with suppress(KeyboardInterrupt):  # raised again by uvicorn, when all calls have been answered
                uvicorn.Server(config).run(sockets=[listening])
            return 0
        with tempfile.TemporaryDirectory(prefix=f"{server.api.name}-") as folder, suppress(KeyboardInterrupt):
            _tell_workers(server, host, folder)
            fd = listening.fileno()
            uvicorn.run(f"{__name__}:worker", factory=True, workers=workers, fd=fd, **_options(server))
    return 0


def listener(host: str, port: int) -> socket.socket:
    """The socket that the server listens at; raises ``OSError`` and ``OverflowError``."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.create_server((host, port), family=family, backlog=2048)
    # Else the body of an answer waits for the client's word on its head, 40 ms each time. Connections inherit it, and
    # asyncio sets it only for sockets that were made with a protocol.
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


def _options(server: Server) -> dict[str, Any]:
    return {
        "log_config": None,
        "access_log": False,
        "server_header": False,
        # Calls that have begun are answered, as long as they may take.
        "timeout_graceful_shutdown": math.ceil(server.settings.manners.timeout) + 1,
    }


def _tell_workers(server: Server, host: str, folder: str) -> None:
    """Let several processes, which are started anew, know by the environment what the command line said.

    What they have to share besides is in ``folder``, and sealed with one key, unless the operator has said otherwise.
    """
    prefix = server.settings.prefix
    os.environ.update({name: value for name, value in server.environ.items() if name.startswith(f"{prefix}_")})
    os.environ[f"{prefix}_HOST"] = host
    if not read_secret(server.environ, f"{prefix}_STATE_KEYS"):
        os.environ[f"{prefix}_STATE_KEYS"] = secrets.token_urlsafe(32)
    if not server.environ.get(f"{prefix}_STATE_FOLDER"):
        os.environ[f"{prefix}_STATE_FOLDER"] = folder


async def _alive(_: Request) -> PlainTextResponse:
    """That the process answers; whether the API does is not asked, or every probe would be a call of it."""
    return PlainTextResponse("ok")


def cautions(server: Server, host: str) -> list[str]:
    """What an operator should know about serving on this address."""
    if host in ("localhost", "::1") or host.startswith("127."):
        return []
    variable = f"{server.settings.prefix}_ALLOWED_HOSTS"
    told: list[str] = []
    if not server.access.issuer:
        told.append(
            f"whoever reaches {host} can call these tools with the credentials of this server; it checks no tokens."
        )
    if not server.settings.allowed_hosts:
        told.append(f"requests are answered for the names {', '.join(_LOOPBACK)} only; name others in {variable}.")
    elif "*" in server.settings.allowed_hosts:
        told.append(f"{variable}=* answers requests for any host name; only web pages of other origins are refused.")
    return told


def _with_any_port(name: str) -> Sequence[str]:
    bare = name.removeprefix("[").partition("]")[2] if name.startswith("[") else name
    return (name,) if ":" in bare else (name, f"{name}:*")


class _OriginGuard:
    """Refuses web pages of other origins where any host name is answered."""

    def __init__(self, app: ASGIApp, origins: Sequence[str]) -> None:
        self._app = app
        self._exact = frozenset(origins)
        self._any_port = tuple(origin.removesuffix("*") for origin in origins if origin.endswith(":*"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            origin = dict(scope["headers"]).get(b"origin", b"").decode("latin-1")
            if origin and origin not in self._exact and not origin.startswith(self._any_port):
                await send({"type": "http.response.start", "status": 403, "headers": []})
                await send({"type": "http.response.body", "body": b"Invalid Origin header"})
                return
        await self._app(scope, receive, send)
