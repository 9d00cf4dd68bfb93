"""Calls through FastMCP in process: ``fastmcp_calls.py DOCUMENT URL ROUNDS`` prints medians as JSON."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import httpx2 as httpx
from fastmcp import Client, FastMCP

sys.path.insert(0, str(Path(__file__).parent))
from timing import rounds


async def main(document: str, url: str, count: int) -> None:
    """Measure."""
    api = httpx.AsyncClient(base_url=url, trust_env=False)
    server = FastMCP.from_openapi(json.loads(Path(document).read_text("utf-8")), client=api)
    async with httpx.AsyncClient(trust_env=False) as bare, Client(server) as client:
        kinds = {
            "httpx2": lambda: bare.get(f"{url}/kind0/7", headers={"accept": "application/json"}),
            "FastMCP": lambda: client.call_tool("get_kind0", {"id": 7}),
        }
        print(json.dumps(await rounds(kinds, count)))


asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
