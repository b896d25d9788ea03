"""Ctrl-C ends a command with 130, as shells expect, and not without what it has measured."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from threading import Condition
from types import SimpleNamespace

import pytest
from fogg_client.client import Client

from cli.commands.common import Stopped, stop_on_signals
from cli.processes import processes
from tests.cli.inside import handlers_kept
from tests.waiting import until
from tools.processes import is_running

FOGG = [str(Path(sys.executable).parent / "fogg")]
# presses Ctrl-C in the game that this bot is made for as the WHICHth in its process
BOT = """
import os, random, signal
from fogg_client import Bot

class Pressing(Bot):
    made = 0

    def __init__(self, *args):
        super().__init__(*args)
        Pressing.made += 1

    def choose(self, view):
        if Pressing.made == WHICH:
            Pressing.made += 1
            os.kill(WHOSE, signal.SIGINT)
        return random.choice(view["you"]["legal_actions"])
"""


# the command, which the bot's process or its pool has as its parent
PARENT = "os.getppid()"
GRANDPARENT = 'int(open(f"/proc/{os.getppid()}/stat").read().split()[3])'


# a program that never answers, and notes the processes that it consists of
SLEEPY = """#!/bin/sh
sleep 212 &
echo $$ $! >> started
wait
"""


ARENA = ["arena", "pressing:Pressing", "random"]
TRIAL = ["bot", "try", "pressing:Pressing", "--against", "random"]


def interrupted(folder, words, whose: str, which: int, *options) -> subprocess.CompletedProcess:
    (folder / "pressing.py").write_text(BOT.replace("WHOSE", whose).replace("WHICH", str(which)))
    return subprocess.run(
        [*FOGG, *words, "--games", "100000", "--board", "london", "--jobs", *options],
        cwd=folder,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("words", [ARENA, TRIAL], ids=["arena", "trial"])
def test_a_match_that_is_interrupted_prints_what_was_played(tmp_path, words):
    done = interrupted(tmp_path, words, PARENT, 4, "1", "--json")
    assert done.returncode == 130, done.stderr
    shown = json.loads(done.stdout)
    assert shown["complete"] is False
    assert 0 < shown["games"] < 4
    assert all(row["games"] == shown["games"] for row in shown.get("overall", ()))
    said = interrupted(tmp_path, words, PARENT, 4, "1")
    assert (said.returncode, said.stderr) == (130, "")
    assert "interrupted: what was not played is missing" in said.stdout


@pytest.mark.deep
def test_an_arena_on_all_processors_is_interrupted_too(tmp_path):
    done = interrupted(tmp_path, ARENA, GRANDPARENT, 3, "2", "--json")
    assert done.returncode == 130, done.stderr
    shown = json.loads(done.stdout)
    assert shown["complete"] is False
    assert 0 < shown["games"] < 100_000


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    "name",
    [
        signal.SIGINT,
        *(pytest.param(one, marks=pytest.mark.deep) for one in (signal.SIGTERM, signal.SIGHUP)),
    ],
)
def test_no_program_is_left_by_an_arena_that_is_interrupted(tmp_path, name, jobs):
    started = tmp_path / "started"
    (tmp_path / "sleepy.sh").write_text(SLEEPY)
    (tmp_path / "sleepy.sh").chmod(0o755)
    started.touch()
    command = [
        *FOGG,
        "arena",
        "greedy",
        "--exec",
        "./sleepy.sh",
        "--wait",
        "1000",
        "--games",
        "20",
        "--board",
        "london",
        "--jobs",
        str(jobs),
    ]
    with subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        while len(started.read_text().splitlines()) < jobs:
            assert process.poll() is None
            time.sleep(0.02)
        os.killpg(process.pid, name)  # as a terminal does: the command and its processes
        _, said = process.communicate()
    assert (process.returncode, "Aborted!" in said) == (128 + name, True)
    until(lambda: not any(map(is_running, map(int, started.read_text().split()))), 5)


def busy(folder: Path, is_stubborn: bool) -> None:
    """Work until an exception ends it, for ever if it is stubborn; note begin and end in files."""
    try:
        while True:
            with suppress(*([BaseException] if is_stubborn else [])):
                (folder / "begun").touch()
                time.sleep(212)
    finally:
        (folder / "cleaned").touch()


def begun_and_interrupted(folder: Path, is_stubborn: bool) -> None:
    with processes(1) as pool:
        pool.submit(busy, folder, is_stubborn)
        while not (folder / "begun").exists():
            time.sleep(0.02)
        raise KeyboardInterrupt


@pytest.mark.parametrize(("is_stubborn", "seconds"), [(False, 30), (True, 0.5)])
def test_processes_clean_up_when_they_are_ended_but_not_for_long(
    tmp_path, monkeypatch, is_stubborn, seconds
):
    monkeypatch.setattr("cli.processes.CLEANING_S", seconds)
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        begun_and_interrupted(tmp_path, is_stubborn)
    assert time.monotonic() - start < 30
    assert (tmp_path / "cleaned").exists() != is_stubborn


def test_an_arena_that_is_interrupted_in_its_first_game_says_so(tmp_path):
    done = interrupted(tmp_path, ARENA, PARENT, 2, "1")
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.strip() == "Aborted!"


@pytest.mark.parametrize(
    "words",
    [
        ["demo", "--bots", "planner,planner,planner,planner"],
        ["tournament", "watch", "CUP", "--json"],
    ],
    ids=lambda words: words[0],
)
def test_a_command_that_only_shows_something_is_aborted(stack, tmp_path, words):
    me = Client(stack.url).sign_up("Ada")
    cup = me.post("/v1/tournaments", {"name": "Cup"})["id"]
    options = ["--server", stack.url] if "watch" in words else ["--data", str(tmp_path)]
    with subprocess.Popen(
        [*FOGG, *(cup if word == "CUP" else word for word in words), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    assert (process.returncode, said.strip().splitlines()[-1]) == (130, "Aborted!")
    me.post(f"/v1/tournaments/{cup}/end", {})


def test_a_signal_leaves_no_lock_locked():
    """Ctrl-C came when a pool of connections had just locked itself. It stayed locked, and the
    command waited for it at its end."""

    def be_asked_meanwhile() -> None:
        signal.raise_signal(signal.SIGINT)
        time.sleep(0.05)  # until the signal has come again

    released = []
    lock = SimpleNamespace(
        acquire=None,
        release=None,
        __enter__=be_asked_meanwhile,
        __exit__=lambda *_: released.append(True),
    )
    with handlers_kept():
        stop_on_signals()
        with pytest.raises(Stopped), Condition(lock):
            time.sleep(5)
    assert released


class Dying:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)


def finalize_and_wait() -> None:
    Dying()
    time.sleep(5)


def test_a_signal_that_comes_during_a_finalizer_ends_the_command():
    """Python ignores exceptions there. `fogg bot run` played on after SIGTERM had come while a
    module was imported."""
    with handlers_kept():
        stop_on_signals()
        with pytest.raises(Stopped):
            finalize_and_wait()
