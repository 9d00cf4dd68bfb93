"""Calls of an emitted package in process: ``calls.py SOURCE URL ROUNDS`` prints medians as JSON."""

from __future__ import annotations

import asyncio
import json
import sys
from importlib import import_module

import httpx2
from mcp import Client
from timing import rounds


async def main(source: str, url: str, count: int) -> None:
    """Measure."""
    sys.path.insert(0, source)
    api, runtime = import_module("thousand_mcp.api"), import_module("thousand_mcp._runtime.server")
    environ = {"THOUSAND_BASE_URL": url, "NO_PROXY": "127.0.0.1"}
    server = runtime.Server(api.API, environ=environ)
    async with (
        httpx2.AsyncClient(trust_env=False, limits=httpx2.Limits(max_connections=100)) as bare,
        server,
        Client(runtime.Server(api.API, environ=environ).lowlevel()) as client,
    ):
        kinds = {
            "httpx2": lambda: bare.get(f"{url}/kind0/7", headers={"accept": "application/json"}),
            "handler": lambda: server.call("get_kind0", {"id": 7}),
            "SDK": lambda: client.call_tool("get_kind0", {"id": 7}),
        }
        print(json.dumps(await rounds(kinds, count)))


asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
