"""Types: the Python module that datamodel-code-generator makes of a catalog's schemas."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from toolcast import process
from toolcast.model.cache import Cache
from toolcast.model.json import JsonObject, Schema

_MANY = 200  # types, from which on another process makes them, while this one goes on
_MOST = 6_000  # types that are made at once: the library takes more and more, for 15,000 of them 1.8 GB
_REFERENCE = re.compile(r'"#/\$defs/(\w+)"')

_HEADER = '''"""The types of arguments and answers, as the API's document describes them; for type checkers only."""

from __future__ import annotations'''


def begin(types: Mapping[str, Schema], cache: Cache) -> Callable[[], str]:
    """Let ``types.py`` be made, or taken from the cache; what is returned waits for its source."""
    given = json.dumps({name: dict(types[name]) for name in sorted(types)}).encode()
    key = f"types-{_digest(given)}"
    kept = cache.get(key)
    if kept is not None:
        return kept.decode
    making = process.begin(__name__, given) if len(types) >= _MANY else None

    def finish() -> str:
        made = making().decode() if making is not None else types_module(types)
        cache.put(key, made.encode())
        return made

    return finish


def _digest(given: bytes) -> str:
    """What the source depends on: the schemas, the generator, and how it is called, which this very file says."""
    version = importlib.metadata.version("datamodel-code-generator")
    return hashlib.sha256(b"\n".join([version.encode(), Path(__file__).read_bytes(), given])).hexdigest()


def types_module(types: Mapping[str, Schema]) -> str:
    """The source of ``types.py``: TypedDicts and aliases by the names of ``types``, not formatted yet."""
    made = [_made({name: types[name] for name in names}) for names in _runs(types)]
    if len(made) < 2:
        return made[0] if made else f"{_HEADER}\n"
    heads, bodies = zip(*map(_parted, made), strict=True)
    imports = dict.fromkeys(line for head in heads for line in head)  # which ruff puts together
    return "\n".join([_HEADER, "", *imports, *bodies]) + "\n"


def _runs(types: Mapping[str, Schema]) -> list[list[str]]:
    """The names of types in runs of at most ``_MOST``, of which none refers to another; one run where that is enough.

    A run is larger where all of its types hang together.
    """
    if len(types) <= _MOST:
        return [sorted(types)] if types else []
    group = {name: [name] for name in types}  # the names that hang together, by each of them
    for name in sorted(types):
        for other in set(_REFERENCE.findall(json.dumps(dict(types[name])))):
            one, two = sorted((group[name], group[other]), key=len)
            if one is not two:
                two += one
                group.update(dict.fromkeys(one, two))
    runs: list[list[str]] = [[]]
    for names in {id(names): names for names in group.values()}.values():
        if runs[-1] and len(runs[-1]) + len(names) > _MOST:
            runs.append([])
        runs[-1] += names
    return [sorted(names) for names in runs]


def _parted(module: str) -> tuple[list[str], str]:
    """The imports of a module that was made, and what follows them."""
    known = _HEADER.split("\n")  # which has blank lines, too
    lines = module.split("\n")
    end = next(at for at, line in enumerate(lines) if line not in known and not line.startswith(("from ", "import ")))
    return [line for line in lines[:end] if line not in known], "\n".join(lines[end:])


def _made(types: Mapping[str, Schema]) -> str:
    """The source of a module with these types."""
    # It takes a third of a second to import, and only generation needs it.
    from datamodel_code_generator import generate
    from datamodel_code_generator.enums import DataModelType, InputFileType, NamingStrategy
    from datamodel_code_generator.format import PythonVersion
    from datamodel_code_generator.parser import LiteralType

    document: JsonObject = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {name: dict(types[name]) for name in sorted(types)},
    }
    made = generate(
        document,
        output=None,
        input_file_type=InputFileType.JsonSchema,
        output_model_type=DataModelType.TypingTypedDict,
        target_python_version=PythonVersion.PY_311,
        formatters=[],
        disable_timestamp=True,
        enum_field_as_literal=LiteralType.All,
        skip_root_model=True,
        treat_dot_as_module=False,
        naming_strategy=NamingStrategy.FullPath,
        use_closed_typed_dict=False,
        type_mappings=["string+binary=string"],
        use_standard_collections=True,
        use_union_operator=True,
        use_schema_description=True,
        use_single_line_docstring=True,
        custom_file_header=_HEADER,
    )
    assert isinstance(made, str), "one module is asked for"
    return made.rstrip() + "\n"


def expression(schema: Schema) -> str:
    """A type that is a reference, a plain type or a list of either, as Python writes it."""
    reference, declared = schema.get("$ref"), schema.get("type")
    if isinstance(reference, str):
        return reference.removeprefix("#/$defs/")
    match declared:
        case "array":
            items = schema.get("items")
            return f"list[{expression(items if isinstance(items, dict) else {})}]"
        case "string":
            return "str"
        case "integer":
            return "int"
        case "number":
            return "float"
        case "boolean":
            return "bool"
        case "null":
            return "None"
        case "object":
            return "dict[str, Any]"
        case _:
            return "Any"


if __name__ == "__main__":  # in a process of its own: see ``begin``
    sys.stdout.buffer.write(types_module(json.loads(sys.stdin.buffer.read())).encode())
