"""Hosts: how each MCP client is told about this server, in the words of its own configuration."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

# Where the text goes, by client.
FILES: Final[Mapping[str, str]] = {
    "claude-code": ".mcp.json",
    "claude-desktop": "claude_desktop_config.json",
    "codex": "~/.codex/config.toml",
    "cursor": ".cursor/mcp.json",
    "gemini": "~/.gemini/settings.json",
    "vscode": ".vscode/mcp.json",
    "windsurf": "~/.codeium/windsurf/mcp_config.json",
}


def configuration(client: str, name: str, command: str, secrets: Iterable[str], url: str = "") -> str:
    """The text for a client: a server of that name, started by a command, or already running at a URL.

    ``secrets`` are the environment variables that the server reads; no value is written, only where it is found.
    """
    names = sorted(secrets)
    match client:
        case "codex":
            return _codex(name, command, names, url)
        case "vscode":
            inputs = [
                {"type": "promptString", "id": one.lower(), "description": one, "password": True} for one in names
            ]
            server: dict[str, Any] = {"type": "http", "url": url} if url else {"type": "stdio", "command": command}
            if names and not url:
                server["env"] = {one: f"${{input:{one.lower()}}}" for one in names}
            return _json({"servers": {name: server}} | ({"inputs": inputs} if inputs and not url else {}))
        case "cursor":
            return _json({"mcpServers": {name: _server(command, names, "${env:%s}", url, "url")}})
        case "windsurf":
            return _json({"mcpServers": {name: _server(command, names, "${env:%s}", url, "serverUrl")}})
        case "gemini":
            return _json({"mcpServers": {name: _server(command, names, "$%s", url, "httpUrl")}})
        case "claude-desktop":
            # It expands nothing: whoever edits the file writes the values there.
            return _json({"mcpServers": {name: _server(command, names, "<value of %s>", url, "url")}})
        case _:
            server = _server(command, names, "${%s}", url, "url")
            return _json({"mcpServers": {name: {"type": "http", **server} if url else server}})


def _server(command: str, names: list[str], pattern: str, url: str, url_key: str) -> dict[str, Any]:
    if url:
        return {url_key: url}
    return {"command": command} | ({"env": {one: pattern % one for one in names}} if names else {})


def _codex(name: str, command: str, names: list[str], url: str) -> str:
    lines = [f"[mcp_servers.{_key(name)}]"]
    if url:
        lines.append(f"url = {json.dumps(url)}")
    else:
        lines.append(f"command = {json.dumps(command)}")
        if names:  # taken over from the environment in which codex runs
            lines.append(f"env_vars = {json.dumps(names)}")
    return "\n".join(lines)


def _key(name: str) -> str:
    return name if name.replace("-", "").replace("_", "").isalnum() and name.isascii() else json.dumps(name)


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, indent=2)
