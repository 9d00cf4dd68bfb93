"""The security schemes of the API, and the environment variables that hold their credentials."""

from __future__ import annotations

from collections.abc import Mapping

from .._runtime.security import Basic, Scheme

SCHEMES: Mapping[str, Scheme] = {"staff": Basic("CLINIC_STAFF_USERNAME", "CLINIC_STAFF_PASSWORD")}
