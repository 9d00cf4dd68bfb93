"""Templates on a terminal, and their interface as a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from toolcast.model.templates import Interface, Template, Visible


def listing(console: Console, interface: Interface, templates: Iterable[Template]) -> None:
    """Every template with what it makes and its blocks; one of the owner's is marked."""
    blocks = {template.target: [block.name for block in found] for template, found in interface.blocks}
    for template in templates:
        line = Text(template.name, "bold")
        if template.own:
            line.append("  yours", "green")
        line.append(f"  {_kind(template)}", "dim")
        console.print(line, soft_wrap=True)
        if blocks.get(template.target):
            console.print(Padding(Text(", ".join(blocks[template.target]), "cyan"), (0, 0, 0, 4), expand=False))


def values(console: Console, interface: Interface) -> None:
    """What templates see."""
    for value in interface.values:
        console.print(Text.assemble((value.name, "bold"), "  ", _about(value)))
        for member in value.members:
            console.print(Text.assemble(f"  {value.name}.{member.name}  ", (member.type, "cyan")), soft_wrap=True)


def reference(interface: Interface) -> str:
    """The interface in Markdown: templates with their blocks, values with their members, filters."""
    return "\n".join(_reference(interface)) + "\n"


def _reference(interface: Interface) -> Iterator[str]:
    yield "## Templates and blocks"
    yield ""
    yield "Every block sees `package`; the third column names what it sees besides."
    for template, blocks in interface.blocks:
        yield ""
        yield f"### `{template.name}`"
        yield ""
        kind = _kind(template)
        yield f"{kind[0].upper()}{kind[1:]}." + ("" if template.is_rendered else " It is copied as it is.")
        if blocks:
            yield ""
            yield "| block | what it is | sees |"
            yield "|---|---|---|"
        for block in blocks:
            yield f"| `{block.name}` | {block.about} | {', '.join(f'`{name}`' for name in block.variables)} |"
    yield ""
    yield "## What templates see"
    yield ""
    yield (
        "A *name* holds letters, digits and a few signs that no language minds; a *text* may hold anything. "
        "A *value* is written by the filter `py`."
    )
    for value in interface.values:
        yield ""
        yield f"### `{value.name}`"
        yield ""
        yield value.about
        yield ""
        yield "| member | type | what it is |"
        yield "|---|---|---|"
        for member in value.members:
            yield f"| `{member.name}` | {member.type} | {member.about} |"
    yield ""
    yield "## Filters"
    yield ""
    yield "| filter | what it writes |"
    yield "|---|---|"
    for name, about in interface.filters:
        yield f"| `{name}` | {about.replace('``', '`')} |"


def _kind(template: Template) -> str:
    per = ", one for each group" if template.is_per_group else ""
    match template.owner:
        case "yours":
            return f"written once, then its owner's{per}"
        case "shared":
            return f"its owner's to edit{per}"
        case _:
            return f"generated{per}"


def _about(value: Visible) -> Text:
    return Text(value.about.split(". ")[0], "dim")
