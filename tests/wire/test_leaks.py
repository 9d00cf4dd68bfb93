"""Secrets of every kind, an API that gives away what it gets, and every output: none of them stands in any."""

from __future__ import annotations

import base64
import datetime
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, quote_plus

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from toolcast import pipeline
from toolcast.diagnostics import Report

from .conftest import ended, free_port, wait_for

pytestmark = pytest.mark.anyio


def certificate() -> tuple[str, str]:
    """A certificate and its key, as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "leak")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now)
        .not_valid_after(now + datetime.timedelta(hours=1))
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return made.public_bytes(serialization.Encoding.PEM).decode(), private.decode()


WAYS = ("echo", "fine", "401", "403", "500", "redirect", "close", "bad")
SECRETS = {
    "LEAK_HEADER_KEY": "header-key-5f3a/9d+==",
    "LEAK_QUERY_KEY": "query-key-81b2/+&=\"'é",
    "LEAK_COOKIE_KEY": "cookie-key-77c1/+=",
    "LEAK_BASIC_USERNAME": "basic-user-4417",
    "LEAK_BASIC_PASSWORD": 'basic-password-61aa/"+\\',
    "LEAK_BEARER": "bearer-token-0b2e/+==",
    "LEAK_MACHINE_CLIENT_SECRET": "machine-secret-8c1f:/+",
    "LEAK_PERSON_CLIENT_SECRET": "person-secret-19dd:/+",
    "LEAK_PERSON_PASSWORD": "person-password-55e2&=",
    "LEAK_OFFLINE_CLIENT_SECRET": "offline-secret-e07a:/+",
    "LEAK_OFFLINE_REFRESH_TOKEN": "refresh-token-a3a3/+",
    "LEAK_GIVEN_TOKEN": "given-access-token-6e6e/+",
    "LEAK_LINKED_CLIENT_SECRET": "linked-secret-3d3d:/+",
    "LEAK_LINKED_REFRESH_TOKEN": "linked-refresh-token-92c0/+",
    "LEAK_DEVICE_REFRESH_TOKEN": "device-refresh-token-b41e/+",
    "LEAK_FILED": "filed-token-2d90/+==",
    "LEAK_HANDED": "own-of-the-server-cc41/+",
    "LEAK_STATE_KEYS": "state-key-" + "9f3c" * 10,
}
HANDED, PROVIDED = "handed-over-b8b8/+==", "provided-key-d1d1/+=="
EXTRA = "extra-header-7a7a/+=="  # in LEAK_HEADERS
GRANTED = re.compile(r"granted-[0-9a-z_]+-\d+")
IDS = {
    "LEAK_MACHINE_CLIENT_ID": "machine",
    "LEAK_PERSON_CLIENT_ID": "person",
    "LEAK_PERSON_USERNAME": "ann",
    "LEAK_OFFLINE_CLIENT_ID": "offline",
    "LEAK_LINKED_CLIENT_ID": "linked",
    "LEAK_DEVICE_CLIENT_ID": "device",
}
CERTIFICATE, KEY = certificate()
KEY_LINE = KEY.splitlines()[1]
ALL = (*SECRETS.values(), HANDED, PROVIDED, EXTRA, KEY_LINE)
OF_AUTHORITY = {value for name, value in SECRETS.items() if re.search("CLIENT_SECRET|PERSON_PASSWORD|REFRESH", name)}


def spellings(secret: str) -> set[str]:
    """A secret as it is, and as it is written in URLs, in JSON (once and twice) and in base64."""
    once = json.dumps(secret)[1:-1]
    encoded = {base64.b64encode(secret.encode()).decode(), base64.urlsafe_b64encode(secret.encode()).decode()}
    return {secret, quote(secret), quote(secret, safe=""), quote_plus(secret), once, json.dumps(once)[1:-1], *encoded}


def found(text: str, secrets: Any = ALL) -> list[str]:
    """The secrets that stand in a text; the pair of the basic credentials and granted tokens are among them."""
    user, password = SECRETS["LEAK_BASIC_USERNAME"], SECRETS["LEAK_BASIC_PASSWORD"]
    pair = base64.b64encode(f"{user}:{password}".encode()).decode()
    stands = [secret for secret in secrets if any(spelling in text for spelling in spellings(secret))]
    return stands + GRANTED.findall(text) + ([pair] if pair in text else [])


@dataclass(slots=True)
class Origin:
    """A server on loopback, and all that each request to it said."""

    url: str = ""
    got: list[str] = field(default_factory=list[str])
    count: int = 0


@contextmanager
def origin(elsewhere: str = "") -> Generator[tuple[Origin, Origin]]:
    """An API that gives away what it gets, with what its token endpoint got apart."""
    api, authority = Origin(), Origin()

    class Handler(BaseHTTPRequestHandler):
        def do_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
            said = f"{self.path}\n{self.headers}\n{body}"
            if self.path == "/.well-known/openid-configuration":
                return self.answer(200, json.dumps({"issuer": api.url, "token_endpoint": f"{api.url}/token"}))
            if self.path == "/token":
                form = dict(parse_qsl(body))
                authority.got.append(said)
                authority.count += 1
                granted = f"granted-{form['grant_type']}-{authority.count}"
                return self.answer(200, json.dumps({"access_token": granted, "token_type": "Bearer"}))
            api.got.append(said)
            way = self.path.partition("?")[0].rpartition("/")[2]
            told = {"message": said, "headers": dict(self.headers), "query": self.path}
            match way:
                case "redirect":
                    return self.answer(302, "", Location=f"{elsewhere}/landed")
                case "close":
                    self.close_connection = True
                    return None
                case "bad":
                    return self.answer(200, f'{{"id": {json.dumps(said)},,')
                case "401" | "403" | "500":
                    # The challenge is the server's own words, too.
                    challenge = {"WWW-Authenticate": f'Bearer error="{self.headers.get("Authorization", "")}"'}
                    return self.answer(int(way), json.dumps(told), **challenge)
                case "fine":
                    return self.answer(200, json.dumps(told))
                case "echo":
                    return self.answer(400, json.dumps(told))
                case _:
                    return self.answer(200, "{}")

        def answer(self, status: int, content: str, **headers: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content.encode())))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content.encode())

        do_GET = do_POST = do_any  # noqa: N815

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    api.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield api, authority
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def document(url: str) -> dict[str, Any]:
    """An API with one operation for each scheme."""
    grant: dict[str, Any] = {"tokenUrl": f"{url}/token", "scopes": {}}
    code: dict[str, Any] = {**grant, "authorizationUrl": f"{url}/authorize"}
    schemes: dict[str, Any] = {
        "headerKey": {"type": "apiKey", "in": "header", "name": "X-Key"},
        "queryKey": {"type": "apiKey", "in": "query", "name": "key"},
        "cookieKey": {"type": "apiKey", "in": "cookie", "name": "key"},
        "basic": {"type": "http", "scheme": "basic"},
        "bearer": {"type": "http", "scheme": "bearer"},
        "machine": {"type": "oauth2", "flows": {"clientCredentials": grant}},
        "person": {"type": "oauth2", "flows": {"password": grant}},
        "offline": {"type": "oauth2", "flows": {"authorizationCode": code}},
        "linked": {"type": "openIdConnect", "openIdConnectUrl": f"{url}/.well-known/openid-configuration"},
        "device": {
            "type": "oauth2",
            "flows": {"deviceAuthorization": {**grant, "deviceAuthorizationUrl": f"{url}/device"}},
        },
        "certified": {"type": "mutualTLS"},
        "given": {"type": "oauth2", "flows": {"authorizationCode": code}},
        "filed": {"type": "http", "scheme": "bearer"},
        "handed": {"type": "apiKey", "in": "header", "name": "X-Handed"},
        "provided": {"type": "apiKey", "in": "header", "name": "X-Provided"},
    }
    way = {"name": "way", "in": "path", "required": True, "schema": {"type": "string"}}
    answer = {"description": "A thing", "content": {"application/json": {"schema": {"type": "object"}}}}
    paths: dict[str, Any] = {
        f"/{name}/{{way}}": {
            "get": {
                "operationId": f"get_{name.lower()}",
                "parameters": [way],
                "security": [{name: []}],
                "responses": {"200": answer},
            }
        }
        for name in schemes
    }
    return {
        "openapi": "3.2.0",
        "info": {"title": "Leaks", "version": "1"},
        "servers": [{"url": url}],
        "paths": paths,
        "components": {"securitySchemes": schemes},
    }


SCHEMES: dict[str, Any] = document("")["components"]["securitySchemes"]
# What ``opentelemetry-instrument`` would set up, with everything written to a file.
TRACED = """
import atexit, os

from opentelemetry import metrics, trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import ConsoleMetricExporter, PeriodicExportingMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor

traces = open(os.environ["TRACES"], "a")
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(ConsoleSpanExporter(out=traces)))
trace.set_tracer_provider(provider)
metrics.set_meter_provider(MeterProvider([PeriodicExportingMetricReader(ConsoleMetricExporter(out=traces))]))
"""
SERVER = f"""
from ._runtime.server import Server
from .api import API


async def given(call):
    return {{"LEAK_PROVIDED": {PROVIDED!r}}}


def build():
    return Server(API).credentials(given)
"""


@dataclass(slots=True)
class Run:
    """One package with all secrets, the three origins, and all that was said."""

    environment: dict[str, str]
    api: Origin
    authority: Origin
    elsewhere: Origin
    folder: Path
    outputs: dict[str, str] = field(default_factory=dict[str, str])

    def command(self, *arguments: str) -> None:
        """Run the command to its end."""
        done = subprocess.run(
            [sys.executable, "-m", "leak_mcp", *arguments],
            env=self.environment, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        self.outputs[" ".join(arguments)] = done.stdout + done.stderr

    async def calls(self, client: Client, told: str) -> None:
        """Call every tool in every way."""
        tools = (await client.list_tools()).tools
        answers = [tool.model_dump_json() for tool in tools]
        assert len(tools) == len(SCHEMES)
        for tool in tools:
            for way in WAYS:
                result = await client.call_tool(tool.name, {"way": way})
                assert result.is_error or way in ("fine", "redirect", "bad"), (tool.name, way, result)
                answers.append(result.model_dump_json())
        self.outputs[told] = "\n".join(answers)


@pytest.fixture
def run(tmp_path: Path) -> Generator[Run]:
    """The package, ready to be run."""
    with origin() as (elsewhere, _), origin(elsewhere.url) as (api, authority):
        source = tmp_path / "openapi.json"
        source.write_text(json.dumps(document(api.url)))
        assert pipeline.generate(str(source), tmp_path / "made", report=Report(), name="leak").applied
        package = tmp_path / "made" / "src"
        (package / "leak_mcp" / "server.py").write_text(SERVER)
        (tmp_path / "sitecustomize.py").write_text(TRACED)
        (tmp_path / "filed").write_text(SECRETS["LEAK_FILED"] + "\n")
        direct = {name: value for name, value in SECRETS.items() if name != "LEAK_FILED"}
        settings: Mapping[str, str] = {
            **IDS,
            **direct,
            "LEAK_FILED_FILE": str(tmp_path / "filed"),
            "LEAK_HEADERS": json.dumps({"X-Extra-Token": EXTRA}),
            "LEAK_AUDIT": str(tmp_path / "audit.log"),
            "LEAK_LOG": "debug",
            "LEAK_CLIENT_CERTIFICATE": CERTIFICATE,
            "LEAK_CLIENT_KEY": KEY,
            "TRACES": str(tmp_path / "traces"),
            "LEAK_RETRIES": "0",
            "LEAK_REDIRECTS": "3",
            "LEAK_BASE_URL": api.url,
            "NO_PROXY": "127.0.0.1",
            "PYTHONPATH": f"{package}{os.pathsep}{tmp_path}",
            "HOME": str(tmp_path),
        }
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("LEAK_")}
        yield Run({**inherited, **settings}, api, authority, elsewhere, tmp_path)


async def test_no_secret_stands_where_it_does_not_belong(run: Run) -> None:
    for arguments in (("doctor",), ("--list",), ("--json",), ("call", "get_querykey", '{"way": "echo"}')):
        run.command(*arguments)

    parameters = StdioServerParameters(command=sys.executable, args=["-m", "leak_mcp"], env=run.environment)
    with (run.folder / "stdio.log").open("w+") as errors:
        async with Client(stdio_client(parameters, errlog=errors)) as client:
            await run.calls(client, "stdio")
        errors.seek(0)
        run.outputs["stderr of stdio"] = errors.read()

    run.environment["LEAK_CALLER_CREDENTIALS"] = "X-Caller-Key=LEAK_HANDED"
    port = free_port()
    command = [sys.executable, "-m", "leak_mcp", "--http", "--port", str(port)]
    with (run.folder / "http.log").open("w+") as errors:
        with ended(subprocess.Popen(command, env=run.environment, stderr=errors, stdout=errors)):
            wait_for(port)
            url = f"http://127.0.0.1:{port}/mcp"
            async with (
                httpx2.AsyncClient(headers={"X-Caller-Key": HANDED}, timeout=60) as session,
                Client(streamable_http_client(url, http_client=session)) as client,
            ):
                await run.calls(client, "http")
        errors.seek(0)
        run.outputs["stdout and stderr of http"] = errors.read()
    run.outputs["traces"] = (run.folder / "traces").read_text("utf-8")
    run.outputs["audit"] = (run.folder / "audit.log").read_text("utf-8")

    calls = 2 * len(SCHEMES) * len(WAYS)
    assert len(run.outputs["audit"].splitlines()) >= calls and run.outputs["traces"].count("url.full") >= calls
    assert {name: found(text) for name, text in run.outputs.items() if found(text)} == {}
    # Each secret got where it belongs, or the run would prove nothing; and nowhere else.
    api, authority, elsewhere = ("\n".join(one.got) for one in (run.api, run.authority, run.elsewhere))
    of_server = {SECRETS["LEAK_STATE_KEYS"], KEY_LINE}
    of_api = set(ALL) - OF_AUTHORITY - of_server
    assert len(run.elsewhere.got) == 2 * len(SCHEMES), "redirects are followed, without credentials"
    assert found(elsewhere) == [], "the other origin of a redirect"
    assert set(found(api, OF_AUTHORITY | of_server)) == set(GRANTED.findall(api)) | basic_pair()
    assert found(authority, of_api | of_server) == []
    apart = {SECRETS["LEAK_BASIC_USERNAME"], SECRETS["LEAK_BASIC_PASSWORD"]}  # which go as a pair
    assert of_api - apart <= set(found(api))
    assert len(run.authority.got) >= 3


def basic_pair() -> set[str]:
    """The basic credentials as they are sent."""
    pair = f"{SECRETS['LEAK_BASIC_USERNAME']}:{SECRETS['LEAK_BASIC_PASSWORD']}"
    return {base64.b64encode(pair.encode()).decode()}
