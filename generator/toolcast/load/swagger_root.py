"""What a document of Swagger 2.0 says of the whole API: its servers, and its security."""

from __future__ import annotations

from urllib.parse import urlsplit

from toolcast.model.json import Json, JsonObject

# Swagger 2.0, Security Scheme Object: `flow`, and what OpenAPI 3 calls it.
_FLOWS = {
    "implicit": "implicit",
    "password": "password",
    "application": "clientCredentials",
    "accessCode": "authorizationCode",
}


def servers(root: JsonObject, schemes: Json, url: str | None) -> list[Json]:
    """The servers that `host`, `basePath` and `schemes` make; without a host, relative to the document's own ``url``.

    HTTPS comes first, then the order of the document. Where no scheme is named it is the document's own, or HTTPS.
    """
    host, base = root.get("host"), root.get("basePath")
    path = base.strip().rstrip("/") if isinstance(base, str) else ""
    if path and not path.startswith("/"):
        path = f"/{path}"
    if not isinstance(host, str) or not host.strip():
        return [{"url": path}] if path else []
    host = host.strip().rstrip("/")
    if "://" in host:
        return [{"url": host + path}]
    stated = [str(scheme).lower() for scheme in schemes] if isinstance(schemes, list) else []
    usable = list(dict.fromkeys(scheme for scheme in stated if scheme in ("http", "https")))
    if not usable:
        usable = [urlsplit(url).scheme if url else "https"]
    return [{"url": f"{scheme}://{host}{path}"} for scheme in sorted(usable, key=lambda scheme: scheme != "https")]


def security(node: JsonObject) -> None:
    """Rewrite a security definition, in place."""
    kind = node.get("type")
    if kind == "basic":
        node |= {"type": "http", "scheme": "basic"}
    elif kind == "oauth2" and "flows" not in node:
        name = node.pop("flow", None)
        flow: JsonObject = {"scopes": node.pop("scopes", {})}
        for word in ("authorizationUrl", "tokenUrl"):
            if word in node:
                flow[word] = node.pop(word)
        if isinstance(name, str):
            node["flows"] = {_FLOWS.get(name, name): flow}
