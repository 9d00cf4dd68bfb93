"""The command line: one module a command. What does the work is loaded when it is first used: help is at once."""

from __future__ import annotations

import sys
from importlib.util import LazyLoader, find_spec, module_from_spec
from typing import Final

_WORK: Final = (
    "toolcast.comparing",
    "toolcast.drift",
    "toolcast.explaining",
    "toolcast.package",
    "toolcast.pipeline",
    "toolcast.templating",
    "toolcast.view.changes",
    "toolcast.view.document",
    "toolcast.view.files",
    "toolcast.view.linting",
    "toolcast.view.machine",
    "toolcast.view.overview",
    "toolcast.view.page.page",
    "toolcast.view.templates",
    "toolcast.view.terminal",
    "toolcast.watching",
)


def _later(name: str) -> None:
    """Let a module be there, and be executed when one of its members is asked for."""
    spec = find_spec(name)
    assert spec is not None and spec.loader is not None
    spec.loader = LazyLoader(spec.loader)
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    parent, _, child = name.rpartition(".")
    setattr(sys.modules[parent], child, module)


for _name in _WORK:
    if _name not in sys.modules:
        _later(_name)
