"""The security schemes of the API, and the environment variables that hold their credentials."""

from __future__ import annotations

from collections.abc import Mapping

from .._runtime.security import Scheme

SCHEMES: Mapping[str, Scheme] = {}
