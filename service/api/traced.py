"""A span for each request, where traces are asked for (``service.operation.tracing``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask
from opentelemetry.propagate import extract
from opentelemetry.propagators.textmap import Getter
from opentelemetry.trace import SpanKind, StatusCode, Tracer, use_span
from werkzeug.wsgi import ClosingIterator

from service.api.context import context
from service.api.request_log import METHODS, template


class Traced:
    """A WSGI application that makes a span of each request to another one. The span is named by the
    operation id and continues the caller's ``traceparent``. It ends when the answer, or the stream,
    is complete. Spans have routes with placeholders, and no headers or bodies, so they never show
    tokens, hands or seeds."""

    def __init__(self, flask: Flask, tracer: Tracer):
        self._app, self._tracer = flask.wsgi_app, tracer
        self._operations = {
            (method, rule.rule): operation for rule in flask.url_map.iter_rules()
            for method in rule.methods or ()
            if (operation := _operation_id(flask.view_functions[rule.endpoint]))}

    def __call__(
        self, environ: dict[str, Any], start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        """Answer a request."""
        method = environ["REQUEST_METHOD"]
        method = method if method in METHODS else "_OTHER"
        span = self._tracer.start_span(
            method, extract(environ, getter=_HEADERS), SpanKind.SERVER,
            {"http.request.method": method})

        def start(status: str, *more: Any) -> Any:
            code, about = int(status[:3]), context()
            span.set_attribute("http.response.status_code", code)
            span.set_attribute("fogg.request_id", about.request_id)
            if about.rule:
                span.set_attribute("http.route", route := template(about.rule))
                span.update_name(self._operations.get((method, about.rule), f"{method} {route}"))
            if code >= 500:
                span.set_status(StatusCode.ERROR)
            return start_response(status, *more)

        try:
            with use_span(span, record_exception=False):
                body = self._app(environ, start)
        except BaseException:
            span.end()
            raise
        if isinstance(body, (list, tuple)):
            span.end()
            return body
        return ClosingIterator(body, span.end)


def _operation_id(view: Callable[..., Any]) -> str | None:
    """Return the operation id of a view function, None if openapi.yaml does not have it."""
    return getattr(view, "_apidoc", {}).get("manual_doc", {}).get("operationId")


class _Headers(Getter[dict[str, Any]]):
    """Reads the headers of a request."""

    def get(self, carrier: dict[str, Any], key: str) -> list[str] | None:
        value = carrier.get("HTTP_" + key.upper().replace("-", "_"))
        return None if value is None else [value]

    def keys(self, carrier: dict[str, Any]) -> list[str]:
        return [name[5:].lower().replace("_", "-") for name in carrier if name.startswith("HTTP_")]


_HEADERS = _Headers()
