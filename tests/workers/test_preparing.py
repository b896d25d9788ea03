"""Bots that something has to be done for before they can play, and bots that are not installed."""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest
from fogg_client.client import Client

from service.operation.stack import Stack
from tests.waiting import until
from tools.processes import is_running
from workers import preparing
from workers.bots import search

pytestmark = pytest.mark.timeout(900)  # the first may have to wait for what is being compiled

PARENT = """
import sys
from workers import preparing
child = preparing.start()
print(child.pid, flush=True)
sys.stdin.read()
"""
WITHOUT = """
import sys
sys.modules["numba"] = sys.modules["numpy"] = None  # as if they were not there
import cli.offline.arena, cli.offline.standings, service.app, workers.__main__, workers.play
from cli.offline.named import NoBot, bot_class_called
from service.accounts import bots
from workers.bots import BOTS
from workers.preparing import is_ready, missing
print(*BOTS, *bots.OFFERED, is_ready("expert"), is_ready("planner"), missing())
try:
    bot_class_called("expert@0.5")
except NoBot as error:
    print(error)
"""


@pytest.fixture
def unfinished(tmp_path, monkeypatch):
    """A folder in which all but the mark is there, and which another process is at work on."""
    search.load()
    policy, rules = (tmp_path / "cache" / folder.name for folder in search.folders())
    ignored = shutil.ignore_patterns(search.MARK, search.LOCK)
    for folder, copied in zip(search.folders(), (policy, rules), strict=True):
        shutil.copytree(folder, copied, ignore=ignored)
    monkeypatch.setenv("FOGG_CACHE", str(tmp_path / "cache"))
    with (policy / search.LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield policy


@pytest.mark.deep
def test_a_game_waits_for_a_bot_that_is_not_ready_and_others_go_on(unfinished, tmp_path):
    with Stack(tmp_path / "data") as stack:
        ann = Client(stack.url).sign_up("Ann")

        def expert() -> dict:
            return next(row for row in ann.get("/v1/bots")["items"] if row["name"] == "expert")

        until(lambda: not expert()["ready"], 120)
        assert 0 < expert()["prepared"] < 1
        seats = [{"bot": "expert"}, {"bot": "random"}]
        game = ann.post(
            "/v1/games", {"board": "paris", "seats": seats, "options": {"first_seat": 0}}
        )["id"]
        other = ann.post("/v1/games", {"board": "paris", "seats": seats[1:] * 2})["id"]
        until(lambda: ann.view(other)["status"] == "finished", 120)
        assert ann.view(game)["deciding"] == [{"seat": 0, "decision": "keep_tickets"}]
        (unfinished / search.MARK).touch()
        until(lambda: ann.view(game)["version"] > 3, 120)
        assert expert()["ready"]
        assert "prepared" not in expert()


def test_a_cache_that_cannot_be_written_is_said_once_with_the_setting_that_names_it(
    tmp_path, monkeypatch, caplog, redis_server
):
    (tmp_path / "file").touch()
    monkeypatch.setenv("FOGG_CACHE", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(preparing, "RETRY_S", 0.01)
    search.folders.cache_clear()
    try:
        why = preparing.hindrance(preparing.missing())
        assert why == (
            "expert cannot be prepared, and will not play: "
            f"{tmp_path}/file/cache cannot be written (Not a directory): set FOGG_CACHE "
            "to a folder that can"
        )
        thread = threading.Thread(target=preparing._prepare, args=(redis_server.url,))
        thread.start()
        time.sleep(0.5)
        assert [r.getMessage() for r in caplog.records if r.levelname == "ERROR"] == [why]
        monkeypatch.setattr(search, "is_compiled", lambda: True)
        thread.join(120)
        assert not thread.is_alive()
        assert preparing.missing() == {}
    finally:
        search.folders.cache_clear()


@pytest.mark.parametrize(
    "command",
    [["-m", "cli", "arena", "expert", "random", "--games", "1"], ["-m", "workers.bots.search"]],
)
def test_a_command_that_needs_a_bot_that_cannot_be_prepared_says_so(tmp_path, command):
    (tmp_path / "file").touch()
    done = subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"FOGG_CACHE": str(tmp_path / "file" / "cache")},
    )
    assert done.returncode == 1
    assert "cannot be written (Not a directory): set FOGG_CACHE" in done.stderr
    assert "Traceback" not in done.stderr


def test_fogg_up_says_that_a_bot_cannot_be_prepared(tmp_path):
    (tmp_path / "file").touch()
    with subprocess.Popen(
        [
            sys.executable,
            "-m",
            "cli",
            "up",
            "--port",
            "0",
            "--json",
            "--data",
            str(tmp_path / "data"),
        ],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"FOGG_CACHE": str(tmp_path / "file")},
    ) as up:
        said = [json.loads(up.stdout.readline()) for _ in range(2)]
        up.send_signal(signal.SIGTERM)
    assert [row["event"] for row in said] == ["ready", "warning"]
    assert "set FOGG_CACHE to a folder that can" in said[1]["message"]


def test_how_much_is_done_is_said_by_what_is_there(tmp_path, monkeypatch):
    folders = tmp_path / "policy", tmp_path / "rules"
    monkeypatch.setattr(search, "folders", lambda: folders)
    assert search.progress() == 0
    for folder, share in zip(folders, (0.5, 0.9), strict=True):  # the last thing is missing
        (folder / "below").mkdir(parents=True)
        (folder / "below" / "function.nbi").touch()
        assert search.progress() == share
    (folders[0] / search.MARK).touch()
    assert search.progress() == 1


@pytest.mark.deep
def test_the_compiler_has_low_priority_and_ends_with_its_parent(unfinished):
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        compiler = int(parent.stdout.readline())
        until(lambda: os.getpriority(os.PRIO_PROCESS, compiler) == 19, 120)
        os.kill(compiler, signal.SIGINT)  # as Ctrl-C does to both
        os.kill(compiler, 0)
        parent.kill()
    until(lambda: not is_running(compiler), 120)


def test_without_what_it_needs_a_bot_is_none_and_all_else_works():
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], capture_output=True, text=True, timeout=120, check=True
    )
    names, said = done.stdout.splitlines()
    assert names == "random greedy planner random greedy planner False True {}"
    assert said == "expert is not installed: pip install 'fogg-server[expert]'"


def test_a_bot_that_is_installed_and_needs_nothing_is_ready():
    assert preparing.is_ready("random")
    assert not preparing.is_ready("mars")
    assert not preparing.is_ready(None)
