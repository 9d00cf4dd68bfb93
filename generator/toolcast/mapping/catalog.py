"""The whole mapping: what the document says, and what the owner wants, become what the server offers."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from toolcast.diagnostics import Diagnostic, Report
from toolcast.mapping import media
from toolcast.mapping.answers import answer, listed
from toolcast.mapping.argument_wishes import ArgumentWishes, settle
from toolcast.mapping.bodies import field_names, locked_form
from toolcast.mapping.budget import Room
from toolcast.mapping.continuity import aliases, continued, decided, successors
from toolcast.mapping.credentials import credentials, environment, server_urls
from toolcast.mapping.destinations import origins, schemes
from toolcast.mapping.examples import example
from toolcast.mapping.extensions import Extensions
from toolcast.mapping.findings import findings
from toolcast.mapping.groups import group_wishes, groups, label
from toolcast.mapping.hints import hints
from toolcast.mapping.inputs import Inputs, inputs
from toolcast.mapping.loosening import Loosener
from toolcast.mapping.names import slug, tool_names, words
from toolcast.mapping.objections import Objections
from toolcast.mapping.outputs import outputs
from toolcast.mapping.projections import ARGUMENT, projected
from toolcast.mapping.references import References
from toolcast.mapping.schemas import Schemas
from toolcast.mapping.security import required_with, scheme_of, settled
from toolcast.mapping.selection import selected
from toolcast.mapping.siblings import choices
from toolcast.mapping.texts import clean, sentence, shorten, title
from toolcast.mapping.tokens import Sizes
from toolcast.mapping.types import Types
from toolcast.mapping.wanted import check_form, described, hinted, is_resource, resource, sent_as
from toolcast.mapping.wishes import chosen_names, wishes
from toolcast.model.catalog import Catalog, Group, Hints, ServerUrl, Tool
from toolcast.model.config import Config
from toolcast.model.files import EXTRAS
from toolcast.model.json import Json, JsonObject
from toolcast.model.limits import TOOL_CHARACTERS
from toolcast.model.lock import Lock
from toolcast.model.openapi import Api, Operation, SecurityScheme
from toolcast.model.wishes import Icon, ToolWish

# What a tool has in a list beside its texts and its input schema.
_HINTS: JsonObject = dict.fromkeys(("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"), False)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Means:
    """What the tools of one catalog are made with."""

    schemas: Schemas
    loosener: Loosener
    types: Types
    prefix: str
    config: Config
    report: Report
    server: str
    security: dict[str, SecurityScheme]
    objections: Objections
    hints: Mapping[str, Hints]


def catalog(
    api: Api, config: Config, lock: Lock, report: Report, tick: Callable[[int, int], None] | None = None
) -> tuple[Catalog, Lock]:
    """What the server offers, and the lock that keeps it so; ``tick`` is told how many operations of all are done."""
    objections = Objections(report)
    lock = continued(api.operations, lock)
    name = config.name or slug(api.title)
    prefix = environment(name)
    extensions = Extensions(api, report)
    wanted = wishes(api.operations, config, lock, name, extensions, objections)
    chosen, left_out = selected(api.operations, config.select, wanted, lock, report)
    asked = {o.key: ArgumentWishes(extensions, objections, wanted[o.key].arguments) for o in chosen}
    sent = tuple(sent_as(o, wanted[o.key], config.media_types, objections) for o in chosen)
    api = settled(replace(api, operations=sent), report, asked)
    offered = api.operations
    _report_duplicates(offered, report)
    names = tool_names(offered, name, lock, chosen_names(offered, wanted, lock, name, objections))
    badges = {tag.name for tag in api.tags if tag.kind not in ("", "nav")}
    labels = {operation.key: label(operation, wanted[operation.key], badges) for operation in offered}
    modules = groups(labels, lock, wanted)
    sizes = Sizes()
    schemas = Schemas(References(api.document, report), sizes, keeps_cycles=config.recursion == "ref")
    means = _Means(
        schemas=schemas,
        loosener=Loosener(sizes),
        types=Types(schemas, names.values()),
        prefix=prefix,
        config=config,
        report=report,
        server=name,
        security=dict(api.security_schemes),
        objections=objections,
        hints={
            operation.key: hinted(hints(operation, field_names(operation, schemas)), wanted[operation.key], objections)
            for operation in offered
        },
    )
    choice = choices(
        [operation for operation in offered if not is_resource(wanted[operation.key])],
        names,
        modules,
        lambda one: means.hints[one.key].read_only.value,
        lambda one: listed(one, schemas),
    )
    tools: dict[str, list[Tool]] = defaultdict(list)
    secured: list[Operation] = []
    arguments, bodies = dict(lock.arguments), dict(lock.bodies)
    for done, operation in enumerate(sorted(offered, key=lambda o: (o.path, o.method))):
        if tick is not None:
            tick(done, len(offered))
        schemas.references.at = operation.at
        wish, key = wanted[operation.key], operation.key
        locked = lock.arguments.get(key, {})
        tool, arguments[key] = _tool(
            operation,
            names[key],
            modules[key],
            locked,
            bodies.get(key) or locked_form(locked),
            wish,
            asked[key],
            means,
            choice.get(key, ""),
        )
        bodies[key] = locked_form(arguments[key]) or bodies.get(key, "")
        tools[tool.group].append(tool)
        secured.append(replace(operation, security=tool.security))
    settle(asked.values(), objections)
    titles = {modules[o.key]: labels[o.key] for o in reversed(offered)}
    about = group_wishes(config, titles, objections)
    objections.settle()
    found = credentials(means.security, secured, prefix, lock.variables)
    described = {tag.name: clean(tag.description) for tag in api.tags}
    base_url = config.server.base_url
    servers = (ServerUrl(url=base_url),) if base_url else server_urls(api.servers, prefix)
    kept = replace(
        decided(lock, offered, names),
        groups={**lock.groups, **modules},
        arguments=arguments,
        bodies={key: form for key, form in bodies.items() if form},
        variables={**lock.variables, **{c.scheme: c.stem for c in found}},
        credentials=schemes(means.security, secured),
    )
    offer = Catalog(
        name=name,
        package=f"{name.replace('-', '_')}_mcp",
        distribution=f"{name}-mcp",
        environment=prefix,
        title=clean(config.server.title or api.title).replace("\n", " ") or name,
        version=config.version,
        api_version=clean(api.version).replace("\n", " "),
        description=clean(api.description),
        instructions=config.server.instructions.strip() or _instructions(api, name),
        servers=servers,
        groups=tuple(
            Group(
                name=group,
                title=about[group].title or " ".join(words(titles[group])).capitalize() or group,
                description=sentence(about[group].description or described.get(titles[group], ""), 300),
                tools=tuple(tools[group]),
            )
            for group in sorted(tools)
        ),
        credentials=found,
        types=means.types.definitions,
        left_out=tuple(operation.key for operation in left_out),
        toolsets=tuple(said.value for said in config.server.toolsets),
        icons=config.server.icons or ((Icon(src=api.logo),) if api.logo.startswith("https://") else ()),
        metadata=config.package,
        without=tuple(extra for extra, (made, _) in EXTRAS.items() if not config.files.get(extra, made)),
        aliases=aliases(kept),
        retired=successors(kept),
    )
    return offer, replace(kept, origins=origins(offer))


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


def _instructions(api: Api, name: str) -> str:
    about = shorten(clean(api.description).split("\n", 1)[0], 600)
    heading = clean(api.title).replace("\n", " ") or name
    return f"Tools for {heading}.\n{about}".strip() if about else f"Tools for {heading}."


def _tool(
    operation: Operation,
    name: str,
    group: str,
    locked: Mapping[str, str],
    was: str,
    wish: ToolWish,
    asked: ArgumentWishes,
    means: _Means,
    choice: str,
) -> tuple[Tool, Mapping[str, str]]:
    """The tool of an operation, and the names of its arguments for the lock; its body ``was`` of that form."""
    schemas, config, objections = means.schemas, means.config, means.objections
    text, length = described(operation, name, wish, choice=choice, answer=answer(operation, schemas))
    heading = shorten(clean(wish.title.value), 80) if wish.title is not None else title(operation, name)
    form = wish.body.value if wish.body is not None else "whole" if config.body == "whole" else None
    budget = config.budget if wish.budget is None else wish.budget.value
    room = replace(_room(name, heading, text, budget, schemas), shares=config.refs == "defs")
    if wish.projection is not None and wish.projection.value:
        room = replace(room, tokens=room.tokens - schemas.sizes.tokens(ARGUMENT))
    taken = inputs(operation, schemas, locked, room, asked=asked, form=form, was=was)
    check_form(operation, taken, wish, objections)
    policy = config.output_schema if wish.output_schema is None else wish.output_schema.value
    given = outputs(operation, schemas, means.loosener, policy)
    means.report.extend(findings(operation, name, taken, length))
    taken, projection = projected(operation, taken, given, wish, objections)
    secrets = [
        (scheme_of(secret, operation.at, means.security, objections), secret.required) for secret in taken.secrets
    ]
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
        result_type=means.types.result(name, given.source) if given.documented else _without_json(operation),
        accept=media.accepted(operation.responses),
        security=required_with(operation.security, [(id_, required) for id_, required in secrets if id_ is not None]),
        servers=server_urls(operation.servers, means.prefix),
        hints=means.hints[operation.key],
        deprecated=operation.deprecated,
        example=_example(taken),
        fixed=taken.fixed,
        defaults=taken.defaults,
        projection=projection,
        resource=resource(operation, means.server, taken, means.hints[operation.key], wish, objections),
        icons=wish.icons.value if wish.icons is not None else (),
        meta=wish.meta.value if wish.meta is not None else {},
        at=operation.at,
    )
    return tool, taken.names


def _room(name: str, heading: str, text: str, budget: int, schemas: Schemas) -> Room:
    """What a tool's input schema may cost, beside its texts and its hints."""
    others: JsonObject = {"name": name, "title": heading, "description": text, "inputSchema": {}, "annotations": _HINTS}
    return Room(
        tokens=budget - schemas.sizes.tokens(others),
        characters=TOOL_CHARACTERS - len(json.dumps(others, ensure_ascii=False)),
    )


def _example(taken: Inputs) -> JsonObject | None:
    """Arguments that a tool accepts, those that have moved inside of the one that holds them."""
    made = example(taken.fit.whole, taken.examples, taken.files)
    inner = {name: value for name, value in (made or {}).items() if name in taken.fit.moved}
    if made is None or not inner:
        return made
    return {**{name: value for name, value in made.items() if name not in inner}, taken.fit.more: inner}


def _without_json(operation: Operation) -> JsonObject:
    """The type of an answer that is no JSON: a text, nothing, or anything."""
    kinds = [answer.media_type for r in operation.responses if r.status.startswith("2") for answer in r.content]
    if kinds and all(media.is_text(kind) for kind in kinds):
        return {"type": "string"}
    nothing: list[Json] = [r.status for r in operation.responses if r.status.startswith("2")]
    return {"type": "null"} if nothing and not kinds else {}
