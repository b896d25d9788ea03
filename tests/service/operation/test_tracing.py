"""Traces, received as a collector would receive them: over HTTP, from real web processes."""

import http.client
import os
import secrets
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from fogg_client.client import Client
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from service.operation.redis import connect
from service.operation.stack import Stack
from service.operation.tracing import check
from service.settings import BadSetting
from tests.service.webhooks.hooks import wait_for

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
CLIENT, SERVER = 3, 2  # kinds of spans
ERROR = 2  # a span's status


class Collector:
    """The requests of the exporter: their texts, and the spans in them."""

    def __init__(self):
        self.raw, self.spans, self.services = b"", [], set()

    def take(self, path: str, raw: bytes) -> None:
        assert path == "/v1/traces"
        self.raw += raw
        for of_one in ExportTraceServiceRequest.FromString(raw).resource_spans:
            self.services |= {(each.key, each.value.string_value)
                              for each in of_one.resource.attributes}
            for scope in of_one.scope_spans:
                self.spans += scope.spans

    def of_trace(self, trace: str) -> list:
        return [span for span in self.spans if span.trace_id.hex() == trace]

    def server_span(self, trace: str):
        found = [span for span in self.of_trace(trace) if span.kind == SERVER]
        return found[0] if found else None


@contextmanager
def collector():
    found = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            found.take(self.path, self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield found, f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def traced(tmp_path_factory):
    """A service with workers, and the collector that it sends its traces to."""
    patch = pytest.MonkeyPatch()
    with collector() as (found, url):
        patch.setenv(ENDPOINT, url)
        patch.setenv("OTEL_BSP_SCHEDULE_DELAY", "100")
        with Stack(tmp_path_factory.mktemp("traced")) as stack:
            yield stack, found
    patch.undo()


def attributes(span) -> dict:
    return {each.key: getattr(each.value, each.value.WhichOneof("value"))
            for each in span.attributes}


def ask(stack, method: str, path: str, trace: str, **headers: str) -> int:
    """Ask for something as part of a trace; return the status."""
    host = stack.url.removeprefix("http://")
    connection = http.client.HTTPConnection(host, timeout=30)
    connection.request(method, path, headers={"traceparent": f"00-{trace}-{8 * 'ab'}-01"} | headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def test_a_request_has_a_span_with_its_operation_and_goes_on_from_the_callers_trace(traced):
    stack, found = traced
    game = Client(stack.url).sign_up("Ann").post(
        "/v1/games", {"board": "usa", "seats": [{"player": "me"}, {"open": True}]})["id"]
    trace = secrets.token_hex(16)
    assert ask(stack, "GET", f"/v1/games/{game}", trace, **{"X-Request-Id": "mine"}) == 200
    span = wait_for(lambda: found.server_span(trace))
    assert (span.name, span.parent_span_id.hex()) == ("getGame", 8 * "ab")
    assert attributes(span) == {
        "http.request.method": "GET", "http.route": "/v1/games/{game}",
        "http.response.status_code": 200, "fogg.request_id": "mine"}
    trips = [one for one in found.of_trace(trace) if one.kind == CLIENT]
    assert trips
    assert {one.parent_span_id for one in trips} == {span.span_id}
    assert all(attributes(one)["db.system.name"] == "redis" for one in trips)
    assert ("service.name", "fogg") in found.services


@pytest.mark.parametrize(("method", "path", "name", "status"), [
    ("GET", "/v1/games/nosuchgame", "getGame", 404), ("POST", "/v1/games", "createGame", 401),
    ("GET", "/nowhere", "GET", 404), ("BREW", "/v1/games", "_OTHER", 405),
    ("HEAD", "/healthz", "getHealth", 200)])
def test_a_span_has_the_status_also_of_what_is_refused(traced, method, path, name, status):
    stack, found = traced
    trace = secrets.token_hex(16)
    assert ask(stack, method, path, trace) == status
    span = wait_for(lambda: found.server_span(trace))
    assert (span.name, attributes(span)["http.response.status_code"]) == (name, status)
    assert span.status.code != ERROR


def test_the_span_of_a_stream_ends_with_the_stream(traced):
    stack, found = traced
    trace = secrets.token_hex(16)
    connection = http.client.HTTPConnection(stack.url.removeprefix("http://"), timeout=30)
    connection.request("GET", "/v1/live", headers={
        "traceparent": f"00-{trace}-{8 * 'ab'}-01", "Accept": "text/event-stream"})
    assert connection.getresponse().status == 200
    later = secrets.token_hex(16)
    ask(stack, "GET", "/healthz", later)
    wait_for(lambda: found.server_span(later))
    assert found.server_span(trace) is None
    connection.close()
    Client(stack.url).sign_up("Bob").post("/v1/games", {"board": "usa", "seats": [
        {"bot": "random"}, {"bot": "random"}]})  # so that the stream finds its client gone
    assert wait_for(lambda: found.server_span(trace)).name == "listLive"


def test_no_secret_is_in_any_span(traced):
    """A whole game with notes, tickets, invitations and a webhook."""
    stack, found = traced
    ann = Client(stack.url).sign_up("Annabel")
    token = ann.token
    game = ann.post("/v1/games", {
        "board": "london", "options": {"visibility": "private"},
        "seats": [{"player": "me"}, {"bot": "random"}]})["id"]
    ask(stack, "GET", f"/v1/games/{game}?token={token}", secrets.token_hex(16), **{
        "Authorization": f"Bearer {token}", "tracestate": "vendor=value", "baggage": "word=spoken"})
    for _ in range(3):
        view = ann.view(game)
        if actions := view.get("you", {}).get("legal_actions"):
            ann.post(f"/v1/games/{game}/actions", actions[0] | {"note": "between us"})
    ann.post(f"/v1/games/{game}/actions", {"type": "resign"})
    trace = secrets.token_hex(16)
    ask(stack, "GET", f"/v1/games/{game}", trace, Authorization=f"Bearer {token}")
    wait_for(lambda: found.server_span(trace))
    with connect(stack.redis.url) as redis:
        from service.store.secret import service_secret

        kept = [service_secret(redis).hex().encode(), service_secret(redis)]
        salts = [entry["salt"].encode() for entry in ann.entries(game) if "salt" in entry]
    names = {span.name for span in found.spans}
    assert {"playAction", "playActions", "createGame", "createPlayer"} <= names
    for secret in (token.encode(), b"fogg_", b"between us", b"Annabel", b"spoken", b"Bearer",
                   game.encode(), ann.view(game).get("seed", "none").encode(), *salts, *kept):
        assert secret not in found.raw, secret


def test_nothing_is_imported_where_no_variable_asks_for_traces(traced):
    """redis-py imports what measures, wherever it is installed, and nothing that traces."""
    stack, _ = traced
    program = ("import sys; from service.api.app import create_app; app = create_app(); "
               "print(type(app.wsgi_app).__name__, "
               "[name for name in sys.modules if name in ('service.api.traced', "
               "'opentelemetry.sdk.trace', 'opentelemetry.exporter')])")
    env = {name: value for name, value in os.environ.items() if not name.startswith("OTEL_")}
    env["FOGG_REDIS_URL"] = stack.redis.url
    for more in {}, {ENDPOINT: "http://127.0.0.1:9", "OTEL_SDK_DISABLED": "true"}:
        done = subprocess.run([sys.executable, "-c", program], env=env | more, text=True,
                              capture_output=True, check=True, timeout=60)
        assert done.stdout.strip() == "Envelope []"


@pytest.mark.parametrize(("name", "text", "said"), [
    ("OTEL_TRACES_EXPORTER", "zipkin", "OTEL_TRACES_EXPORTER is 'zipkin'; it should be otlp or no"),
    ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "OTEL_EXPORTER_OTLP_PROTOCOL is 'grpc'; it should be "),
])
def test_what_cannot_be_sent_is_refused_by_name(monkeypatch, name, text, said):
    monkeypatch.setenv(ENDPOINT, "http://127.0.0.1:4318")
    check()
    monkeypatch.setenv(name, text)
    with pytest.raises(BadSetting) as refused:
        check()
    assert str(refused.value).startswith(said)


def test_without_the_package_the_extra_is_named(tmp_path):
    (tmp_path / "opentelemetry").mkdir()
    (tmp_path / "opentelemetry" / "__init__.py").write_text("raise ImportError('not here')")
    done = subprocess.run(
        [sys.executable, "-m", "service.web"], capture_output=True, text=True, timeout=60,
        env=os.environ | {ENDPOINT: "http://127.0.0.1:9", "PYTHONPATH": str(tmp_path)})
    assert done.returncode == 1
    assert "traces are asked for (OTEL_EXPORTER_OTLP_ENDPOINT)" in done.stderr
    assert "pip install 'fogg-server[otel]'" in done.stderr
