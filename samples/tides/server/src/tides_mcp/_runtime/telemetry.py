"""Telemetry: each request to the API as a span and in a histogram, by OpenTelemetry's API, which the MCP SDK brings.

Where no OpenTelemetry SDK is set up, nothing is recorded. Names are those of the semantic conventions for HTTP clients.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final
from urllib.parse import urlsplit

from opentelemetry import metrics, trace
from opentelemetry.trace import INVALID_SPAN, Span, SpanKind, StatusCode

_TRACER: Final = trace.get_tracer("toolcast.runtime")
_DURATION: Final = metrics.get_meter("toolcast.runtime").create_histogram(
    "http.client.request.duration",
    unit="s",
    description="Duration of HTTP client requests.",
    explicit_bucket_boundaries_advisory=(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10),
)


@dataclass(slots=True)
class Exchange:
    """A request that is under way, and what is known of its answer."""

    told: dict[str, str | int] = field(default_factory=dict[str, "str | int"])

    def answered(self, status: int) -> None:
        """The API has answered."""
        self.told["http.response.status_code"] = status
        if status >= 400:
            self.told["error.type"] = str(status)


@contextmanager
def observed(method: str, url: str) -> Generator[Exchange]:
    """A request to ``url``, which must hold no secrets, for as long as the block runs."""
    common = {"http.request.method": method, **_server(url)}
    exchange, begin = Exchange(), perf_counter()
    span = _TRACER.start_span(method, kind=SpanKind.CLIENT, attributes={**common, "url.full": url})
    with _current(span) if span is not INVALID_SPAN else nullcontext():
        try:
            yield exchange
        except BaseException as error:
            exchange.told["error.type"] = type(error).__name__
            raise
        finally:
            span.set_attributes(exchange.told)
            if "error.type" in exchange.told:
                span.set_status(StatusCode.ERROR)
            _DURATION.record(perf_counter() - begin, {**common, **exchange.told})


def _current(span: Span) -> AbstractContextManager[Span]:
    """The span as the one that others belong to; it ends with the block."""
    # The text of an exception may hold the whole URL.
    return trace.use_span(span, end_on_exit=True, record_exception=False, set_status_on_exception=False)


def _server(url: str) -> dict[str, str | int]:
    """Where a URL leads, as far as it can be read."""
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        return {}
    return {"server.address": parts.hostname or "", "server.port": port}
