"""Toolcast: an OpenAPI document in, a standalone MCP server package out."""

__version__ = "0.1.0"
