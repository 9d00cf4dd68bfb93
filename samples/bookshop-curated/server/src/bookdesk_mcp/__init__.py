"""An MCP server for The desk of the bookshop."""
