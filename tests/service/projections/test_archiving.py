"""Finished games move to the archive completely, even if processes die meanwhile."""

import os
import random
import signal
import subprocess
import sys
import threading
import time

import pytest
from fogg_client.client import Client

from domain.boards import load_folder
from domain.game.commands import AbortGame, CreateGame, Player
from domain.game.fold import play
from domain.game.state import State
from service.errors import UnknownThing
from service.operation import loops
from service.operation.redis import connect
from service.operation.stack import Stack
from service.projections import archiving, projecting
from service.store.archive import Archive
from service.store.games import GameStore, LoadedGame
from service.store.last_successes import ARCHIVE, last
from service.store.locks import Busy, locked
from service.store.secret import new_id
from service.store.store import NewEntry
from service.store.vaults import vault_at
from service.times import now_in_ms
from tests.games import store_random_game

FOGG = [sys.executable, "-m", "cli"]
BOARDS = load_folder()


@pytest.fixture
def store(redis, tmp_path):
    return GameStore(redis, BOARDS, Archive(vault_at(str(tmp_path / "archive"))))


def again(store: GameStore) -> GameStore:
    """A store that knows nothing, as of another process."""
    place = store.archive._vault._path
    return GameStore(store.redis, BOARDS, Archive(vault_at(str(place))))


def some(store: GameStore, count: int) -> dict[str, list]:
    """Play games to their end; return their entries by id."""
    chance = random.Random(3)
    ids = [store_random_game(store, BOARDS[("paris", "london")[number % 2]], 2, chance).id
           for number in range(count)]
    return {game_id: list(store.entries(game_id)) for game_id in ids}


def aborted(store: GameStore, **options) -> str:
    """A game that nobody came to."""
    game = LoadedGame(State(BOARDS["usa"]))
    command = CreateGame(new_id("g"), "p_0", ((Player("p_0", "Ada"), None), None), bytes(32),
                         **options)
    for seat, done in ((None, command), (None, AbortGame("expired"))):
        was = game.state
        game, _ = store.append(game, NewEntry(*play(game.state, seat, done)))
        projecting.project(store.redis, game, was)
    return game.state.id


def rows(redis) -> set[str]:
    """All keys that are not of one history."""
    return {key.decode() for key in redis.scan_iter("*") if b"{g:" not in key}


def test_games_go_when_they_are_old_and_can_be_read_as_before(store):
    games = some(store, 6)
    assert archiving.run(store).archived == 0  # of today
    report = archiving.run(store, days=0)
    assert (report.archived, report.forgotten, report.wrong) == (6, 0, {})
    assert not list(store.redis.scan_iter("*:log"))
    for reader in (store, again(store)):
        assert {game_id: list(reader.entries(game_id)) for game_id in reader.ids()} == games
        assert reader.whole([*games]) == [*games.values()]
    assert archiving.run(store, days=0).archived == 0


def test_games_under_way_and_broken_ones_stay(store, redis):
    games = some(store, 3)
    under_way = LoadedGame(State(BOARDS["usa"]))
    players = tuple((Player(f"p{seat}", f"P{seat}"), None) for seat in range(2))
    create = CreateGame(new_id("g"), "p0", players, seed=bytes(32))
    store.append(under_way, NewEntry(*play(under_way.state, None, create)))
    broken = next(iter(games))
    log = redis.xrange(store.key(broken, "log"))
    redis.delete(store.key(broken, "log"))
    for entry_id, fields in log:
        redis.xadd(store.key(broken, "log"), fields | {b"e": fields[b"e"] + b" "}, id=entry_id)
    report = archiving.run(store, days=0)
    assert (report.archived, report.wrong.keys()) == (2, {broken})
    assert {key.decode() for key in redis.scan_iter("*:log")} == {
        store.key(broken, "log"), store.key(create.game, "log")}


def test_a_game_that_nobody_has_played_is_removed(store, redis, monkeypatch):
    before = rows(redis)
    game = aborted(store)
    assert archiving.run(store, days=0).archived == 1  # it may be asked for, yet
    game = aborted(store)
    monkeypatch.setenv("FOGG_FORGET_DAYS", "0")
    time.sleep(0.01)
    report = archiving.run(GameStore(redis, BOARDS))  # also without an archive
    assert (report.archived, report.forgotten) == (0, 1)
    with pytest.raises(UnknownThing):
        again(store).load(game)
    (gone,) = redis.scan_iter(f"*{game}*")  # so that nobody takes it for lost
    assert redis.ttl(gone) > 0
    members = [row for key in redis.scan_iter("*") if redis.type(key) == b"zset"
               for row in redis.zrange(key, 0, -1)]
    assert game.encode() not in members
    assert before <= rows(redis)


def test_few_games_wait_for_others_but_not_for_long(store, monkeypatch):
    some(store, 2)
    assert archiving.run(store, days=0, least=3).archived == 0
    monkeypatch.setattr(archiving, "now_in_ms", lambda: now_in_ms() + archiving.DAY + 60_000)
    assert archiving.run(store, days=0, least=3).archived == 2


def test_games_go_some_hours_after_they_ended(store, monkeypatch):
    some(store, 2)
    hour = 3_600_000
    monkeypatch.setattr(archiving, "now_in_ms", lambda: now_in_ms() + 5 * hour)
    assert archiving.run(store).archived == 0
    monkeypatch.setattr(archiving, "now_in_ms", lambda: now_in_ms() + 7 * hour)
    assert archiving.run(store).archived == 2


def test_the_oldest_games_go_sooner_once_finished_games_take_too_much_memory(store, monkeypatch):
    games = [*some(store, 8)]
    before = store.sizes(games)
    size = sum(before)
    monkeypatch.setenv("FOGG_ARCHIVE_MB", str((size + 1) / 1e6))
    assert archiving.run(store, least=250).archived == 0
    monkeypatch.setenv("FOGG_ARCHIVE_MB", str((size - 1) / 1e6))
    count = archiving.run(store, least=250).archived
    here = [game for game in games if store.place(game) is None]
    assert here == games[count:]
    sizes = dict(zip(games, before, strict=True))
    most = archiving.ROOM * (size - 1)
    assert sum(sizes[game] for game in here) <= most  # and with one more it would be above
    assert sum(sizes[game] for game in games[count - 1:]) > most
    assert archiving.run(store, least=250).archived == 0


def test_one_run_at_a_time(store):
    with locked(store.redis, archiving.LOCK, archiving.LOCK_S), pytest.raises(Busy):
        archiving.run(store)
    assert archiving.run(store).archived == 0


def test_a_lock_lasts_no_longer_than_it_ever_does_whatever_a_clock_does(store, redis):
    with locked(store.redis, archiving.LOCK, archiving.LOCK_S):
        redis.pexpire(archiving.LOCK, 3_600_000)
        with pytest.raises(Busy):
            archiving.run(store)
        assert redis.ttl(archiving.LOCK) <= archiving.LOCK_S


def test_a_run_keeps_its_lock_for_longer_than_the_lease(store, redis, monkeypatch):
    monkeypatch.setattr(archiving, "LOCK_S", 10)
    with locked(store.redis, archiving.LOCK, archiving.LOCK_S):
        for _ in range(2):
            left = redis.pttl(archiving.LOCK)
            while (now := redis.pttl(archiving.LOCK)) <= left:  # until it is renewed
                assert now > 0
                left = now
                time.sleep(0.02)
        with pytest.raises(Busy):
            archiving.run(store)
    assert not redis.exists(archiving.LOCK)


def test_the_lock_of_a_run_that_was_killed_ends_soon(store, redis, redis_server):
    games = some(store, 1)
    command = subprocess.Popen(
        [sys.executable, "-c", HOLDING], stdout=subprocess.PIPE,
        env=os.environ | {"FOGG_REDIS_URL": redis_server.url})
    command.stdout.readline()
    with pytest.raises(Busy):
        archiving.run(store)
    command.kill()
    command.communicate()
    assert redis.ttl(archiving.LOCK) <= 5
    while redis.exists(archiving.LOCK):
        time.sleep(0.05)
    assert archiving.run(store, days=0).archived == len(games)


HOLDING = """
import time
from service.operation.redis import connect
from service.projections import archiving
from service.store.locks import locked

archiving.LOCK_S = 5
with locked(connect(), archiving.LOCK, archiving.LOCK_S):
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.mark.parametrize("moment", ["compressing", "written", "pointing"])
def test_a_process_that_dies_while_archiving_loses_no_game(
    store, redis, redis_server, tmp_path, moment
):
    games = some(store, 10)
    environment = os.environ | {"FOGG_REDIS_URL": redis_server.url,
                                "FOGG_ARCHIVE": str(tmp_path / "archive")}
    archive = [*FOGG, "archive", "--older-than", "0", "--json"]
    is_there = {"compressing": lambda: redis.exists(archiving.LOCK),
                "written": lambda: list((tmp_path / "archive").glob("*.fogg")),
                "pointing": lambda: redis.keys("*:archived")}[moment]
    command = subprocess.Popen(archive, env=environment, stdout=subprocess.DEVNULL)
    while not is_there() and command.poll() is None:
        time.sleep(0.0005)
    command.send_signal(signal.SIGKILL)
    assert command.wait() in (-signal.SIGKILL, 0)  # 0 on a machine that was too quick
    assert redis.ttl(archiving.LOCK) <= archiving.LOCK_S
    reader = again(store)
    assert {game_id: list(reader.entries(game_id)) for game_id in games} == games
    redis.delete(archiving.LOCK)  # it would expire
    assert archiving.run(store, days=0).wrong == {}
    assert not list(redis.scan_iter("*:log"))
    assert {game_id: list(reader.entries(game_id)) for game_id in reader.ids()} == games


def test_readers_see_a_whole_game_at_every_moment_while_it_moves(store, redis_server):
    games = some(store, 6)
    wrong, reads, is_over = [], [], threading.Event()

    def read() -> None:
        reader = GameStore(connect(redis_server.url), BOARDS, again(store).archive)
        while not is_over.is_set():
            for game_id, history in games.items():
                seen = (list(reader.entries(game_id)), reader.whole([game_id])[0],
                         reader.ends(game_id), reader.has(game_id))
                ends = len(history), history[0][0], history[-1][0]
                if seen != (history, history, ends, True):
                    wrong.append(game_id)
                reads.append(1)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    assert archiving.run(store, days=0).archived == 6
    is_over.set()
    for reader in readers:
        reader.join()
    assert not wrong
    assert len(reads) > 6


def test_a_redis_that_has_lost_everything_learns_of_archived_games_again(store, redis):
    games = some(store, 4)
    archiving.run(store, days=0)
    heads = store.heads([*games])
    redis.flushall()
    fresh = again(store)
    assert archiving.find(fresh) == 4
    assert archiving.find(fresh) == 0
    assert projecting.rebuild(fresh) == 4
    assert fresh.heads([*games]) == heads
    assert {game_id: list(fresh.entries(game_id)) for game_id in fresh.ids()} == games


def test_a_service_archives_by_itself(store, redis_server, tmp_path, monkeypatch, caplog):
    games = some(store, 2)
    monkeypatch.setenv("FOGG_REDIS_URL", redis_server.url)
    monkeypatch.setenv("FOGG_ARCHIVE", str(tmp_path / "archive"))
    monkeypatch.setenv("FOGG_ARCHIVE_DAYS", "0")
    monkeypatch.setattr(loops, "ARCHIVE", [*loops.ARCHIVE, "--min-games", "2"])
    caplog.set_level("INFO")
    is_over = loops.repeat("archiving", 3600.0, lambda: loops.archive(store), store.redis)
    until = time.monotonic() + 60
    while "fogg archive" not in caplog.text and time.monotonic() < until:
        time.sleep(0.05)
    is_over.set()
    assert '"archived": 2' in caplog.text
    assert [store.place(game_id) is None for game_id in games] == [False, False]
    assert now_in_ms() - last(store.redis)[ARCHIVE] < 600_000


def test_a_running_service_reads_its_games_from_a_bucket_while_others_go_on(
    bucket, tmp_path, monkeypatch
):
    """Its web process is gevent's, and so must be what speaks to the bucket."""
    monkeypatch.setenv("FOGG_ARCHIVE", f"{bucket}/live")
    with Stack(tmp_path, workers=0) as stack:
        ann, bob = (Client(stack.url).sign_up(name) for name in ("Ann", "Bob"))
        game = ann.post("/v1/games", {"board": "usa", "seats": [{"player": "me"},
                                                                {"open": True}]})["id"]
        bob.post(f"/v1/games/{game}/seats", {})
        bob.post(f"/v1/games/{game}/actions", {"type": "resign"})
        history = ann.text(f"/v1/games/{game}/history")
        monkeypatch.setenv("FOGG_REDIS_URL", stack.redis.url)
        done = subprocess.run([*FOGG, "archive", "--older-than", "0"], capture_output=True,
                              text=True, check=True)
        assert done.stdout.startswith("1 games were archived")
        with connect(stack.redis.url) as redis:
            assert not redis.exists(GameStore.key(game, "log"))
        assert ann.text(f"/v1/games/{game}/history") == history
        assert ann.view(game)["status"] == "finished"
        assert [row["id"] for row in ann.get("/v1/games?status=finished")["items"]] == [game]
