"""Mutual TLS: the API asks who calls, and sees the operator's certificate; nobody else does."""

from __future__ import annotations

import datetime
import http.server
import socket
import ssl
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import anyio
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from runtime.credentials import Proof
from runtime.errors import CallError, SettingsError
from runtime.request import Request
from runtime.settings import Settings
from runtime.upstream import Upstream

from .conftest import api_at


@dataclass(frozen=True)
class Identity:
    """A certificate and its key, as PEM."""

    certificate: str
    key: str


class Issuer:
    """An authority that issues certificates."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "authority")])
        self.certificate = self._signed(self._name, self._key.public_key(), authority=True)

    def issue(self, name: str) -> Identity:
        """A certificate for a name, and for 127.0.0.1."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        return Identity(self._signed(subject, key.public_key()), private.decode())

    def _signed(self, subject: x509.Name, public: ec.EllipticCurvePublicKey, *, authority: bool = False) -> str:
        now = datetime.datetime.now(datetime.UTC)
        made = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(public)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(hours=1))
            .not_valid_after(now + datetime.timedelta(hours=1))
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
            .sign(self._key, hashes.SHA256())
        )
        return made.public_bytes(serialization.Encoding.PEM).decode()


ISSUER = Issuer()
ROBOT = ISSUER.issue("robot")


@contextmanager
def secured(folder: Path, *, required: bool) -> Generator[tuple[str, list[str]]]:
    """An API over TLS that asks for a certificate: its URL, and the names that it saw."""
    own = ISSUER.issue("api")
    (folder / "ca.pem").write_text(ISSUER.certificate)
    (folder / "own.pem").write_text(own.certificate + own.key)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "own.pem")
    context.load_verify_locations(folder / "ca.pem")
    context.verify_mode = ssl.CERT_REQUIRED if required else ssl.CERT_OPTIONAL
    seen: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            connection: ssl.SSLSocket = self.connection  # type: ignore[assignment]
            shown = str((connection.getpeercert() or {}).get("subject", ""))
            seen.append("robot" if "'robot'" in shown else shown)
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    class Quiet(http.server.ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            pass

        def shutdown_request(self, request: Any) -> None:
            """Close when the client has read the alert: what it has sent meanwhile would reset the connection."""
            with socket.socket(fileno=request.detach()) as plain, suppress(OSError):
                plain.settimeout(5)
                plain.shutdown(socket.SHUT_WR)
                while plain.recv(4096):
                    pass

    with Quiet(("127.0.0.1", 0), Handler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"https://127.0.0.1:{server.server_port}", seen
        finally:
            server.shutdown()
            thread.join()


def ask(url: str, environ: dict[str, str], *, known: bool = True) -> int:
    """The status of a request with these settings, to the API or to somebody else."""
    settings = Settings.read(api_at(url), {"PETSTORE_RETRIES": "0", **environ})

    async def go() -> int:
        upstream = Upstream(settings, "test/1")
        request = Request("GET", f"{url}/pets", (), None)
        try:
            response = await (upstream.send(request, Proof()) if known else upstream.plain(request))
            return response.status
        finally:
            await upstream.aclose()

    return anyio.run(go)


@pytest.fixture(autouse=True)
def trusting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trust the authority, as ``SSL_CERT_FILE`` says."""
    (tmp_path / "trusted.pem").write_text(ISSUER.certificate)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "trusted.pem"))


@pytest.mark.parametrize("way", ["both in one", "two values", "files"])
def test_the_api_sees_the_certificate(tmp_path: Path, way: str) -> None:
    (tmp_path / "cert.pem").write_text(ROBOT.certificate)
    (tmp_path / "key.pem").write_text(ROBOT.key)
    environ = {
        "both in one": {"PETSTORE_CLIENT_CERTIFICATE": ROBOT.certificate + ROBOT.key},
        "two values": {"PETSTORE_CLIENT_CERTIFICATE": ROBOT.certificate, "PETSTORE_CLIENT_KEY": ROBOT.key},
        "files": {
            "PETSTORE_CLIENT_CERTIFICATE_FILE": str(tmp_path / "cert.pem"),
            "PETSTORE_CLIENT_KEY_FILE": str(tmp_path / "key.pem"),
        },
    }[way]
    with secured(tmp_path, required=True) as (url, seen):
        assert ask(url, environ) == 200
        assert seen == ["robot"]


def test_others_do_not_see_it(tmp_path: Path) -> None:
    environ = {"PETSTORE_CLIENT_CERTIFICATE": ROBOT.certificate, "PETSTORE_CLIENT_KEY": ROBOT.key}
    with secured(tmp_path, required=False) as (url, seen):
        assert ask(url, environ, known=False) == 200
        assert ask(url, environ) == 200
        assert seen == ["", "robot"]


def test_without_one_the_variable_is_named(tmp_path: Path) -> None:
    with secured(tmp_path, required=True) as (url, seen):
        with pytest.raises(CallError, match="PETSTORE_CLIENT_CERTIFICATE"):
            ask(url, {})
        assert seen == []


@pytest.mark.parametrize("environ", [{}, {"PETSTORE_CLIENT_CERTIFICATE": "external"}])
def test_another_program_may_show_one(tmp_path: Path, environ: dict[str, str]) -> None:
    with secured(tmp_path, required=False) as (url, seen):
        assert ask(url, environ) == 200
        assert seen == [""]


@pytest.mark.parametrize("both", [True, False])
def test_the_key_is_redacted_wherever_it_stands(both: bool) -> None:
    together = {"PETSTORE_CLIENT_CERTIFICATE": ROBOT.certificate + ROBOT.key}
    apart = {"PETSTORE_CLIENT_CERTIFICATE": ROBOT.certificate, "PETSTORE_CLIENT_KEY": ROBOT.key}
    settings = Settings.read(api_at("https://127.0.0.1"), together if both else apart)
    line = ROBOT.key.splitlines()[1]
    assert line not in settings.redact(f"the key {line}")


@pytest.mark.parametrize(
    "environ",
    [
        {"CLIENT_KEY": ROBOT.key},
        {"CLIENT_CERTIFICATE": ROBOT.certificate},
        {"CLIENT_CERTIFICATE": ROBOT.certificate, "CLIENT_KEY": ISSUER.issue("other").key},
        {"CLIENT_CERTIFICATE": "no PEM", "CLIENT_KEY": ROBOT.key},
    ],
)
def test_what_is_no_certificate_with_its_key_stops_the_start(environ: dict[str, str]) -> None:
    own = {f"PETSTORE_{name}": value for name, value in environ.items()}
    with pytest.raises(SettingsError, match="PETSTORE_CLIENT") as caught:
        Settings.read(api_at("https://127.0.0.1"), own)
    assert ROBOT.key.splitlines()[1] not in str(caught.value)
