"""The whole mapping: what the document says, and what the owner wants, become what the server offers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from toolcast.diagnostics import Diagnostic, Report
from toolcast.mapping import media
from toolcast.mapping.bodies import field_names, form
from toolcast.mapping.chosen import NOTHING_CHOSEN
from toolcast.mapping.continuity import aliases, continued, decided, successors
from toolcast.mapping.credentials import credentials, environment, server_urls
from toolcast.mapping.destinations import origins, schemes
from toolcast.mapping.examples import example
from toolcast.mapping.findings import findings
from toolcast.mapping.hints import hints
from toolcast.mapping.inputs import inputs
from toolcast.mapping.loosening import Loosener
from toolcast.mapping.names import group_names, slug, tool_names, words
from toolcast.mapping.outputs import outputs
from toolcast.mapping.references import References
from toolcast.mapping.schemas import Schemas
from toolcast.mapping.security import settled
from toolcast.mapping.texts import clean, description, sentence, shorten, title
from toolcast.mapping.tokens import Sizes
from toolcast.mapping.types import Types
from toolcast.model.catalog import Catalog, Group, Tool
from toolcast.model.config import Config
from toolcast.model.json import Json, JsonObject
from toolcast.model.lock import Lock
from toolcast.model.openapi import Api, Operation

_ANNOTATION_TOKENS = 60  # hints, written out


@dataclass(frozen=True, slots=True, kw_only=True)
class _Means:
    """What the tools of one catalog are made with."""

    schemas: Schemas
    loosener: Loosener
    types: Types
    prefix: str
    report: Report


def catalog(
    api: Api,
    config: Config,
    lock: Lock,
    report: Report,
    tick: Callable[[int, int], None] | None = None,
    *,
    chosen: Mapping[str, str] = NOTHING_CHOSEN,
) -> tuple[Catalog, Lock]:
    """What the server offers, and the lock that keeps it so.

    ``tick`` is told how many operations of all are done; ``chosen`` are names that the owner gives to tools, by key.
    Raises ``Failure`` for a name that cannot be given.
    """
    api = settled(api, report)
    lock = continued(api.operations, lock)
    name = config.name or slug(api.title)
    prefix = environment(name)
    offered, left_out = _selected(api.operations, lock, report)
    _report_duplicates(offered, report)
    names = tool_names(offered, name, lock, chosen)
    groups = _groups(offered, lock)
    sizes = Sizes()
    schemas = Schemas(References(api.document, report), sizes)
    means = _Means(
        schemas=schemas,
        loosener=Loosener(sizes),
        types=Types(schemas, names.values()),
        prefix=prefix,
        report=report,
    )
    tools: dict[str, list[Tool]] = defaultdict(list)
    arguments, bodies = dict(lock.arguments), dict(lock.bodies)
    for done, operation in enumerate(sorted(offered, key=lambda o: (o.path, o.method))):
        if tick is not None:
            tick(done, len(offered))
        schemas.references.at = operation.at
        key = operation.key
        locked = lock.arguments.get(key, {})
        tool, arguments[key] = _tool(operation, names[key], groups[key], locked, means, bodies.get(key, form(locked)))
        bodies[key] = form(arguments[key]) or bodies.get(key, "")
        tools[tool.group].append(tool)
    found = credentials(api.security_schemes, offered, prefix, lock.variables)
    labels = {groups[o.key]: _label(o) for o in reversed(offered)}
    described = {tag.name: clean(tag.description) for tag in api.tags}
    kept = replace(
        decided(lock, offered, names),
        groups={**lock.groups, **groups},
        arguments=arguments,
        bodies={key: kind for key, kind in bodies.items() if kind},
        variables={**lock.variables, **{c.scheme: c.stem for c in found}},
        credentials=schemes(api.security_schemes, offered),
    )
    offer = Catalog(
        name=name,
        package=f"{name.replace('-', '_')}_mcp",
        distribution=f"{name}-mcp",
        environment=prefix,
        title=clean(api.title).replace("\n", " ") or name,
        version=config.version,
        api_version=clean(api.version).replace("\n", " "),
        description=clean(api.description),
        instructions=_instructions(api, name),
        servers=server_urls(api.servers, prefix),
        groups=tuple(
            Group(
                name=group,
                title=" ".join(words(labels[group])).capitalize() or group,
                description=sentence(described.get(labels[group], ""), 300),
                tools=tuple(tools[group]),
            )
            for group in sorted(tools)
        ),
        credentials=found,
        types=means.types.definitions,
        left_out=tuple(operation.key for operation in left_out),
        aliases=aliases(kept),
        retired=successors(kept),
    )
    return offer, replace(kept, origins=origins(offer))


def _selected(operations: Sequence[Operation], lock: Lock, report: Report) -> tuple[list[Operation], list[Operation]]:
    """The operations that become tools, and the deprecated ones that do not: those that are offered already stay."""
    offered: list[Operation] = []
    left_out: list[Operation] = []
    seen: set[str] = set()
    for operation in operations:
        if operation.key in seen:
            report.add(
                Diagnostic(
                    code="TC260",
                    severity="warning",
                    message=f"{operation.key} is there twice; the first counts",
                    location=operation.at,
                    help="Remove one of the two.",
                )
            )
        elif operation.deprecated and operation.key not in lock.names:
            left_out.append(operation)
        else:
            offered.append(operation)
        seen.add(operation.key)
    if left_out:
        report.add(
            Diagnostic(
                code="TC261",
                severity="info",
                message=f"{len(left_out)} deprecated operation{'s are' if len(left_out) > 1 else ' is'} left out",
                location=left_out[0].at,
                help="An operation that was offered before it was deprecated stays.",
            )
        )
    return offered, left_out


def _report_duplicates(operations: Iterable[Operation], report: Report) -> None:
    owners: dict[str, list[Operation]] = defaultdict(list)
    for operation in operations:
        if operation.id:
            owners[operation.id].append(operation)
    for id_, found in owners.items():
        if len(found) > 1:
            report.add(
                Diagnostic(
                    code="TC262",
                    severity="warning",
                    message=f"The operationId {id_!r} is used by {', '.join(operation.key for operation in found)}",
                    location=found[1].at,
                    help="Give each an id of its own, before the first generation: a name that a tool has, it keeps.",
                )
            )


def _label(operation: Operation) -> str:
    """What an operation is grouped by: its first tag, else the first segment of its path that is a name."""
    if operation.tags and operation.tags[0].strip():
        return operation.tags[0].strip()
    segments = [segment for segment in operation.path.split("/") if segment and "{" not in segment]
    named = [segment for segment in segments if words(segment) and not words(segment)[0][:2].strip("v").isdigit()]
    return named[0] if named else "operations"


def _groups(operations: Iterable[Operation], lock: Lock) -> dict[str, str]:
    operations = list(operations)
    known = {_label(o): lock.groups[o.key] for o in operations if o.key in lock.groups}
    modules = group_names([_label(o) for o in operations], known)
    return {o.key: lock.groups.get(o.key, modules[_label(o)]) for o in operations}


def _instructions(api: Api, name: str) -> str:
    about = shorten(clean(api.description).split("\n", 1)[0], 600)
    heading = clean(api.title).replace("\n", " ") or name
    return f"Tools for {heading}.\n{about}".strip() if about else f"Tools for {heading}."


def _tool(
    operation: Operation, name: str, group: str, locked: Mapping[str, str], means: _Means, body: str
) -> tuple[Tool, Mapping[str, str]]:
    """The tool of an operation, and the names of its arguments for the lock."""
    schemas = means.schemas
    text, length = description(operation, name)
    heading = title(operation, name)
    spent = schemas.sizes.tokens([name, heading, text]) + _ANNOTATION_TOKENS
    taken = inputs(operation, schemas, locked, spent, form=body)
    given = outputs(operation, schemas, means.loosener)
    means.report.extend(findings(operation, name, taken, length))
    tool = Tool(
        key=operation.key,
        name=name,
        group=group,
        title=heading,
        description=text,
        method=operation.method,
        path=operation.path,
        bindings=taken.bindings,
        body=taken.body,
        input_schema=taken.schema,
        output_schema=given.schema,
        wrapped=given.wrapped,
        arguments_type=means.types.arguments(name, taken),
        result_type=means.types.result(name, given.source) if given.schema is not None else _without_json(operation),
        accept=media.accepted(operation.responses),
        security=operation.security,
        servers=server_urls(operation.servers, means.prefix),
        hints=hints(operation, field_names(operation, schemas)),
        deprecated=operation.deprecated,
        example=example(taken.schema, taken.examples, taken.files),
        at=operation.at,
    )
    return tool, taken.names


def _without_json(operation: Operation) -> JsonObject:
    """The type of an answer that is no JSON: a text, nothing, or anything."""
    kinds = [answer.media_type for r in operation.responses if r.status.startswith("2") for answer in r.content]
    if kinds and all(media.is_text(kind) for kind in kinds):
        return {"type": "string"}
    nothing: list[Json] = [r.status for r in operation.responses if r.status.startswith("2")]
    return {"type": "null"} if nothing and not kinds else {}
