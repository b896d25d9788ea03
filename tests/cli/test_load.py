"""``fogg load``."""

import json
import re
import subprocess
import sys
import time
from itertools import pairwise

import pytest
from fogg_client.client import Client
from fogg_client.problems import Problem

from cli.commands.load import load as command
from cli.load.run import Over, Run, Settings, figures, report

LOAD = [sys.executable, "-m", "cli", "load"]


def load(*arguments: object, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run([*LOAD, *map(str, arguments)], capture_output=True, text=True, timeout=60,
                          env=environment or None)


def test_a_mix_is_played_on_a_service_of_its_own_and_measured():
    done = load("mix", "--requests", 400, "--seconds", 30, "--clients", 5, "--watchers", 2,
                "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    by_request = result["by_request"]
    assert {"act", "look", "create a game", "join", "leave", "list lobbies", "abort",
            "create a tournament", "enter", "start", "look at a tournament"} <= by_request.keys()
    assert result["errors"] == {}
    assert result["requests"]["count"] == sum(row["count"] for row in by_request.values()) == 400
    assert result["seconds"] < 30
    assert result["seen_by_watchers"]["count"] > 0
    for row in (*by_request.values(), result["requests"], result["seen_by_watchers"]):
        assert 0 < row["p50"] <= row["p95"] <= row["p99"]


def test_it_stops_at_its_requests_and_leaves_nothing_under_way(stack):
    for scenario in ("bots", "lobbies", "tournaments"):
        done = load(scenario, "--server", stack.url, "--requests", 30, "--clients", 3,
                    "--actions", 4, "--json")
        assert json.loads(done.stdout)["requests"]["count"] == 30, done.stderr
    shown = load("watchers", "--server", stack.url, "--requests", 30)
    assert re.search(r"all requests +30 ", shown.stdout)
    assert "no errors" in shown.stdout
    anybody = Client(stack.url)
    for status in ("lobby", "playing"):
        left = anybody.get("/v1/games", status=status)["items"]
        assert not [row for row in left for seat in row["seats"]
                    if seat.get("player", {"name": ""})["name"].startswith("load ")]


def test_a_service_elsewhere_is_left_alone_unless_the_command_names_it():
    refused = load(FOGG_SERVER="http://192.0.2.1:8000", PATH="")
    assert refused.returncode == 1
    assert "name it with --server" in refused.stderr
    nobody = load("--server", "http://127.0.0.1:9", "--seconds", 1)
    assert nobody.returncode == 1
    assert "http://127.0.0.1:9 cannot be reached: " in nobody.stderr


def run_of(**settings) -> Run:
    return Run(Settings("http://127.0.0.1:9", **{"clients": 1, "seconds": 60, "requests": 10}
                        | settings))


def test_without_a_number_of_requests_only_the_time_ends_a_run():
    assert command.make_context("load", ["bots", "--seconds", "900"]).params["requests"] is None
    run = run_of(requests=None)
    run.asked = 10_000_000
    assert run.ask("look", lambda: "seen") == "seen"
    assert run_of(requests=None, seconds=0).is_over


def test_what_fails_is_counted_by_its_code_and_takes_no_part_in_the_times():
    def refused():
        raise Problem(429, {"code": "too-many-requests"}, retry_after=3)

    run = run_of(requests=3)
    assert run.ask("look", lambda answer: answer, "seen") == "seen"
    for _ in range(2):
        with pytest.raises(Problem):
            run.ask("act", refused)
    with pytest.raises(Over):
        run.ask("look", lambda: "unseen")
    result = report(run, busy=0.0)
    assert result["errors"] == {"act: 429 too-many-requests": 2}
    assert result["requests"]["count"] == result["by_request"]["look"]["count"] == 1
    assert "act" not in result["by_request"]


def test_with_a_rate_times_count_from_when_a_request_was_due():
    """So that a service which stalls cannot hide it by keeping those waiting who would ask."""
    run = run_of(rate=100.0)
    for _ in range(10):
        run.ask("look", time.sleep, 0.03)
    # the tenth, due after 0.1, is done after 0.3 or later; each waits longer than the one before it
    found = run.latencies["look"]
    assert found[-1] == pytest.approx(run.answered - (run.begun + 0.1))
    assert found[-1] >= 0.199
    assert all(later - earlier >= 0.019 for earlier, later in pairwise(found))
    even = run_of(rate=50.0)
    for _ in range(5):
        even.ask("look", lambda: None)
    assert even.seconds >= 0.099


def test_percentiles():
    assert figures([0.001 * n for n in range(1, 101)], 10.0) == {
        "count": 100, "per_second": 10.0, "p50": pytest.approx(50.5, 0.02),
        "p95": pytest.approx(95, 0.02), "p99": pytest.approx(99, 0.02)}
    assert figures([0.002], 1.0)["p99"] == 2.0
    assert figures([], 1.0) == {"count": 0, "per_second": 0.0, "p50": None, "p95": None,
                                "p99": None}
