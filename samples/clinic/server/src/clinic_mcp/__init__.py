"""An MCP server for Clinic."""
