"""Emit: a Catalog becomes Files, what shall be on disk."""
