"""An MCP server for Tides."""
