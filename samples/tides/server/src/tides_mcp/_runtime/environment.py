"""Values of environment variables; an empty variable counts as unset."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import cast

from .errors import SettingsError


def switch(variable: str, environ: Mapping[str, str], *, default: bool) -> bool:
    """What a variable switches; raises ``SettingsError`` on what is neither on nor off."""
    match (environ.get(variable) or "").strip().lower():
        case "":
            return default
        case "1" | "on" | "true" | "yes":
            return True
        case "0" | "off" | "false" | "no":
            return False
        case _:
            raise SettingsError(f"{variable} must be on or off")


def number(variable: str, environ: Mapping[str, str], default: float, *, least: float) -> float:
    """The number that a variable holds; raises ``SettingsError`` on any other text and on one below ``least``."""
    text = (environ.get(variable) or "").strip()
    try:
        value = float(text) if text else default
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= least):
        raise SettingsError(f"{variable} must be a number, at least {least:g}")
    return value


def numbers(variable: str, environ: Mapping[str, str], *, least: float) -> dict[str, float]:
    """The JSON object of numbers that a variable holds; raises ``SettingsError`` on anything else."""
    text = (environ.get(variable) or "").strip()
    try:
        value: object = json.loads(text or "{}")
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise SettingsError(f"{variable} must be a JSON object of numbers by name")
    values = cast("dict[str, object]", value)
    return {
        name: number(f"{variable} ({name})", {f"{variable} ({name})": str(one)}, 0, least=least)
        for name, one in values.items()
    }
