"""Telemetry: what is told of requests to the API, and what is not."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from runtime.operation import Api
from runtime.server import Server

from runtime import telemetry

from .conftest import CREDENTIALS, SECRETS, Upstream, call


class Told:
    """What was exported."""

    def __init__(self) -> None:
        self.spans = InMemorySpanExporter()
        self.metrics = InMemoryMetricReader()
        self.tracers = TracerProvider()
        self.tracers.add_span_processor(SimpleSpanProcessor(self.spans))
        self.meters = MeterProvider([self.metrics])

    @property
    def finished(self) -> tuple[ReadableSpan, ...]:
        """The spans in their order."""
        return self.spans.get_finished_spans()

    @property
    def counted(self) -> list[tuple[dict[str, Any], int]]:
        """The points of the histogram: attributes, and how many requests they stand for."""
        data: Any = self.metrics.get_metrics_data()
        (metric,) = data.resource_metrics[0].scope_metrics[0].metrics
        assert (metric.name, metric.unit) == ("http.client.request.duration", "s")
        return [(dict(point.attributes), point.count) for point in metric.data.data_points]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Generator[Told]:
    """Where spans and metrics go while a test runs."""
    found = Told()
    histogram = found.meters.get_meter("test").create_histogram("http.client.request.duration", unit="s")
    monkeypatch.setattr(telemetry, "_TRACER", found.tracers.get_tracer("test"))
    monkeypatch.setattr(telemetry, "_DURATION", histogram)
    yield found
    found.tracers.shutdown()
    found.meters.shutdown()


def test_a_request_is_a_span_and_is_counted(api: Api, upstream: Upstream, told: Told) -> None:
    server = Server(api, environ={"PETSTORE_BASE_URL": upstream.url, **CREDENTIALS})
    upstream.reply_json("/pets", [])
    call(server, "list_pets", {"tags": ["a-private-word"]})
    (span,) = told.finished
    port = int(upstream.url.rpartition(":")[2])
    common = {"http.request.method": "GET", "server.address": "127.0.0.1", "server.port": port}
    answered = {"http.response.status_code": 200}
    assert (span.name, span.kind, span.status.status_code) == ("GET", SpanKind.CLIENT, StatusCode.UNSET)
    assert dict(span.attributes or {}) == {**common, **answered, "url.full": f"{upstream.url}/pets"}
    assert told.counted == [({**common, **answered}, 1)]
    assert not any(secret in span.to_json() for secret in (*SECRETS, "a-private-word"))


def test_each_try_is_one(api: Api, upstream: Upstream, told: Told) -> None:
    server = Server(api, environ={"PETSTORE_BASE_URL": upstream.url, **CREDENTIALS})
    upstream.script("/fetch", {"status": 503, "headers": {"Retry-After": "0"}}, {"status": 404})
    assert call(server, "fetch").is_error
    errors = [(span.attributes or {})["error.type"] for span in told.finished]
    assert errors == ["503", "404"]
    assert {span.status.status_code for span in told.finished} == {StatusCode.ERROR}
    assert sorted(count for _, count in told.counted) == [1, 1]


def test_what_broke_is_told_by_its_class_alone(api: Api, told: Told) -> None:
    settings = {"PETSTORE_BASE_URL": "http://127.0.0.1:1", "PETSTORE_RETRIES": "0"}
    assert call(Server(api, environ={**settings, **CREDENTIALS}), "list_pets").is_error
    (span,) = told.finished
    assert (span.attributes or {})["error.type"] == "ConnectError"
    assert not span.events


def test_without_an_sdk_nothing_is_recorded(api: Api, upstream: Upstream) -> None:
    with telemetry.observed("GET", "http://[::1") as exchange:
        exchange.answered(200)
    assert not call(Server(api, environ={"PETSTORE_BASE_URL": upstream.url, **CREDENTIALS}), "fetch").is_error
