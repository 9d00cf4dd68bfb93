"""Where templates come from: the built-in tree, and a folder of the owner's that shadows it by path."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from jinja2 import BaseLoader, FunctionLoader

from toolcast.diagnostics import Diagnostic, Failure, Location
from toolcast.emit.environment import templates_root
from toolcast.model.files import Owner
from toolcast.model.templates import BUILTIN, Template

# In the owner's folder: the files that shadow nothing, by what becomes of them.
LIST: Final = "templates.toml"
_LISTS: Final[Mapping[str, str]] = {
    "additions": "files that are generated like all others",
    "once": "files that are written once and are yours from then on",
    "parts": "templates that others include or import, and that make no files",
}

# By target; what is not named here is generated.
_OWNERS: Final[Mapping[str, Owner]] = {
    "toolcast.toml": "yours",
    "src/PACKAGE/server.py": "yours",
    "pyproject.toml": "shared",
    "README.md": "shared",
    ".gitignore": "shared",
    ".env.example": "shared",
    ".gitattributes": "shared",
    "Dockerfile": "shared",
    ".dockerignore": "shared",
    "compose.yaml": "shared",
    "deploy/nginx.conf": "shared",
    "deploy/kubernetes.yaml": "shared",
    "manifest.json": "shared",
    ".mcpbignore": "shared",
    "server.json": "shared",
}

# What no template makes: these are written from the catalog, or are the same for every package.
_RESERVED = re.compile(
    r"(?:src/PACKAGE/(?:_runtime(?:/.*)?|api/(?:tools\.json|types\.py))|toolcast\.lock|\.toolcast/.*)"
)
# As every file system takes it; a part that Windows keeps for a device is none, whatever its suffix.
_PART = re.compile(r"(?!(?i:con|prn|aux|nul|com\d|lpt\d)(?:\.|\Z))[A-Za-z0-9_.+@-]*[A-Za-z0-9_+@-]")
_LITTER = re.compile(r"(?:.*/)?(?:__pycache__/.*|\.git/.*|\.DS_Store|Thumbs\.db|[^/]*(?:~|\.swp|\.pyc))")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """The templates of one run: what makes files, by name in order, and every template that others can name.

    ``folder`` is the owner's, as the owner named it.
    """

    folder: Path | None
    templates: tuple[Template, ...]
    paths: Mapping[str, Path]

    @property
    def own(self) -> tuple[Template, ...]:
        """The owner's templates that make files."""
        return tuple(template for template in self.templates if template.own)

    @property
    def loader(self) -> BaseLoader:
        """What gives Jinja the text of a template by its name."""

        def load(name: str) -> tuple[str, str, None] | None:
            path = self.paths.get(name)
            return None if path is None else (text(path), str(path), None)

        return FunctionLoader(load)


def builtin() -> Sources:
    """The built-in templates alone."""
    root = templates_root() / "project"
    made = tuple(
        Template(name=name, path=path, owner=_OWNERS.get(name.removesuffix(".jinja"), "generated"), own=False)
        for name, path in _files(root)
    )
    paths = {template.name: template.path for template in made}
    return Sources(
        folder=None, templates=made, paths={**paths, **{f"{BUILTIN}{name}": path for name, path in paths.items()}}
    )


def sources(folder: Path | None) -> Sources:
    """The built-in templates, shadowed by those in a folder of the owner's; raises ``Failure`` on what fits nowhere."""
    ours = builtin()
    if folder is None:
        return ours
    if not folder.is_dir():
        raise _failure("TC700", f"There is no folder {folder} with templates", folder, "Name one, or make it.")
    listed = _listed(folder)
    shadowed = {template.target: template for template in ours.templates}
    own: dict[str, Template] = {}
    paths = dict(ours.paths)
    for name, path in _files(folder):
        if name == LIST:
            continue
        paths[name] = path
        kind = listed.pop(name, None)
        target = name.removesuffix(".jinja")
        earlier = shadowed.get(target)
        if kind is None and earlier is None:
            raise _misplaced(name, path, ours)
        if kind == "parts":
            continue
        template = Template(
            name=name,
            path=path,
            owner="yours" if kind == "once" else earlier.owner if earlier is not None else "generated",
            own=True,
        )
        _check_target(template, own)
        own[target.casefold()] = template
    for name in listed:
        raise _unlisted(name, folder, own)
    kept = [template for template in ours.templates if template.target.casefold() not in own]
    made = tuple(sorted((*kept, *own.values()), key=lambda template: template.name))
    return Sources(folder=folder, templates=made, paths=paths)


def text(path: Path) -> str:
    """The text of a template, with LF; raises ``Failure`` when it is none."""
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise _failure("TC700", f"{path.name} is no UTF-8 text", path, "Emitted files are texts; convert it.") from None
    except OSError as error:
        reason = error.strerror or error
        raise _failure("TC700", f"{path.name} cannot be read: {reason}", path, "Make it readable.") from None


def nearest(name: str, known: Iterable[str]) -> str:
    """What was probably meant, as a sentence; nothing where nothing is near."""
    found = difflib.get_close_matches(name, sorted(known), 1)
    return f"Did you mean `{found[0]}`? " if found else ""


def _files(root: Path) -> list[tuple[str, Path]]:
    """The files below a folder by their paths with ``/``, in order, without what editors and caches leave behind."""
    found = ((path.relative_to(root).as_posix(), path) for path in root.rglob("*") if path.is_file())
    return sorted((name, path) for name, path in found if not _LITTER.fullmatch(name))


def _listed(folder: Path) -> dict[str, str]:
    """What ``templates.toml`` lists: a file's kind by its name."""
    path = folder / LIST
    if not path.is_file():
        return {}
    source = text(path)
    try:
        values = tomllib.loads(source)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        raise _failure(
            "TC702", f"{LIST} is no TOML: {error}", path, "Correct it there.", int(line[1]) if line else None
        ) from None
    kinds: dict[str, str] = {}
    for key, names in values.items():
        line = _line(source, rf"\s*[\"']?{re.escape(key)}\b")
        if key not in _LISTS:
            known = "; ".join(f"`{name}`: {what}" for name, what in _LISTS.items())
            hint = nearest(key, _LISTS)
            raise _failure("TC702", f"{LIST} has an unknown key {key!r}", path, f"{hint}It knows {known}.", line)
        if not isinstance(names, list) or not all(isinstance(name, str) for name in cast("list[object]", names)):
            raise _failure(
                "TC702", f"`{key}` in {LIST} is no list of texts", path, f'Write {key} = ["Makefile.jinja"].', line
            )
        for name in cast("list[str]", names):
            if name in kinds:
                raise _failure(
                    "TC702", f"{LIST} lists {name!r} twice", path, "Leave one out.", _line(source, _quoted(name))
                )
            kinds[name] = key
    return kinds


def _check_target(template: Template, others: Mapping[str, Template]) -> None:
    """Refuse a template whose file another one makes, or no folder can hold everywhere."""
    target = template.target
    other = others.get(target.casefold())
    if other is not None:
        raise _failure(
            "TC701", f"{template.name} and {other.name} make the same file", template.path, "Remove one of them."
        )
    if _RESERVED.fullmatch(target):
        raise _failure(
            "TC701",
            f"{template.name} makes a file that no template can make",
            template.path,
            "What the API is, is said by the document and by toolcast.toml; the runtime is the same everywhere.",
        )
    if not all(_PART.fullmatch(part) for part in target.split("/")):
        raise _failure(
            "TC701",
            f"{template.name} makes a file whose name not every system takes",
            template.path,
            "Use letters, digits and the signs . _ - + @ and no name that Windows keeps for a device.",
        )


def _misplaced(name: str, path: Path, ours: Sources) -> Failure:
    known = [template.name for template in ours.templates]
    same = [other for other in known if other.rpartition("/")[2] == path.name]
    hint = f"Did you mean `{same[0]}`? " if same else nearest(name, known)
    reserved = _RESERVED.fullmatch(name.removesuffix(".jinja"))
    message = f"{name} shadows no built-in template" + (": no template makes this file" if reserved else "")
    return _failure(
        "TC701", message, path, f"{hint}A file of your own is listed in {LIST}, beside it: additions = [{name!r}]."
    )


def _unlisted(name: str, folder: Path, own: Mapping[str, Template]) -> Failure:
    line = _line(text(folder / LIST), _quoted(name))
    hint = nearest(name, [template.name for template in own.values()])
    return _failure(
        "TC702", f"{LIST} lists {name!r}, which is not there", folder / LIST, f"{hint}Paths have `/`.", line
    )


def _quoted(name: str) -> str:
    return rf".*[\"']{re.escape(name)}[\"']"


def _line(source: str, pattern: str) -> int | None:
    found = (number for number, line in enumerate(source.splitlines(), 1) if re.match(pattern, line))
    return next(found, None)


def _failure(code: str, message: str, path: Path, cure: str, line: int | None = None) -> Failure:
    location = Location(file=str(path), line=line)
    return Failure(Diagnostic(code=code, severity="error", message=message, location=location, help=cure.strip()))
