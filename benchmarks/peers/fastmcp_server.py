"""FastMCP's server of a document, over stdio: ``fastmcp_server.py DOCUMENT``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import httpx2 as httpx
from fastmcp import FastMCP

document = json.loads(Path(sys.argv[1]).read_text("utf-8"))
FastMCP.from_openapi(document, client=httpx.AsyncClient(base_url="http://127.0.0.1:9")).run(show_banner=False)
