"""What the generator's own code says of its diagnostics: their codes, messages and cures, as they are written there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PACKAGE: Final = ROOT / "generator" / "toolcast"
# What the parameters and variables are called that hold a diagnostic's two texts.
MESSAGE: Final = frozenset({"message"})
HELP: Final = frozenset({"help", "cure", "advice"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A text in the code: where, whether it is a message, and its words; `\\0` stands for what is filled in."""

    at: str
    message: bool
    words: str


@cache
def modules() -> dict[Path, ast.Module]:
    """The syntax trees of the generator's modules."""
    return {path: ast.parse(path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}


def codes() -> set[str]:
    """Every code that the generator can report."""
    strings = (
        node.value
        for tree in modules().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return {text for text in strings if re.fullmatch(r"TC[0-9]{3}", text)}


def texts() -> list[Text]:
    """The messages and cures that are written in the code, each alternative of its own."""
    shared = {
        name: names for tree in modules().values() for name, names in _functions(tree).items() if MESSAGE & {*names}
    }
    found: list[Text] = []
    for path, tree in modules().items():
        parameters = {**shared, **_functions(tree)}
        for node in ast.walk(tree):
            for name, value in _named(node, parameters):
                if name in MESSAGE or name in HELP:
                    at = f"{path.relative_to(ROOT).as_posix()}:{value.lineno}"
                    found += [
                        Text(at=at, message=name in MESSAGE, words=words) for words in _alternatives(value) if words
                    ]
    return found


def _functions(tree: ast.Module) -> dict[str, list[str]]:
    """The parameters of a module's functions, by the function's name."""
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return {function.name: [one.arg for one in function.args.args if one.arg != "self"] for function in functions}


def _named(node: ast.AST, parameters: dict[str, list[str]]) -> Iterator[tuple[str, ast.expr]]:
    """The expressions that are given to something with a name: variables, keywords, and places in a call."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            yield name, value
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            yield from ((one.id, value) for one, value in zip(names, values, strict=True) if isinstance(one, ast.Name))
        case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called), args=given, keywords=keywords):
            if called in parameters:
                yield from zip(parameters[called], given, strict=False)
            if called in ("Diagnostic", "Finding", "replace") or called in parameters:
                yield from ((one.arg, one.value) for one in keywords if one.arg is not None)
        case _:
            pass


def _alternatives(value: ast.expr) -> list[str]:
    """What an expression may say; nothing where that is not written here."""
    match value:
        case ast.Constant(value=str() as words):
            return [words]
        case ast.JoinedStr(values=parts):
            return ["".join(str(part.value) if isinstance(part, ast.Constant) else "\0" for part in parts)]
        case ast.IfExp(body=one, orelse=other):
            return [*_alternatives(one), *_alternatives(other)]
        case ast.BinOp(left=left, op=ast.Add()):
            return [f"{words}\0" for words in _alternatives(left)]
        case ast.Call(func=ast.Name(id="_cut"), args=[first]):  # which shortens it
            return _alternatives(first)
        case _:
            return []
