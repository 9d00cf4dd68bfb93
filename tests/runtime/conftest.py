"""A small emitted package, and an API on loopback for it to call."""

from __future__ import annotations

import contextlib
import importlib
import json
import shutil
import sys
import threading
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.types import CallToolResult, TextContent
from runtime.operation import Api, ServerUrl
from runtime.security import ApiKey, Basic, Token
from runtime.server import Server

RUNTIME = Path(__file__).parents[2] / "templates" / "runtime"

KEY, TOKEN, PASSWORD = "key-5f3a/9d+==", "token-77c1e0b2", "pass-word-61aa"
CREDENTIALS = {
    "PETSTORE_API_KEY": KEY,
    "PETSTORE_BEARER_AUTH": TOKEN,
    "PETSTORE_LOGIN_USERNAME": "robot-4417",
    "PETSTORE_LOGIN_PASSWORD": PASSWORD,
}
SECRETS = (*CREDENTIALS.values(), "cm9ib3QtNDQxNzpwYXNzLXdvcmQtNjFhYQ==", "key-5f3a%2F9d%2B%3D%3D")

OPERATIONS = """\
from __future__ import annotations

from typing import Any

from {runtime}.operation import Content, Field, Operation, Path, Query

LIST_PETS: Operation[Any, Any] = Operation(
    name="list_pets",
    method="GET",
    path="/pets",
    bindings=(Query("limit"), Query("filter_status", name="filter[status]"), Query("tags")),
    security=(("key",),),
    wrapped=True,
)
GET_PET: Operation[Any, Any] = Operation(
    name="get_pet",
    method="GET",
    path="/pets/{{petId}}",
    bindings=(Path("petId"),),
    security=(("bearer",), ("login", "key"), ()),
)
CREATE_PET: Operation[Any, Any] = Operation(
    name="create_pet",
    method="POST",
    path="/pets",
    bindings=(Field("name"), Field("tags"), Field("owner")),
    body=Content(),
    security=(("login",),),
)
FETCH: Operation[Any, Any] = Operation(name="fetch", method="GET", path="/fetch")
BROKEN: Operation[Any, Any] = Operation(name="broken", method="GET", path="/fetch", bindings=(None,))  # type: ignore
"""

PET = {
    "type": "object",
    "properties": {
        "id": {"type": ["integer", "string", "null"]},
        "name": {"type": ["string", "null"]},
        "owner": {
            "type": ["object", "null"],
            "properties": {"email": {"type": ["string", "null"]}},
        },
    },
}


def tool(
    name: str, properties: Mapping[str, Any], output: Any = None, required: tuple[str, ...] = ()
) -> dict[str, Any]:
    """An entry of ``tools.json``."""
    schema = {"type": "object", "properties": properties, "required": [*required], "additionalProperties": False}
    hints = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": True}
    entry = {"name": name, "title": name, "description": name, "inputSchema": schema, "annotations": hints}
    return entry if output is None else {**entry, "outputSchema": output}


TOOLS = [
    tool(
        "list_pets",
        {
            "limit": {"type": "integer", "minimum": 1},
            "filter_status": {"type": "string", "enum": ["sold", "free"]},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        {"type": "object", "properties": {"result": {"type": ["array", "null"], "items": PET}}},
    ),
    tool("get_pet", {"petId": {"type": "integer"}}, PET, ("petId",)),
    tool(
        "create_pet",
        {
            "name": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "integer"}},
            "owner": {"type": "object", "properties": {"age": {"type": "integer"}}, "additionalProperties": False},
        },
        None,
        ("name",),
    ),
    tool("fetch", {}),
    tool("broken", {}),
]


@dataclass(slots=True)
class Reply:
    """What the API answers; a body that is a function writes its chunks itself."""

    status: int = 200
    body: bytes | Callable[[Callable[[bytes], object]], None] = b"{}"
    content_type: str | None = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(slots=True)
class Received:
    """A request that the API got; header names are in lower case."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


@dataclass(slots=True)
class Upstream:
    """An API on loopback: it keeps what it gets, and answers what a test has set for a path."""

    url: str = ""
    replies: dict[str, Reply] = field(default_factory=dict[str, Reply])
    received: list[Received] = field(default_factory=list[Received])
    scripts: dict[str, list[Reply]] = field(default_factory=dict[str, list[Reply]])

    def script(self, path: str, *replies: Mapping[str, Any]) -> None:
        """Answer with one after the other, and from then on as set otherwise."""
        self.scripts[path] = [Reply(**reply) for reply in replies]

    def reply(self, path: str, **reply: Any) -> None:
        """Answer this from now on."""
        self.replies[path] = Reply(**reply)

    def reply_json(self, path: str, value: object) -> None:
        """Answer with this value as JSON."""
        self.replies[path] = Reply(body=json.dumps(value).encode())


@pytest.fixture
def upstream() -> Generator[Upstream]:
    """An API that answers ``{}`` to everything until told otherwise."""
    state = Upstream()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            state.received.append(Received(self.command, self.path, headers, body))
            path = self.path.partition("?")[0]
            script = state.scripts.get(path)
            reply = script.pop(0) if script else state.replies.get(path, Reply())
            self.send_response(reply.status)
            if reply.content_type is not None:
                self.send_header("Content-Type", reply.content_type)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if isinstance(reply.body, bytes):
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)
            else:
                self.send_header("Connection", "close")
                self.end_headers()
                self.close_connection = True
                with contextlib.suppress(OSError):  # the client may have read enough
                    reply.body(self.wfile.write)

        do_GET = do_POST = do_PUT = do_DELETE = do_QUERY = do_COPY = do_Link = do_any  # noqa: N815

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield state
    server.shutdown()
    server.server_close()
    thread.join()


def write_package(directory: Path, name: str, runtime: str, tools: list[dict[str, Any]], servers: str = "()") -> None:
    """Write what the generator would: ``<name>.api`` with its contract and groups, and the runtime if it is its own."""
    package = directory / name
    groups = package / "api" / "groups"
    groups.mkdir(parents=True)
    (package / "__init__.py").touch()
    (groups / "__init__.py").touch()
    (groups / "pets.py").write_text(OPERATIONS.format(runtime=runtime))
    (package / "api" / "tools.json").write_text(json.dumps({"tools": tools}))
    names = tuple(entry["name"] for entry in tools)
    (package / "api" / "__init__.py").write_text(
        f"from {runtime}.operation import Api, ServerUrl\n"
        f"from {runtime}.security import ApiKey, Basic, Token\n"
        f"API = Api(name='petstore', title='Pet Store', version='1.2', package=__name__, environment='PETSTORE',\n"
        f"    instructions='Pets.', groups={{'pets': {names!r}}}, servers={servers},\n"
        f"    security={SCHEMES!r})\n"
    )
    if runtime == f"{name}._runtime":
        shutil.copytree(RUNTIME, package / "_runtime", ignore=shutil.ignore_patterns("__pycache__"))
        (package / "server.py").write_text(
            "from ._runtime.server import Server\nfrom .api import API\n\n\ndef build():\n    return Server(API)\n"
        )
        (package / "__main__.py").write_text(
            "from ._runtime.command import run\nfrom .server import build\n\nraise SystemExit(run(build))\n"
        )


SCHEMES = {
    "key": ApiKey("PETSTORE_API_KEY", "query", "api_key"),
    "bearer": Token("PETSTORE_BEARER_AUTH"),
    "login": Basic("PETSTORE_LOGIN_USERNAME", "PETSTORE_LOGIN_PASSWORD"),
}


@pytest.fixture(scope="session")
def emitted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package ``petstore_mcp``, as emitted."""
    directory = tmp_path_factory.mktemp("emitted")
    write_package(directory, "petstore_mcp", "petstore_mcp._runtime", TOOLS)
    return directory


@pytest.fixture(scope="session")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package ``petstore_mcp`` that has 2,000 tools."""
    directory = tmp_path_factory.mktemp("crowded")
    text = "x" * 700
    tools = [{**tool(f"tool_{number}", {"limit": {"type": "integer"}}), "description": text} for number in range(2_000)]
    write_package(directory, "petstore_mcp", "petstore_mcp._runtime", tools)
    return directory


@pytest.fixture(scope="session")
def api(tmp_path_factory: pytest.TempPathFactory) -> Api:
    """The API of a package that uses the runtime of this repository."""
    directory = tmp_path_factory.mktemp("packages")
    write_package(directory, "petstore_of_tests", "runtime", TOOLS)
    sys.path.insert(0, str(directory))
    return importlib.import_module("petstore_of_tests.api").API


@pytest.fixture
def server(api: Api, upstream: Upstream) -> Server:
    """A server with all credentials, in front of the API on loopback."""
    return Server(api, environ={"PETSTORE_BASE_URL": upstream.url, **CREDENTIALS})


def call(server: Server, tool: str, arguments: Any = None) -> CallToolResult:
    """The result of one call, from outside of an event loop."""

    async def once() -> CallToolResult:
        async with server:
            return await server.call(tool, {} if arguments is None else arguments)

    return anyio.run(once)


def text(result: CallToolResult) -> str:
    """The text of a result."""
    return "\n".join(block.text for block in result.content if isinstance(block, TextContent))


def api_at(url: str, **changes: Any) -> Api:
    """An API with one server and no package."""
    values: dict[str, Any] = {
        "name": "petstore",
        "title": "Pet Store",
        "version": "1.2",
        "package": "nowhere",
        "environment": "PETSTORE",
        "instructions": "",
        "groups": {},
        "servers": (ServerUrl(url),) if url else (),
        "security": SCHEMES,
    }
    return Api(**{**values, **changes})
