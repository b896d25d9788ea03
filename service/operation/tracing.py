"""Traces by OpenTelemetry, where the environment asks for them by its standard variables (OTEL_*).

Nothing of OpenTelemetry is imported otherwise.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from redis import Redis
from redis.connection import ConnectionInterface

from service.settings import BadSetting
from service.store.gathering import Client
from service.store.idle_connections import Command, IdleConnections

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

EXPORTER = "OTEL_TRACES_EXPORTER"
ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")


def is_on() -> bool:
    """Return whether the environment asks for traces: by an exporter, or by where to send them."""
    if os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    exporter = os.environ.get(EXPORTER)
    return exporter != "none" and any(map(os.environ.get, (EXPORTER, *ENDPOINTS)))


def check() -> None:
    """Raise BadSetting if traces are asked for that cannot be sent."""
    if not is_on():
        return
    if (exporter := os.environ.get(EXPORTER) or "otlp") != "otlp":
        raise BadSetting(f"{EXPORTER} is {exporter!r}; it should be otlp or none")
    for name in PROTOCOLS:
        if (protocol := os.environ.get(name) or "http/protobuf") != "http/protobuf":
            raise BadSetting(f"{name} is {protocol!r}; it should be http/protobuf")
    try:
        import opentelemetry.exporter.otlp.proto.http
        import opentelemetry.sdk  # noqa: F401
    except ImportError as error:
        raise BadSetting(f"traces are asked for ({_asked_by()}), but OpenTelemetry is not "
                         "installed: pip install 'fogg-server[otel]'") from error


def _asked_by() -> str:
    return next(name for name in (EXPORTER, *ENDPOINTS) if os.environ.get(name))


def begin() -> Tracer:
    """Return a tracer, whose spans this process sends by OTLP over HTTP. New Redis clients make a
    span for each round trip from now on."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    about = Resource({SERVICE_NAME: "fogg", SERVICE_VERSION: version("fogg-server")})
    named = Resource.create()
    if str(named.attributes[SERVICE_NAME]).startswith("unknown_service"):
        named = named.merge(Resource({SERVICE_NAME: "fogg"}))
    provider = TracerProvider(resource=about.merge(named))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    tracer = provider.get_tracer("fogg")
    Client.idle_connections = _traced(tracer)
    return tracer


def _traced(tracer: Tracer) -> type[IdleConnections]:
    """Return a IdleConnections class that makes a span for each round trip of a request."""
    from opentelemetry.trace import SpanKind, get_current_span

    class TracedConnections(IdleConnections):
        def ask(self, client: Redis, connection: ConnectionInterface,
                commands: Sequence[Command]) -> list[Any]:
            if not get_current_span().is_recording():
                return super().ask(client, connection, commands)
            name = commands[0][0][0] if len(commands) == 1 else "pipeline"
            with tracer.start_as_current_span(
                    f"redis {name}", kind=SpanKind.CLIENT, record_exception=False,
                    attributes={"db.system.name": "redis", "db.operation.name": name,
                                "db.operation.batch.size": len(commands)}):
                return super().ask(client, connection, commands)

    return TracedConnections
