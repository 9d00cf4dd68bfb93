"""The requests that the tools become."""
