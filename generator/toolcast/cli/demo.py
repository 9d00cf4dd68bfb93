"""``toolcast demo``: the main job, seen from both ends."""

from __future__ import annotations
from toolcast.cli.app import app
@app.command()
def demo() -> None:
    """Show"""
