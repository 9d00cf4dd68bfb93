"""Values: what a catalog holds, as calls of the runtime's classes; what is a class's default is not written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from toolcast.emit.literals import Call, Literal
from toolcast.model.catalog import (
    Binding,
    BodyField,
    Content,
    CookieArg,
    Credential,
    HeaderArg,
    MoreArg,
    Part,
    PathArg,
    QueryArg,
    QuerystringArg,
    ServerUrl,
    Tool,
    WholeBody,
    Xml,
)

# The classes of the runtime, and the style and explode that each assumes when it is not told otherwise.
_PARAMETERS: Mapping[type, tuple[str, str, bool]] = {
    PathArg: ("Path", "simple", False),
    QueryArg: ("Query", "form", True),
    HeaderArg: ("Header", "simple", False),
    CookieArg: ("Cookie", "form", True),
    QuerystringArg: ("Querystring", "form", True),
}


def called(value: Literal) -> set[str]:
    """The classes that a value calls."""
    if isinstance(value, Call):
        return {value.name}.union(*map(called, (*value.positional, *(value.keywords or {}).values())))
    return set[str]().union(*map(called, value)) if isinstance(value, tuple) else set()


def operation(tool: Tool) -> Call:
    """The ``Operation`` of a tool, as a value of emitted code."""
    given: dict[str, Literal] = {"name": tool.name, "method": tool.method, "path": tool.path}
    if tool.bindings:
        given["bindings"] = tuple(_binding(binding) for binding in tool.bindings)
    if tool.body is not None:
        given["body"] = _content(tool.body)
    if tool.accept:
        given["accept"] = tool.accept
    if tool.security:
        given["security"] = tool.security
    if tool.servers:
        given["servers"] = tuple(server(at) for at in tool.servers)
    if tool.wrapped:
        given["wrapped"] = True
    for key, values in (("fixed", tool.fixed), ("defaults", tool.defaults)):
        if values:
            given[key] = tuple((name, cast("Literal", value)) for name, value in sorted(values.items()))
    if tool.projection:
        given["projection"] = tool.projection
    return Call("Operation", (), given)


def _binding(binding: Binding) -> Call:
    given: dict[str, Literal] = {}
    if isinstance(binding, WholeBody):
        return Call("Body", () if binding.argument == "body" else (binding.argument,))
    if isinstance(binding, MoreArg):
        return Call("More", (binding.argument, tuple(_binding(member) for member in binding.members)))
    if binding.name != binding.argument:
        given["name"] = binding.name
    if isinstance(binding, BodyField):
        return Call("Field", (binding.argument,), given)
    name, style, explode = _PARAMETERS[type(binding)]
    if binding.media_type is not None:
        given["media_type"] = binding.media_type
    else:
        given |= {"style": binding.style} if binding.style != style else {}
        given |= {"explode": binding.explode} if binding.explode != explode else {}
    given |= {"reserved": True} if binding.reserved else {}
    given |= {"slashes": True} if isinstance(binding, PathArg) and binding.slashes else {}
    if isinstance(binding, QuerystringArg) and binding.parts:
        given["parts"] = tuple(map(_part, binding.parts))
    return Call(name, (binding.argument,), given)


def _content(content: Content) -> Call:
    given: dict[str, Literal] = {}
    if content.parts:
        given["parts"] = tuple(_part(part) for part in content.parts)
    given |= {"file": True} if content.file else {}
    given |= {"required": True} if content.required else {}
    given |= {"xml": _xml(content.xml)} if content.xml is not None else {}
    return Call("Content", () if content.media_type == "application/json" else (content.media_type,), given)


def _part(part: Part) -> Call:
    given: dict[str, Literal] = {"file": True} if part.file else {}
    given |= {"encoded": True} if part.encoded else {}
    given |= {"media_type": part.media_type} if part.media_type else {}
    given |= {"style": part.style} if part.style else {}
    given |= {} if part.explode else {"explode": False}
    given |= {"reserved": True} if part.reserved else {}
    given |= {"headers": part.headers} if part.headers else {}
    given |= {"xml": _xml(part.xml)} if part.xml is not None else {}
    given |= {"parts": tuple(map(_part, part.parts))} if part.parts else {}
    return Call("Part", (part.name,), given)


def _xml(xml: Xml) -> Call:
    given: dict[str, Literal] = {"node": xml.node} if xml.node != "element" else {}
    given |= {"wrapped": True} if xml.wrapped else {}
    given |= {"namespace": xml.namespace} if xml.namespace is not None else {}
    given |= {"prefix": xml.prefix} if xml.prefix is not None else {}
    if xml.fields:
        given["fields"] = tuple(name if inner == Xml() else (name, _xml(inner)) for name, inner in xml.fields.items())
    for name, inner in (("others", xml.others), ("items", xml.items), ("inner", xml.inner)):
        given |= {name: _xml(inner)} if inner is not None else {}
    if xml.first:
        given["first"] = tuple(map(_xml, xml.first))
    return Call("Xml", () if xml.name is None else (xml.name,), given)


def server(at: ServerUrl) -> Call:
    """Where the API is, with the variables of the URL."""
    variables: tuple[Literal, ...] = tuple(
        Call(
            "ServerVariable",
            (),
            {"name": v.name, "default": v.default, "environment": v.environment} | ({"enum": v.enum} if v.enum else {}),
        )
        for v in at.variables
    )
    return Call("ServerUrl", (at.url,), {"variables": variables} if variables else {})


def scheme(credential: Credential) -> Call:
    """The security scheme of a credential, as a value of emitted code."""
    match credential.kind:
        case "apiKey":
            return Call("ApiKey", (credential.variables[0], credential.location, credential.name))
        case "basic":
            return Call("Basic", (credential.variables[0], credential.variables[1]))
        case "mutualTLS":
            return Call("MutualTls", (credential.variables[0],))
        case "oauth":
            return Call("OAuth", (credential.variables[0].removesuffix("_TOKEN"),), _oauth(credential))
        case "token":
            prefix: dict[str, Literal] = {} if credential.prefix == "Bearer" else {"prefix": credential.prefix}
            return Call("Token", (credential.variables[0],), prefix)


def _oauth(credential: Credential) -> dict[str, Literal]:
    """How a token is got; of several flows each URL is that of the first that has one."""
    flows = credential.flows
    given: dict[str, Literal] = {
        "flows": tuple(flow.kind for flow in flows),
        "token_url": next((flow.token_url for flow in flows if flow.token_url), ""),
        "authorization_url": next((flow.authorization_url for flow in flows if flow.authorization_url), ""),
        "device_url": next((flow.device_url for flow in flows if flow.device_url), ""),
        "discovery": credential.discovery,
        "scopes": credential.scopes,
    }
    return {name: value for name, value in given.items() if value}
