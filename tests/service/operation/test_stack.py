"""The whole service as people run it: real processes, real HTTP."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections import deque
from datetime import datetime
from itertools import islice, pairwise
from pathlib import Path

import pytest
from fogg_client.client import Client

from service.operation.stack import Patience, Stack
from service.redis.connection import connect
from tests.mending import mended
from tests.service.players import begun, resign, sign_up
from tests.waiting import until

FOGG = [sys.executable, "-m", "cli"]
BOTS = [{"bot": "planner"}, {"bot": "greedy"}, {"bot": "random"}]
# A module in front of another, that sends the process in which ``fogg up`` imports it a signal
SIGNALLING = """
import os, signal, sys

class Signal:
    def __set_name__(self, *_):
        os.kill(os.getpid(), signal.SIGINT)

if sys.argv[1:2] == ["up"]:
    class Holder:
        attribute = Signal()

sys.path.remove(os.path.dirname(__file__))
del sys.modules[__name__]
import networkx
"""


@pytest.fixture(scope="module")
def stack(tmp_path_factory):
    with Stack(tmp_path_factory.mktemp("stack")) as running:
        yield running


@pytest.fixture
def ann(stack):
    return Client(stack.url).sign_up("Ann")


def finished(client: Client, game: str) -> dict:
    """Wait for a game to end; return its view."""
    deque(client.entries(game), maxlen=0)
    return client.view(game)


def up(data: Path, **env: str) -> subprocess.Popen:
    """Start ``fogg up`` on a free port."""
    return subprocess.Popen(
        [*FOGG, "up", "--port", "0", "--data", str(data), "--json"],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | env,
    )


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return (
        Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z" if sys.platform == "linux" else True
    )


@pytest.mark.parametrize(
    "killed",
    [
        ("worker",),
        *(pytest.param(names, marks=pytest.mark.deep) for names in (("queue", "worker"), ("web",))),
    ],
    ids=" ".join,
)
def test_processes_killed_in_the_middle_of_a_game_are_replaced_and_nothing_is_lost(
    stack, ann, killed
):
    running = {"web": stack.web, "queue": stack.queue, "worker": stack.workers[0]}
    game = ann.post("/v1/games", {"board": "usa", "seats": BOTS})["id"]
    before = [entry["hash"] for entry in islice(ann.entries(game), 30)]
    for name in killed:
        running[name].kill()
    with mended(stack, *killed):
        assert finished(ann, game)["status"] == "finished"
    entries = list(ann.entries(game))
    assert [entry["hash"] for entry in entries][:30] == before
    assert [entry["version"] for entry in entries] == list(range(1, len(entries) + 1))


def test_a_worker_killed_while_it_is_busy_counts_for_two_minutes_at_most(stack, ann):
    for _ in range(4):
        ann.post("/v1/games", {"board": "usa", "seats": [{"bot": "random"}] * 2})
    with connect(stack.queue.url) as queue:
        until(lambda: queue.zcard("rq:wip:bots") > 1)
        os.kill(stack.workers[0].pid, signal.SIGKILL)
        until(lambda: not stack.workers[0].is_running)
        [worker] = [
            key
            for key in queue.smembers("rq:workers:bots")
            if queue.hget(key, "pid") == str(stack.workers[0].pid).encode()
        ]
        assert 60 < queue.ttl(worker) <= 120
        assert queue.zcount("rq:wip:bots", time.time() + 120, "+inf") == 0
    with mended(stack, "worker"):
        pass


@pytest.mark.deep
def test_a_worker_killed_in_the_middle_of_an_analysis_is_replaced_and_it_is_done(
    stack, ann, monkeypatch
):
    def restart(seconds: str) -> None:
        """Kill the worker. The next one thinks for ``seconds`` about each decision."""
        monkeypatch.setenv("FOGG_ANALYSIS_SECONDS", seconds)
        os.kill(stack.workers[0].pid, signal.SIGKILL)
        with mended(stack, "worker"):
            pass

    def at(status: str) -> dict:
        return until(lambda: (made := ann.get(path))["status"] == status and made, 120)

    _, bob, game = two_players(stack)
    resign(bob, game)
    restart("3600")
    path = f"/v1/games/{game}/analysis"
    ann.post(path, {})
    assert at("running")["decisions"] == []
    restart("0.01")
    with connect(stack.redis.url) as redis:
        redis.delete(f"{{g:{game}}}:analyst")  # its lease, which would expire in half a minute
    assert len(at("done")["decisions"]) == 2


@pytest.mark.deep
def test_a_process_that_is_killed_as_soon_as_it_was_started_is_started_again(stack):
    for _ in range(3):
        stack.workers[0].kill()
        with mended(stack, "worker"):
            pass


@pytest.mark.deep
def test_a_redis_that_dies_during_the_start_is_restarted(tmp_path, monkeypatch):
    stack, deaths = Stack(tmp_path, workers=0), []
    start_web = stack._start_web

    def start_and_kill() -> None:
        start_web()
        if not deaths:
            deaths.append(os.kill(stack.redis.pid, signal.SIGKILL))

    monkeypatch.setattr(stack, "_start_web", start_and_kill)
    with stack:
        assert deaths
        assert Client(stack.url).get("/readyz")["status"] == "ok"


def test_a_bot_plays_on_after_its_seat_was_renumbered(ann):
    seats = [{"player": "me"}, {"open": True}, {"bot": "greedy"}, {"open": True}, {"bot": "greedy"}]
    game = ann.post("/v1/games", {"board": "usa", "seats": seats})["id"]
    view = ann.post(f"/v1/games/{game}/start", {})
    assert [seat["player"]["name"] for seat in view["seats"]] == ["Ann", "greedy", "greedy"]
    resign(ann, game)
    assert finished(ann, game)["status"] == "finished"


def two_players(stack, **options) -> tuple[Client, Client, str]:
    """Begin a game of two people in which the first is to play."""
    ann, bob = sign_up(stack.url, "Ann", "Bob")
    return ann, bob, begun(ann, bob, board="usa", **options)


def seconds_between(since: str, until: str) -> float:
    moments = [datetime.fromisoformat(at).timestamp() for at in (since, until)]
    return moments[1] - moments[0]


def test_a_clock_that_runs_out_ends_the_game_within_a_second(stack):
    ann, bob, game = two_players(stack, clock={"per_decision": 0.5})
    deadline = ann.view(game)["deciding"][0]["deadline"]
    last = finished(bob, game)
    entry = list(bob.entries(game))[-1]
    assert entry["timed_out"]
    assert 0 <= seconds_between(deadline, entry["at"]) <= 1
    assert [seat.get("left") for seat in last["seats"]] == ["time", None]


@pytest.mark.deep
def test_a_clock_survives_a_killed_service_whose_absence_costs_no_time(stack):
    ann, bob, game = two_players(stack, clock={"per_decision": 2}, on_timeout="act")
    version = ann.view(game)["version"]
    stack.web.kill()
    time.sleep(3)
    with mended(stack, "web"):
        view = ann.view(game)
        assert view["version"] == version
        answer = ann.play(view, {"type": "draw_card", "from": "deck"})
        assert answer["entries"][0]["paused"] > 2000
        entry = next(bob.entries(game, version + 1))
    assert entry["timed_out"]
    assert seconds_between(entry["available"], entry["at"]) < 3.5


def test_a_process_that_dies_at_once_is_restarted_with_backoff(monkeypatch):
    now = 0.0
    monkeypatch.setattr("service.operation.stack.time.monotonic", lambda: now)
    patience, starts = Patience(), []
    while now < 30:
        if patience.is_over():
            patience.note_start()
            starts.append(now)
        now += 0.25
    waits = [after - before for before, after in pairwise(starts)]
    assert waits == sorted(waits)
    assert (waits[0], waits[-1]) == (0.75, 5.25)  # the process lived a quarter of a second of that
    now += 60
    assert patience.is_over()


@pytest.mark.parametrize(
    ("stop", "code"),
    [pytest.param(signal.SIGINT, 130, marks=pytest.mark.deep), (signal.SIGTERM, 0)],
)
def test_up_says_when_it_is_ready_and_leaves_nothing_running(tmp_path, stop, code):
    with up(tmp_path) as process:
        ready = json.loads(process.stdout.readline())
        assert ready["event"] == "ready"
        assert Client(ready["url"]).get("/readyz")["status"] == "ok"
        children = _children(process.pid)
        assert len(children) >= 3
        process.send_signal(stop)
        assert json.loads(process.stdout.read().splitlines()[-1])["event"] == "stopped"
    assert process.returncode == code
    assert not [pid for pid in children if is_running(pid)]


@pytest.mark.deep
def test_up_stopped_during_an_import_stops_normally(tmp_path):
    """Of what a signal raises there, Python 3.11 makes an error, and other code might drop it."""
    (tmp_path / "networkx.py").write_text(SIGNALLING)
    first = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    with up(tmp_path, PYTHONPATH=first) as process:
        said = [json.loads(line)["event"] for line in process.stdout]
    assert (said[0], said[-1], process.returncode) == ("ready", "stopped", 130)


@pytest.mark.deep
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ties a child to its parent's life")
def test_up_killed_leaves_nothing_running(tmp_path):
    with up(tmp_path) as process:
        process.stdout.readline()
        children = _children(process.pid)
        process.kill()
    until(lambda: not any(map(is_running, children)), 20)


def test_up_says_what_is_wrong_when_the_port_is_taken(stack, tmp_path):
    port = stack.url.rpartition(":")[2]
    done = subprocess.run(
        [*FOGG, "up", "--port", port, "--data", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert f"port {port}" in done.stderr


def test_a_demo_ends_with_a_winner_a_history_a_picture_and_where_to_replay_it(tmp_path):
    """It is given a terminal; tests of other things see that without one nothing is waited for."""
    here, there = pty.openpty()
    demo = subprocess.Popen(
        [*FOGG, "demo", "--board", "london", "--bots", "greedy,random", "--data", str(tmp_path)],
        stdin=there,
        stdout=there,
        stderr=there,
        env={**os.environ, "COLUMNS": "300", "TERM": "dumb"},
    )
    os.close(there)
    try:
        said = ""
        while "Enter ends this" not in said:
            said += os.read(here, 4096).decode(errors="replace")
        url, game = re.search(r"Replay it at (http://\S+)/games/(g_[0-9a-f]{20})", said).groups()
        assert Client(url).view(game)["status"] == "finished"
        os.write(here, b"\n")
        assert demo.wait(60) == 0
    finally:
        demo.kill()
        demo.wait()
        os.close(here)
    assert " wins." in said or "share the victory" in said
    [history] = tmp_path.glob("*/history.ndjson")
    entries = [json.loads(line) for line in history.read_text().splitlines()]
    assert entries[-1]["events"][-1]["type"] == "game_ended"
    assert (history.parent / "board.svg").read_text().startswith("<svg")


def _children(pid: int) -> list[int]:
    """Every process below one, by the operating system's word."""
    rows = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True).stdout
    parents = {int(child): int(parent) for child, parent in map(str.split, rows.splitlines())}
    children = [child for child, parent in parents.items() if parent == pid]
    return children + [below for child in children for below in _children(child)]
