"""An MCP server for Bookshop."""
