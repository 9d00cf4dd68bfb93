"""Media types: which representation of a body is sent, and which answers are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from toolcast.model.openapi import MediaType, Response

_XML = ("application/xml", "text/xml")
_STREAMS = frozenset(
    (
        *("application/jsonl", "application/x-jsonl", "application/jsonlines", "application/x-jsonlines"),
        *("application/json-lines", "application/ndjson", "application/x-ndjson", "application/stream+json"),
        "text/event-stream",
    )
)

_YAML = ("application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "text/vnd.yaml")
# Texts among the media types of applications.
_TEXTS = frozenset(
    f"application/{name}"
    for name in (
        *("graphql", "sql", "sparql-query", "sparql-update", "toml", "javascript", "ecmascript", "typescript"),
        *("x-sh", "jwt", "jose", "x-pem-file", "pem-certificate-chain", "n-triples", "n-quads", "trig", "xml-dtd"),
    )
)
_BINARY = frozenset(
    f"application/{name}"
    for name in (
        *("octet-stream", "pdf", "zip", "gzip", "x-gzip", "x-tar", "x-7z-compressed", "wasm", "msgpack", "cbor"),
        *("x-msgpack", "protobuf", "x-protobuf", "vnd.apache.parquet", "vnd.ms-excel", "msword", "avro", "x-bzip2"),
    )
)


def essence(media_type: str) -> str:
    """A media type without parameters, in lower case (RFC 9110 section 8.3.1)."""
    return media_type.partition(";")[0].strip().lower()


def is_json(media_type: str) -> bool:
    """Is it JSON, or a format on top of JSON (RFC 6839)?"""
    name = essence(media_type)
    return name in ("application/json", "text/json", "*/*", "application/*") or name.endswith("+json")


def is_form(media_type: str) -> bool:
    """Is it a form of fields, URL-encoded or multipart?"""
    return essence(media_type) == "application/x-www-form-urlencoded" or is_multipart(media_type)


def is_multipart(media_type: str) -> bool:
    """Is it multipart (RFC 2046)?"""
    return essence(media_type).startswith("multipart/")


def is_xml(media_type: str) -> bool:
    """Is it XML (RFC 7303)?"""
    return essence(media_type) in _XML or essence(media_type).endswith("+xml")


def is_yaml(media_type: str) -> bool:
    """Is it YAML (RFC 9512)?"""
    return essence(media_type) in _YAML or essence(media_type).endswith("+yaml")


def is_text(media_type: str) -> bool:
    """Is it text?"""
    name = essence(media_type)
    known = is_xml(name) or is_yaml(name) or name in _TEXTS or name.endswith("+jwt")
    return known or (name.startswith("text/") and not is_json(name))


def is_binary(media_type: str) -> bool:
    """Are these bytes, or is any of several media types (SVG, an image, is text)?"""
    names = [essence(name) for name in media_type.split(",")]
    return any(
        name in _BINARY or (name.startswith(("image/", "audio/", "video/", "font/", "model/")) and not is_xml(name))
        for name in names
    )


def is_stream(media_type: str) -> bool:
    """Is it a sequence of JSON values, or an event stream?"""
    return essence(media_type) in _STREAMS or essence(media_type).endswith("json-seq")


def chosen(content: Sequence[MediaType]) -> MediaType:
    """The representation in which a body is sent: the plainest that says everything."""

    def rank(media: MediaType) -> int:
        name = essence(media.media_type)
        order = (
            name == "application/json",
            name.endswith("+json") and not name.endswith("patch+json"),
            is_json(media.media_type),
            name == "application/x-www-form-urlencoded",
            name == "multipart/form-data",
            is_multipart(name),
            is_xml(name),
            is_text(name),
        )
        return order.index(True) if True in order else len(order)

    return min(content, key=rank)


def accepted(responses: Iterable[Response]) -> tuple[str, ...]:
    """The media types to ask for: those of documented successes, only JSON where there is JSON, then of errors."""
    successes: list[str] = []
    others: list[str] = []
    for response in responses:
        found = successes if response.status.startswith("2") else others
        if found is successes or response.status == "default":
            found += [media.media_type for media in response.content if "/" in media.media_type]
    names = [name for name in successes if is_json(name) and "*" not in name] or successes
    # `default` describes errors beside a success, and the success where there is no other answer.
    return tuple(dict.fromkeys([*names, *(name for name in others if not names or is_json(name))]))
