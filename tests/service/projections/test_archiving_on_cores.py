"""Several processes archive at a time; whichever dies, every game is somewhere."""

import os
import signal
import subprocess
import sys
import time

import pytest

from service.operation.stores import game_store
from service.projections import archiving
from service.store.cores import Cores
from tests.processes import children
from tests.service.projections.test_archiving import again, some, store

__all__ = ["store"]

GAMES = 12
# ``fogg archive`` with two processes, though there are few games
ARCHIVE = """
from service.operation.stores import game_store
from service.projections import archiving
from service.store.cores import Cores
archiving.MIN_GAMES = 2
print(archiving.run(game_store(), 0, cores=Cores(game_store, 2)))
"""


@pytest.fixture(autouse=True)
def settings(monkeypatch, redis_server, tmp_path):
    """By which other processes find the store."""
    monkeypatch.setenv("FOGG_REDIS_URL", redis_server.url)
    monkeypatch.setenv("FOGG_ARCHIVE", str(tmp_path / "archive"))
    monkeypatch.setattr(archiving, "MIN_GAMES", 2)


def test_processes_archive_a_file_each_and_all_games_can_be_read(store, tmp_path):
    games, seen = some(store, GAMES), []
    report = archiving.run(store, days=0, say=lambda done: seen.append(done.archived),
                           cores=Cores(game_store, 3))
    assert (report.archived, report.wrong) == (GAMES, {})
    assert seen[-1] == GAMES
    assert len(list((tmp_path / "archive").glob("*.fogg"))) == 3
    assert not list(store.redis.scan_iter("*:log"))
    reader = again(store)
    assert {game_id: list(reader.entries(game_id)) for game_id in reader.ids()} == games


def test_a_broken_game_stays_and_is_named_by_whichever_process_met_it(store, redis):
    games = some(store, GAMES)
    broken = next(iter(games))
    rows = redis.xrange(store.key(broken, "log"))
    redis.delete(store.key(broken, "log"))
    for entry_id, fields in rows:
        redis.xadd(store.key(broken, "log"), fields | {b"e": fields[b"e"] + b" "}, id=entry_id)
    report = archiving.run(store, days=0, cores=Cores(game_store, 2))
    assert (report.archived, [*report.wrong]) == (GAMES - 1, [broken])


@pytest.mark.parametrize(("moment", "victim"), [
    ("begun", "all"), ("written", "all"), ("pointing", "all"), ("written", "one")])
def test_whichever_process_dies_every_game_is_somewhere_and_none_works_on(
    store, redis, tmp_path, moment, victim
):
    games = some(store, GAMES)
    is_there = {"begun": lambda: len(workers_of(command.pid)) == 2,
                "written": lambda: list((tmp_path / "archive").glob("*.fogg")),
                "pointing": lambda: redis.keys("*:archived")}[moment]
    command = subprocess.Popen([sys.executable, "-c", ARCHIVE], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    workers: list[int] = []
    while not (is_there() and workers) and command.poll() is None:
        workers = workers_of(command.pid) or workers
        time.sleep(0.002)  # a moment short of those that are waited for
    if victim == "all":
        command.send_signal(signal.SIGKILL)
    elif workers_of(command.pid):
        os.kill(workers[0], signal.SIGKILL)
    said = command.communicate()[1]
    assert victim == "all" or command.returncode in (0, 1), said  # 0 where all was done by then
    until = time.monotonic() + 30
    while any(is_alive(worker) for worker in workers) and time.monotonic() < until:
        time.sleep(0.02)
    assert not any(is_alive(worker) for worker in workers)
    reader = again(store)
    assert {game_id: list(reader.entries(game_id)) for game_id in games} == games
    redis.delete(archiving.LOCK)  # it would expire
    assert archiving.run(store, days=0, cores=Cores(game_store, 2)).wrong == {}
    assert not list(redis.scan_iter("*:log"))
    reader = again(store)
    assert {game_id: list(reader.entries(game_id)) for game_id in reader.ids()} == games


def workers_of(process: int) -> list[int]:
    """The processes that a command has started to work, without the one that Python itself starts
    to look after what they share."""
    try:
        return [child for child in children(process) if b"spawn_main" in command_line(child)]
    except (FileNotFoundError, ProcessLookupError):
        return []


def command_line(process: int) -> bytes:
    with open(f"/proc/{process}/cmdline", "rb") as file:
        return file.read()


def is_alive(process: int) -> bool:
    """Whether a process has not ended; one that nobody has waited for has."""
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
