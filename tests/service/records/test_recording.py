"""Each game that is over is recorded once, however often and wherever the recorder dies; it leaves
Redis later, and its lost entries are put back. On both kinds of database."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from random import Random
from threading import Barrier

import pytest
import sqlalchemy as sa

from service import settings
from service.app import build_services
from service.eventlog.store import NewEntry
from service.games import buckets, index, listing, playing, rollbacks
from service.games.playing import append_and_publish
from service.records import keeping
from service.records.database import Database
from service.records.recorder import LOCK, Recorder
from service.records.tables import game as games_table
from service.records.tables import metadata
from service.redis.connection import connect
from tools.games import store_random_game

HOUR = 3_600_000
TABLES = [
    table
    for table in metadata.sorted_tables
    if table.name not in ("board_table", "player", "route", "ticket")
]


@pytest.fixture
def another(redis, redis_server, database_url, monkeypatch):
    """Returns the games of one more process."""
    monkeypatch.setenv(settings.DATABASE.name, database_url)
    opened = []

    def another():
        client = connect(redis_server.url)
        games = build_services(client).games
        opened.append((client, games.database))
        return games

    yield another
    for client, database in opened:
        client.close()
        database.close()


@pytest.fixture
def games(another):
    games = another()
    games.database.migrate()
    return games


def played(games, number: int = 1) -> list[str]:
    """Return games that are over, and wait to be recorded."""
    return [
        store_random_game(games.store, games.store.boards["paris"], 2, Random(seed)).id
        for seed in range(number)
    ]


def record(games) -> int:
    return Recorder(games, games.database).run()


def counts(database: Database) -> dict[str, int]:
    with database.reading() as db:
        return {
            table.name: db.scalar(sa.select(sa.func.count()).select_from(table)) for table in TABLES
        }


def empty(database: Database) -> None:
    with database.writing() as db:
        for table in reversed(metadata.sorted_tables):
            db.execute(table.delete())


def listed(redis, game: str) -> set[str]:
    """Return the keys of the lists that have a game."""
    return {key for key in index.all_lists(redis) if redis.zscore(key, game) is not None}


def dies_at(moment: int, games) -> bool:
    """Record in another process, and end it at its nth moment: before a statement, before or after
    a commit, or before the command that marks a game in Redis as recorded. Return whether it
    reached that moment."""
    if (child := os.fork()) == 0:
        code = 1
        try:
            database, moments = Database(games.database.url), count(1)

            def pass_by(*_) -> None:
                if next(moments) == moment:
                    os._exit(9)

            def around(owner, name: str) -> None:
                inner = getattr(owner, name)

                def run(*args, **options):
                    pass_by()
                    inner(*args, **options)
                    pass_by()

                setattr(owner, name, run)

            sa.event.listen(database.engine, "before_cursor_execute", pass_by)
            around(sa.Connection, "commit")
            around(games.redis, "zadd")
            around(index, "leave")
            Recorder(replace(games, database=database), database).run()
            code = 0
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, 9)
    return code == 9


def test_a_recorder_that_dies_anywhere_records_a_game_once(games, redis):
    [game] = played(games)
    over = games.get(game)
    assert record(games) == 1
    expected, moment, is_dead = counts(games.database), 0, True
    while is_dead:
        moment += 1
        empty(games.database)
        redis.delete(buckets.key(game, "recorded"))
        listing.project(games.store, over)
        is_dead = dies_at(moment, games)
        record(games)
        assert counts(games.database) == expected
        assert listed(redis, game) == {f"player:{one.id}:over" for one in over.state.players}
        assert redis.zscore(buckets.key(game, "recorded"), game)
    assert moment > 20, moment
    print("MOMENTS", moment)


def test_two_recorders_at_once_record_each_game_once(games, another, redis):
    ids = played(games, 20)
    others, start = [another(), another()], Barrier(2)

    def work(other) -> int:
        start.wait()
        return record(other)

    with ThreadPoolExecutor(2) as threads:
        assert sum(threads.map(work, others)) == len(ids)
    after = counts(games.database)
    assert (after["game"], after["log"]) == (len(ids), len(ids))
    assert [*Recorder(games, games.database).waiting()] == []


def test_usually_one_process_records(games, redis):
    played(games)
    recorder = Recorder(games, games.database)
    redis.set(LOCK, 1)
    assert recorder.run_alone() == 0
    redis.delete(LOCK)
    assert recorder.run_alone() == 1
    assert not redis.exists(LOCK)


def test_a_game_that_cannot_be_recorded_keeps_no_other_waiting(games, redis, caplog):
    broken, *others = played(games, 3)
    rows = redis.xrange(games.store.key(broken, "log"))
    redis.xdel(games.store.key(broken, "log"), rows[5][0])
    games.store._cache.clear()
    recorder = Recorder(games, games.database)
    assert recorder.run() == len(others)
    assert keeping.waiting(games)[0] == 1
    assert recorder.run() == 0
    assert "broken" in caplog.text


# Leaving Redis


def keys_of(redis, game: str) -> set[str]:
    """Return the keys in Redis that name a game, and those of lists that have it."""
    names = set()
    for key in map(bytes.decode, redis.keys("*")):
        has = {"zset": redis.zscore, "hash": redis.hexists}.get(redis.type(key).decode())
        if game in key or (has and has(key, game) not in (None, False)):
            names.add(key)
    return names


def test_nothing_of_a_game_stays_in_redis_after_its_time(games, another, redis, monkeypatch):
    [game] = played(games)
    over, history = games.get(game), [*games.store.entries(game)]
    rollbacks.note(games, rollbacks.Rollback(over, over, 5))
    redis.delete(*redis.keys("player:*:lost"))
    record(games)
    assert keeping.KeptGames(games.store).leave() == 0
    assert keys_of(redis, game)
    monkeypatch.setenv(settings.KEEP_HOURS.name, "0.0000001")
    assert keeping.KeptGames(games.store).leave() == 1
    assert keys_of(redis, game) == set()
    for reader in (games, another()):  # with a cached state, and without
        assert reader.get(game).state == over.state
        assert [*reader.store.entries(game)] == history
        assert reader.store.heads([game]) == [reader.store.head(over)]
    assert keeping.KeptGames(games.store).leave() == 0
    assert keys_of(redis, game) == set()


def test_a_game_whose_record_differs_stays_in_redis(games, redis, monkeypatch, caplog):
    game, other = played(games, 2)
    record(games)
    with games.database.writing() as db:
        [row] = db.execute(sa.select(games_table).where(games_table.c.id == other)).mappings()
        db.execute(
            sa.update(games_table)
            .where(games_table.c.id == game)
            .values({name: row[name] for name in ("history", "last_hash", "board_table")})
        )
    monkeypatch.setenv(settings.KEEP_HOURS.name, "0.0000001")
    assert keeping.KeptGames(games.store).leave() == 1
    assert games.store.ends([game])
    assert f"{game} stays in Redis" in caplog.text
    assert [(one.code, one.where) for one in keeping.findings(games)] == [("record-differs", game)]


def test_reading_never_sees_a_gap_while_a_game_leaves(games, another, redis, monkeypatch):
    [game] = played(games)
    record(games)
    history, reader = [*games.store.entries(game)], another()
    monkeypatch.setenv(settings.KEEP_HOURS.name, "0.0000001")
    with ThreadPoolExecutor(1) as thread:
        leaving = thread.submit(keeping.KeptGames(games.store).leave)
        while not leaving.done():
            assert [*reader.store.entries(game)] == history
            assert reader.store.heads([game]) != [None]
    assert leaving.result() == 1
    assert [*reader.store.entries(game, 3)] == history[3:]


# Losses of Redis


def lose(redis, games, game: str, entries: int) -> None:
    """Remove the last entries of a game from Redis, and their changes to lists."""
    key = games.store.key(game, "log")
    for entry_id, _ in redis.xrevrange(key, count=entries):
        redis.xdel(key, entry_id)
    games.store._cache.clear()
    games.store.refold(game)
    listing.move(games.store, game)
    redis.zrem(buckets.key(game, "recorded"), game)


def play_on(games, game: str) -> None:
    """Play an action in a game, another one than before."""
    known = games.get(game)
    seat = known.state.deciding()[0][0]
    events, state = playing.play(known.state, seat, playing.Resign())
    append_and_publish(games, known, NewEntry(events, state, seat, playing.Resign()))


@pytest.mark.parametrize("has_noticed", [False, True])
def test_the_lost_end_of_a_recorded_game_is_put_back(games, another, redis, has_noticed):
    [game] = played(games)
    record(games)
    over, reader = games.get(game), another()
    assert reader.get(game).state == over.state  # a process that has it in its cache
    lose(redis, games, game, 4)
    if has_noticed:
        assert reader.get(game).state == over.state
    keeping.KeptGames(games.store).recover()
    record(games)
    for one in (games, reader, another()):
        assert one.get(game).state == over.state
    assert listed(redis, game) == {f"player:{one.id}:over" for one in over.state.players}
    assert counts(games.database)["game"] == 1
    assert rollbacks.rollbacks_of(games, over.state.players[0].id) == {}


@pytest.mark.parametrize("is_found_by", ["recover", "the recorder"])
def test_the_record_wins_over_those_who_played_on(games, another, redis, is_found_by):
    [game] = played(games)
    record(games)
    over = games.get(game)
    lose(redis, games, game, 6)
    player = another()
    play_on(player, game)
    stale = player.get(game)
    assert (stale.state.status, stale.hash != over.hash) == ("finished", True)
    if is_found_by == "recover":
        keeping.KeptGames(games.store).recover()
    record(games)
    assert player.get(game).hash == games.get(game).hash == over.hash
    rollback = rollbacks.rollbacks_of(games, over.state.players[0].id)[game]
    assert (rollback["version"], rollback["previous_version"]) == (
        over.state.version - 6,
        stale.state.version,
    )
    assert counts(games.database)["game"] == 1
    assert listed(redis, game) == {f"player:{one.id}:over" for one in over.state.players}


def test_the_lost_end_of_a_game_that_was_not_recorded_is_played_again(games, another, redis):
    [game] = played(games)
    lose(redis, games, game, 6)
    keeping.KeptGames(games.store).recover()
    assert record(games) == 0
    assert buckets.key(game, "playing") in listed(redis, game)
    play_on(games, game)
    assert record(games) == 1


def test_games_without_a_row_are_recorded_after_a_restart(games, redis):
    ids = played(games, 3)
    record(games)
    empty(games.database)  # as an older backup is restored
    redis.delete(*buckets.keys("finished"))
    keeping.KeptGames(games.store).recover()
    assert record(games) == len(ids)
    keeping.KeptGames(games.store).recover()
    assert [*Recorder(games, games.database).waiting()] == []
