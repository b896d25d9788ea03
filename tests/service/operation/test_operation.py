"""For operators: the log, metrics, headers, backups."""

import json
import logging
import os
import platform
import re
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
import urllib3
from fogg_client.client import Client
from prometheus_client.parser import text_string_to_metric_families
from rq import Worker

from domain.game.commands import Resign
from domain.game.fold import play
from service.accounts import bots
from service.app import create_app
from service.eventlog.store import NewEntry
from service.games import feature as measures
from service.http import envelope, logs, metrics
from service.http.serving import services
from service.operation.stack import Stack
from service.operation.workforce import STARTING, Watch
from service.redis.conflicts import Conflict
from service.redis.connection import EmbeddedRedis, connect
from service.settings import LOG_LEVELS
from tests.service.callers import Caller, backdate, begin
from tests.waiting import until
from tools.generators.openapi_tape import Tape
from tools.ports import free_port
from workers.__main__ import JsonLines as WorkersLines

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
BOTS = [{"bot": "greedy"}, {"bot": "random"}]
DESIRED = (
    "Authorization",
    "Content-Type",
    "If-Match",
    "If-None-Match",
    "Idempotency-Key",
    "Last-Event-ID",
    "Prefer",
    "X-Request-Id",
)


@pytest.fixture
def told(caplog):
    """The log's lines about requests, each as its fields."""
    caplog.set_level(logging.INFO, "fogg.requests")
    return lambda: [record.fields for record in caplog.records if record.name == "fogg.requests"]


@pytest.fixture(scope="module")
def stack(tmp_path_factory):
    """The whole service, two web processes."""
    with Stack(tmp_path_factory.mktemp("stack"), web=2) as running:
        yield running


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def play_out(url: str) -> tuple[str, list[dict]]:
    """Have bots play a whole game; return its id and its entries without redactions."""
    ann = Client(url).sign_up("Ann")
    game = ann.post("/v1/games", {"board": "london", "seats": BOTS})["id"]
    return game, list(ann.entries(game))


def counted(text: bytes) -> dict[tuple, float]:
    """The samples of a page of metrics: (name, label's value, ...) -> value."""
    return {
        (sample.name, *(sample.labels[name] for name in sorted(sample.labels))): sample.value
        for family in text_string_to_metric_families(text.decode())
        for sample in family.samples
    }


# the log


@pytest.mark.parametrize("formatter", [logs.JsonLines(), WorkersLines()])
def test_a_line_of_any_text_is_one_json_object(formatter):
    try:
        raise ValueError("two\nlines \ud800")
    except ValueError:
        record = logging.getLogger("any").makeRecord(
            "any", logging.ERROR, "", 1, "a %s\nb", ('\ud800"',), sys.exc_info()
        )
    text = formatter.format(record)
    assert "\n" not in text
    line = json.loads(text)
    assert TIME.fullmatch(line["time"])
    assert (line["level"], line["logger"]) == ("error", "any")
    assert line["message"].startswith("a ")
    assert "ValueError: two\nlines" in line["exception"]


def test_all_that_web_processes_and_workers_write_is_json_and_nothing_in_it_secret(stack):
    secrets = ["a-query-value", "a-header-value"]
    urllib3.request(
        "GET",
        f"{stack.url}/v1/games?player={secrets[0]}",
        headers={"Cookie": secrets[1], "User-Agent": secrets[1]},
    )
    play_out(stack.url)
    with connect(stack.redis.url) as redis:
        tokens = bots.known_tokens(redis)
    written = (stack.data / "web.log").read_text() + (stack.data / "workers.log").read_text()
    rows = lines(stack.data / "web.log") + lines(stack.data / "workers.log")
    assert {row["logger"] for row in rows} >= {"gunicorn.error", "fogg.requests", "fogg.workers"}
    for row in rows:
        assert TIME.fullmatch(row["time"])
        assert row["level"] in LOG_LEVELS
        assert row["message"]
    secrets += [token for row in tokens.values() for token in row]
    assert [secret for secret in secrets if secret in written] == []


def test_every_request_has_its_line(ada, anybody, told):
    ada.get("/v1/me")
    anybody.get("/v1/games/g_00000000000000000000?when=1")
    anybody.get("/nowhere/at/all")
    anybody.request("FETCH", "/v1/games")
    rows = [(r["method"], r["route"], r["status"], r["account"]) for r in told()[-4:]]
    assert rows == [
        ("GET", "/v1/me", 200, ada.id),
        ("GET", "/v1/games/{game}", 422, None),
        ("GET", "unmatched", 404, None),
        ("other", "unmatched", 405, None),
    ]
    assert all(r["bytes"] > 0 and 0 < r["ms"] < 10_000 for r in told())


def test_a_stream_has_its_line_once_it_has_ended(connection, told):
    app = create_app(connection)
    app.add_url_rule("/stream", view_func=lambda: app.response_class(iter([b"a", b"b"])))
    answer = app.test_client().get("/stream", buffered=False)
    assert told() == []
    assert answer.data == b"ab"
    answer.close()
    assert [(row["route"], row["bytes"]) for row in told()] == [("/stream", None)]


def test_requests_need_not_be_logged(connection, monkeypatch, told):
    monkeypatch.setenv("FOGG_LOG_REQUESTS", "false")
    assert Caller(create_app(connection)).get("/healthz").status_code == 200
    assert told() == []


# request ids


@pytest.mark.parametrize("sent", ["a", "A.b_c-9", "x" * 64])
def test_a_good_request_id_is_kept(anybody, sent, told):
    answer = anybody.get("/v1/nothing", headers={"X-Request-Id": sent})
    assert answer.headers["X-Request-Id"] == answer.json["request_id"] == sent


@pytest.mark.parametrize("sent", [None, "", "x" * 65, "a b", "a\tb", "é", '"', "a;b"])
def test_any_other_gets_a_new_one(anybody, sent):
    headers = {} if sent is None else {"X-Request-Id": sent}
    ids = {anybody.get("/v1/nothing", headers=headers).json["request_id"] for _ in range(2)}
    assert len(ids) == 2
    assert all(re.fullmatch("[0-9a-f]{16}", request_id) for request_id in ids)


def test_log_lines_of_a_request_have_its_id(connection):
    app = create_app(connection)

    @app.route("/broken")
    def broken():
        raise RuntimeError("broken")

    written, handler = [], logging.Handler()
    handler.emit = lambda record: written.append(json.loads(logs.JsonLines().format(record)))
    logging.getLogger("service.http.problems").addHandler(handler)
    try:
        answer = Caller(app).get("/broken")
    finally:
        logging.getLogger("service.http.problems").removeHandler(handler)
    assert answer.status_code == 500
    assert written[0]["request_id"] == answer.json["request_id"]
    assert "RuntimeError: broken" in written[0]["exception"]


def test_an_answer_to_everything_has_an_id(ada):
    for method, path in (
        ("GET", "/docs"),
        ("GET", "/openapi.yaml"),
        ("OPTIONS", "/v1/games"),
        ("PUT", "/v1/games"),
        ("POST", "/v1/games"),
        ("GET", "/metrics"),
    ):
        assert ada.request(method, path).headers["X-Request-Id"]


# metrics


def test_requests_appends_streams_and_refusals_are_counted(ada, grace, anybody):
    before = counted(anybody.get("/metrics").data)
    game = begin(ada, grace)
    ada.act(game, {"type": "pass"})
    ada.play(game, {"type": "resign"})
    anybody.get("/v1/games/else/where")
    with metrics.count_stream():
        metrics.count_refusal("accounts")
        after = counted(anybody.get("/metrics").data)

    def gained(*key) -> float:
        return after[key] - before.get(key, 0)

    route = "/v1/games/{game}/actions"
    assert gained("fogg_requests_total", "POST", route, "200") == 1
    assert gained("fogg_requests_total", "POST", route, "409") == 1
    assert gained("fogg_requests_total", "GET", "unmatched", "404") == 1
    assert gained("fogg_request_seconds_count", "POST", route) == 2
    assert gained("fogg_action_seconds_count") == 1
    assert gained("fogg_appends_total") == 3
    assert gained("fogg_streams") == 1
    assert gained("fogg_rate_limited_total", "accounts") == 1
    assert [after["fogg_games", s] for s in ("lobby", "playing", "finished")] == [0, 0, 1]
    assert (after["fogg_redis_up",], after["fogg_queue_length",]) == (1, 0)
    assert counted(anybody.get("/metrics").data)["fogg_streams",] == before["fogg_streams",]


def test_a_conflict_is_counted(app, ada, grace):
    store, before = services(app).games.store, measures.CONFLICTS._value.get()
    game = store.load(begin(ada, grace))
    events, state = play(game.state, 0, Resign())
    entry = NewEntry(events, state, 0, Resign())
    store.append(game, entry)
    with pytest.raises(Conflict):
        store.append(game, entry)
    assert measures.CONFLICTS._value.get() == before + 1


def test_games_that_wait_for_a_worker_are_counted_and_those_in_which_somebody_waits(
    ada, grace, anybody
):
    mine = [{"player": "me"}, {"bot": "random"}]
    for caller, seats in ((ada, BOTS), (ada, mine), (grace, BOTS), (grace, mine), (grace, BOTS)):
        caller.post("/v1/games", {"board": "usa", "seats": seats})
    counts = counted(anybody.get("/metrics").data)
    assert [counts[f"fogg_queue_{name}",] for name in ("length", "guests")] == [5, 2]


def test_processes_report_their_resources_and_versions(stack):
    def counts() -> dict[tuple, float]:
        return counted(urllib3.request("GET", f"{stack.url}/metrics").data)

    until(lambda: counts()["fogg_web_processes",] == 2)  # each tells every few seconds
    told = counts()
    assert told["fogg_process_cpu_seconds_total",] > 0
    assert told["fogg_process_memory_bytes",] > 10e6
    assert told["fogg_process_files",] > 5
    [build] = [key for key in told if key[0] == "fogg_build_info"]
    assert build[1:] == (platform.python_version(), version("fogg-server"))
    streams = [
        urllib3.request(
            "GET",
            f"{stack.url}/v1/live",
            preload_content=False,
            headers={"Accept": "text/event-stream"},
        )
        for _ in range(20)
    ]
    until(lambda: counts()["fogg_streams",] == 20)
    assert 10 <= counts()["fogg_process_streams",] <= 20
    for stream in streams:
        stream.close()


def test_metrics_count_waiting_games_and_live_workers(app, redis, ada, anybody):
    game = ada.post("/v1/games", {"board": "usa", "seats": [{"bot": "random"}, {"player": "me"}]})
    counts = counted(anybody.get("/metrics").data)
    assert 0 <= counts["fogg_queue_oldest_seconds", "guests"] < 60
    assert counts["fogg_queue_oldest_seconds", "bots"] == 0
    assert [counts["fogg_workers", queue] for queue in ("bots", "deliveries")] == [0, 0]
    backdate(app, game.json["id"], 75_000)
    worker = Worker(["bots"], connection=redis, serializer="json")
    worker.register_birth()
    counts = counted(anybody.get("/metrics").data)
    assert 75 <= counts["fogg_queue_oldest_seconds", "guests"] < 135
    assert [counts["fogg_workers", queue] for queue in ("bots", "deliveries")] == [1, 0]
    redis.delete(worker.key)  # as it expires once the worker was killed
    assert counted(anybody.get("/metrics").data)["fogg_workers", "bots"] == 0


def test_readiness_reports_the_workers_and_warns_without_any(app, redis, ada, anybody):
    assert anybody.get("/readyz").json == {"status": "ok"}
    game = ada.post("/v1/games", {"board": "usa", "seats": [{"bot": "random"}, {"player": "me"}]})
    backdate(app, game.json["id"], 75_000)
    services(app).find(Watch).update()
    assert anybody.get("/readyz").json == {"status": "ok"}  # they may be starting
    services(app).find(Watch).began -= STARTING
    services(app).find(Watch).update()
    answer = anybody.get("/readyz")
    assert answer.status_code == 200
    assert answer.json["workers"] == {"bots": 0, "deliveries": 0}
    assert [warning.partition(" for ")[0] for warning in answer.json["warnings"]] == [
        "no worker plays built-in bots",
        "no worker calls webhooks",
        "a game that others than built-in bots play in has waited",
    ]
    services(app).find(Watch).began += STARTING
    for queue in ("bots", "deliveries"):
        Worker([queue], connection=redis, serializer="json").register_birth()
    redis.delete(*redis.scan_iter("rq:queue:*"))
    services(app).find(Watch).update()
    assert anybody.get("/readyz").json == {
        "status": "ok",
        "workers": {"bots": 1, "deliveries": 1},
        "warnings": [],
    }


def test_without_redis_the_metrics_say_so(tmp_path):
    with EmbeddedRedis(tmp_path) as server:
        caller = Caller(create_app(connect(server.url, retry=False)))
        server.stop()
        counts = counted(caller.get("/metrics").data)
    assert counts["fogg_redis_up",] == 0
    assert ("fogg_queue_length",) not in counts


def web_processes(stack: Stack) -> set[int]:
    """Return the ids of the processes that gunicorn has started."""
    children = Path(f"/proc/{stack.web.pid}/task/{stack.web.pid}/children").read_text()
    return {int(pid) for pid in children.split()}


def test_any_web_process_answers_for_all_and_a_dead_one_still_counts(stack):
    def actions() -> float:
        page = urllib3.request("GET", f"{stack.url}/metrics").data
        return counted(page).get(("fogg_action_seconds_count",), 0)

    before = actions()
    _, entries = play_out(stack.url)
    played = sum("action" in entry for entry in entries)
    assert actions() == before + played
    page = counted(urllib3.request("GET", f"{stack.url}/metrics").data)
    assert sum(page["fogg_bot_action_seconds_count", row["bot"]] for row in BOTS) >= played
    pids = web_processes(stack)
    assert len(pids) == 2
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    until(lambda: len(new := web_processes(stack)) == 2 and not new & pids)
    Client(stack.url).get("/readyz")
    assert actions() == before + played


def test_only_this_machine_may_read_the_metrics(anybody):
    def ask(address: str, **headers) -> int:
        return anybody.client.get(
            "/metrics", headers=headers, environ_base={"REMOTE_ADDR": address}
        ).status_code

    assert [ask(here) for here in ("127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1")] == 4 * [
        200
    ]
    assert [ask(there) for there in ("10.0.0.1", "203.0.113.9", "::2", "", "unix")] == 5 * [403]
    assert ask("127.0.0.1", **{"X-Forwarded-For": "203.0.113.9"}) == 403


def is_refused(answer) -> bool:
    """Return whether an answer asks for a token and reveals nothing."""
    asks = (answer.status_code, answer.headers.get("WWW-Authenticate")) == (401, "Bearer")
    return asks and b"fogg_" not in answer.data


def test_a_metrics_token_opens_the_metrics_from_everywhere(anybody, ada, monkeypatch):
    monkeypatch.setenv("FOGG_METRICS_TOKEN", "a token of ours")
    good = {"Authorization": "Bearer a token of ours"}
    assert (
        anybody.client.get(
            "/metrics", headers=good, environ_base={"REMOTE_ADDR": "10.0.0.1"}
        ).status_code
        == 200
    )
    assert is_refused(anybody.get("/metrics"))
    assert is_refused(ada.get("/metrics"))
    for sent in ("Bearer ", "Bearer a token of our", "a token of ours", "Bearer a token of oursé"):
        assert is_refused(anybody.get("/metrics", headers={"Authorization": sent}))


def test_no_label_can_be_made_up_by_a_caller(anybody):
    for i in range(20):
        anybody.get(f"/v1/made-up/{i}")
        anybody.request(f"VERB{i}", f"/v1/games/{i}")
        anybody.get(f"/v1/games/g_{i:020}")
        anybody.get(f"/docs/{i}")
    counts = counted(anybody.get("/metrics").data)
    routes = {key[2] for key in counts if key[0] == "fogg_requests_total"}
    assert not [route for route in routes if re.search("[0-9]", route.removeprefix("/v1"))]
    methods = {key[1] for key in counts if key[0] == "fogg_requests_total"}
    assert methods <= {*envelope.METHODS, "other"}


# headers


def test_a_page_of_any_origin_may_read_every_answer(ada, anybody):
    answers = [
        anybody.get("/v1/boards"),
        anybody.get("/openapi.yaml"),
        anybody.get("/v1/me"),
        anybody.get("/v1/nothing"),
        anybody.request("PUT", "/v1/games"),
        ada.post("/v1/games", {}),
        ada.get("/v1/me"),
        anybody.get("/v1"),
    ]
    assert {a.status_code for a in answers} == {200, 401, 404, 405, 422}
    for answer in answers:
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in answer.headers
        assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        for name in (
            "Date",
            "ETag",
            "Link",
            "Location",
            "Retry-After",
            "RateLimit",
            "RateLimit-Policy",
            "X-Request-Id",
        ):
            assert name in answer.headers["Access-Control-Expose-Headers"].split(", ")
    for path in ("/docs", "/metrics", "/healthz"):
        assert "Access-Control-Allow-Origin" not in anybody.get(path).headers


def test_other_sites_may_load_of_the_page_what_they_may_frame(anybody):
    for query, whose in (("", "same-origin"), ("?embed=1", "cross-origin")):
        headers = anybody.get(f"/games/g_0{query}").headers
        assert headers["Cross-Origin-Resource-Policy"] == whose
        assert ("Cross-Origin-Embedder-Policy" in headers) == (whose == "cross-origin")
        assert "Access-Control-Allow-Origin" not in headers


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/v1/games", {"GET", "HEAD", "POST", "OPTIONS"}),
        ("/v1/games/g_0/actions", {"POST", "OPTIONS"}),
        ("/v1/me/tokens/t_0", {"DELETE", "OPTIONS"}),
        ("/openapi.yaml", {"GET", "HEAD", "OPTIONS"}),
    ],
)
def test_a_preflight_request_gets_the_allowed_headers(anybody, path, methods):
    answer = anybody.request(
        "OPTIONS",
        path,
        headers={
            "Origin": "https://example.org",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization,if-match",
        },
    )
    assert (answer.status_code, answer.data) == (204, b"")
    assert "Content-Type" not in answer.headers
    assert set(answer.headers["Access-Control-Allow-Methods"].split(", ")) == methods
    assert set(answer.headers["Access-Control-Allow-Headers"].split(", ")) == set(DESIRED)
    assert int(answer.headers["Access-Control-Max-Age"]) > 0
    assert anybody.request("OPTIONS", "/v1/nothing").status_code == 404


def test_no_answer_may_run_or_load_anything_but_the_documentation(anybody, ada, grace):
    game = begin(ada, grace)
    for path in (
        "/v1/boards",
        "/v1/boards/usa/map.svg",
        f"/v1/games/{game}/board.svg",
        "/openapi.yaml",
        "/healthz",
        "/metrics",
        "/nowhere",
    ):
        headers = anybody.get(path).headers
        assert headers["Content-Security-Policy"].startswith("default-src 'none'; style-src")
        assert "script" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
    policy = anybody.get("/docs").headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy


# starting and backing up


def test_the_web_processes_start_by_themselves(redis_server, tmp_path):
    port = free_port()
    web = subprocess.Popen(
        [sys.executable, "-m", "service.web", "--bind", f"127.0.0.1:{port}"],
        env={**os.environ, "FOGG_REDIS_URL": redis_server.url, "TMPDIR": str(tmp_path)},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert Client(f"http://127.0.0.1:{port}").get("/readyz")["status"] == "ok"
        folder = metrics_folder(web.pid, tmp_path)
        assert list(folder.glob("*.db"))
    finally:
        web.terminate()
        said = web.communicate(timeout=30)[1]
    assert all(json.loads(line) for line in said.splitlines())
    assert not folder.exists()


def metrics_folder(pid: int, temporary: Path) -> Path:
    """Return the folder that a process counts in, which nobody has named."""
    if sys.platform == "linux":
        words = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        named = dict(word.decode().split("=", 1) for word in words if b"=" in word)
        return Path(named["PROMETHEUS_MULTIPROC_DIR"])
    return next(temporary.glob("fogg-metrics-*"))


# Examples for openapi.yaml


def show_operation(tape: Tape) -> None:
    """Ask how the service is."""
    tape.call("getHealth", "ok", "The process is alive", "GET", "/healthz")
    tape.call("getReadiness", "ok", "Redis responds", "GET", "/readyz")


def show_absent_store(tape: Tape) -> None:
    """Ask how the service is without its store."""
    tape.call("getReadiness", "not-ready", "Redis does not respond", "GET", "/readyz")
