"""Blocks: the parts of templates that others can override, and the check that an override meets one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jinja2 import nodes

from toolcast.diagnostics import Failure
from toolcast.emit.environment import Templates
from toolcast.emit.faults import failed
from toolcast.emit.sources import Sources, nearest, text
from toolcast.model.templates import BUILTIN, Block, Template

_ABOUT = re.compile(r"\{%[-+]?\s*block\s+(\w+)[^%]*%\}\{#\s*(.*?)\s*#\}", re.DOTALL)


def blocks(template: Template) -> tuple[Block, ...]:
    """The blocks of a template in the order of its text; the comment that follows the tag says what each is."""
    source = text(template.path)
    about: dict[str, str] = dict(_ABOUT.findall(source))
    tree = Templates(template.path.parent).parse(source, template.name, str(template.path))
    outer = ("group",) if template.is_per_group else ()
    return tuple(
        Block(name=block.name, about=" ".join(about.get(block.name, "").split()), variables=variables)
        for block, variables in _blocks(tree, outer)
    )


def check_overrides(environment: Templates, sources: Sources, template: Template) -> None:
    """Refuse a template that extends another and has what the other has no place for; raises ``Failure``."""
    tree = _tree(environment, sources, template.name)
    chain = _ancestors(environment, sources, template, tree)
    if chain is None:
        return
    known = [block.name for ancestor in chain for block in ancestor.find_all(nodes.Block)]
    for node in tree.body:
        if isinstance(node, nodes.Block) and node.name not in known:
            hint = nearest(node.name, known)
            raise _refused(template, f"Block `{node.name}` overrides none", node.lineno, f"{hint}{_blocks_are(known)}")
        if isinstance(node, nodes.Output) and _says_something(node):
            raise _refused(
                template,
                "A template that extends another has text outside of its blocks, which Jinja leaves out",
                node.lineno,
                f"Put it into a block. {_blocks_are(known)}",
            )


def _blocks_are(known: list[str]) -> str:
    return f"The blocks are {', '.join(dict.fromkeys(known))}." if known else "There are no blocks."


def _refused(template: Template, message: str, line: int, cure: str) -> Failure:
    return failed("TC707", message, template.path, line, cure)


def _says_something(node: nodes.Output) -> bool:
    return any(not isinstance(part, nodes.TemplateData) or part.data.strip() for part in node.nodes)


def _ancestors(
    environment: Templates, sources: Sources, template: Template, tree: nodes.Template
) -> list[nodes.Template] | None:
    """What a template extends, and what that extends; None when it extends nothing that can be known here."""
    chain: list[nodes.Template] = []
    seen = {template.path}
    while (extends := tree.find(nodes.Extends)) is not None:
        if not isinstance(extends.template, nodes.Const):
            return None
        name = str(extends.template.value)
        path = sources.paths.get(name)
        if path is None:  # which rendering will say
            return None
        if path in seen:
            raise _refused(
                template,
                f"{template.name} extends itself",
                extends.lineno,
                f'Name the one that it shadows: {{% extends "{BUILTIN}{name}" %}}.',
            )
        seen.add(path)
        tree = _tree(environment, sources, name)
        chain.append(tree)
    return chain or None


def _tree(environment: Templates, sources: Sources, name: str) -> nodes.Template:
    path = sources.paths[name]
    return environment.parse(text(path), name, str(path))


def _blocks(node: nodes.Node, visible: tuple[str, ...]) -> Iterator[tuple[nodes.Block, tuple[str, ...]]]:
    """The blocks below a node with the variables that each sees."""
    for child in node.iter_child_nodes():
        inner = visible
        if isinstance(child, nodes.Block):
            inner = visible if child.scoped else visible[:1] if visible[:1] == ("group",) else ()
            yield child, inner
        elif isinstance(child, nodes.For):
            names = [target.name for target in child.target.find_all(nodes.Name)]
            names += [child.target.name] if isinstance(child.target, nodes.Name) else []
            inner = (*visible, *names)
        yield from _blocks(child, inner)
