"""An MCP server for Fleet."""
