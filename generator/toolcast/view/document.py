"""A document as text: YAML or JSON that is read as the very same values."""

from __future__ import annotations

from typing import Any

import orjson

from toolcast.model.json import Json


def json(root: Json) -> str:
    """The document as JSON."""
    return orjson.dumps(root, option=orjson.OPT_INDENT_2).decode() + "\n"


def yaml(root: Json) -> str:
    """The document as YAML 1.2 (core schema), which readers of YAML 1.1 take for the same."""
    import yaml

    base: Any = yaml.CSafeDumper if yaml.__with_libyaml__ else yaml.SafeDumper

    class Dumper(base):
        """Writes texts with quotes wherever a reader may take them for something else, and no aliases."""

        def ignore_aliases(self, data: Any) -> bool:
            return True

    def text(dumper: Any, value: str) -> Any:
        lines = "|" if "\n" in value and not value.startswith((" ", "\n")) else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=lines or ("'" if _is_odd(value) else None))

    Dumper.add_representer(str, text)
    return yaml.dump(root, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=120)


def _is_odd(text: str) -> bool:
    """May a text without quotes be a number of YAML 1.2, which the writer, of 1.1, does not know as one?"""
    return text[:1] in "0123456789+-." and bool(text)
