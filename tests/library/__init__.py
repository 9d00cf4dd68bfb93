"""Toolcast as a library."""
