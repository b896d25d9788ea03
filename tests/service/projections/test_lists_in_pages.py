"""Every list is read from pages in the archive as from Redis, wherever the border is between them,
and whatever dies as rows move."""

import os
import signal
import subprocess
import sys
from collections import Counter
from functools import partial
from random import Random
from unittest.mock import Mock

import pytest

from domain.boards import load_folder
from domain.game.commands import CreateGame, Player
from domain.game.state import State
from service.errors import PageLost
from service.games import index
from service.operation.redis import connect
from service.projections import (
    PROJECTIONS,
    STATISTICS,
    archiving,
    checking,
    log,
    projecting,
    ratings,
)
from service.projections import finished as finished_module
from service.projections import ledger as ledgers
from service.projections.finished import FinishedGames, flat, log_of
from service.projections.histories import HistoryFilter, histories
from service.projections.ledger import Ledger
from service.projections.standing import OVERALL
from service.store import backup, shelved_sets
from service.store import log as stored_log
from service.store.archive import Archive
from service.store.games import GameStore, LoadedGame
from service.store.loaded import Rollback
from service.store.secret import new_id
from service.store.shelved_sets import newest
from service.store.steps import Steps
from service.store.store import NewEntry
from service.store.vaults import Folder
from tests.games import random_game

BOARDS = load_folder()
GAMES = 13
FILTERS = [index.GameFilter(), index.GameFilter("finished"), index.GameFilter("playing"),
           index.GameFilter(board="london"), index.GameFilter(board="usa")]
SMALL = ((ledgers, "ROWS", 3), (shelved_sets, "PAGE_ROWS", 3),
         (shelved_sets, "KEEP_ROWS", 0), (stored_log, "ROWS", 3), (stored_log, "KEEP_LINES", 1))


@pytest.fixture(autouse=True)
def small(monkeypatch):
    for setting in SMALL:
        monkeypatch.setattr(*setting)


@pytest.fixture
def store(redis, tmp_path):
    return GameStore(redis, BOARDS, Archive(Folder(str(tmp_path / "archive"))))


def finished(store: GameStore, count: int) -> list[Player]:
    """Play games of four players among each other to their end; return the players."""
    players, chance = [Player(f"p_{n:020x}", f"P{n}") for n in range(4)], Random(3)
    for number in range(count):
        who = chance.sample(players, 2 + number % 2)
        create = CreateGame(new_id("g"), who[0].id, tuple((player, None) for player in who),
                            chance.randbytes(32))
        game = LoadedGame(State(BOARDS["london"]))
        for seat, action, events, state in random_game(BOARDS["london"], create, chance):
            was = game.state
            game, _ = store.append(game, NewEntry(events, state, seat, action))
            if action is None or state.status != was.status:
                projecting.project(store.redis, game, was)
    return players


def again(store: GameStore) -> GameStore:
    """A store that knows nothing, as of another process."""
    return GameStore(store.redis, BOARDS, Archive(Folder(str(store.archive._vault._path))))


@pytest.fixture(scope="module")
def played_once(redis_server):
    """Play games of four players to their end. Return the players, and Redis' keys with all that
    follows from the games."""
    with connect(redis_server.url) as redis:
        redis.flushall()
        store = GameStore(redis, BOARDS)
        players = finished(store, GAMES)
        ratings.catch_up(store)
        log.catch_up(store)
        return players, {key: redis.dump(key) for key in redis.scan_iter()}


@pytest.fixture
def played(store, redis, played_once):
    """The players of finished games, which are in Redis."""
    players, keys = played_once
    for key, value in keys.items():
        redis.restore(key, 0, value)
    return players


def all_of(page) -> list:
    """Read a list to its end by ``page(before)``."""
    items, before = [], None
    while True:
        rows, before = page(before)
        items += rows
        if before is None:
            return items


def seen(store: GameStore, players: list) -> dict:
    """All lists, read in pages of several sizes, and from several times on."""
    lists: dict = {"counts": index.counts(store.redis),
                   "histories": b"".join(filter(None, histories(store, HistoryFilter(), None))),
                   "sums": sums(store)}
    ledger = Ledger(store.redis, store.archive)
    filters = [*FILTERS, *(index.GameFilter(player=player.id) for player in players),
               *(index.GameFilter(won_by=player.id) for player in players),
               *(index.GameFilter(player=players[0].id, opponent=other.id) for other in players)]
    times = [at for at, _ in newest([(log_of(store), 0)])[0]][::-1]
    filters += [index.GameFilter(since=int(at), until=int(times[-3])) for at in times[:6:2]]
    for limit in (1, 2, 100):
        for which in filters:
            rows = all_of(lambda before, which=which, limit=limit: index.games_page(
                store, which, before=before, limit=limit))
            lists[which, limit] = [head["id"] for head in rows]
        for player in players:
            lists[player.id, limit] = all_of(lambda before, player=player, limit=limit: (
                ledger.games_of(OVERALL, player.id, before, limit)))
        lists["log", limit] = log_lines(store, limit)
    for player in players:
        over = index.shelved(store, f"player:{player.id}:over")
        for at in (0, *map(int, times[::4])):
            lists["over", player.id, at] = newest([(over, at)])[0]
    return lists


def sums(store: GameStore) -> dict:
    """All that statistics have counted."""
    return {each.name: dict(flat(each.name, each.read(store.redis, each.key)))
            for each in STATISTICS}


def log_lines(store: GameStore, limit: int) -> list:
    read: list = []
    while lines := store.log.lines(len(read), limit):
        read += lines
    return read


def rows_in_redis(store: GameStore) -> dict[str, int]:
    """The number of rows in Redis of each list that may have pages."""
    lists = ["{ratings}:order", finished_module.GAMES]
    lists += [each.key for each in index.all_lists(store)]
    return {key: store.redis.zcard(key) for key in lists} | {
        "log": store.redis.llen(stored_log.LINES) - 1}


def is_right(store: GameStore) -> bool:
    """Whether a check finds no fault in any projection."""
    part = checking._Part()
    for survey in part.surveys.values():
        survey.begin(store)
    for game_id in store.ids():
        part.note(store, game_id)
    read = checking.Read(part.ids, part.unread)
    return not part.suspects and not part.findings and not [
        finding for survey in part.surveys.values() for finding in survey.findings(store, read)]


def archive_first(store: GameStore, count: int) -> None:
    """Archive the games that ended first."""
    heads = sorted(store.heads(store.ids_here()), key=lambda head: head["updated"])
    part = archiving._archive(store, [head["id"] for head in heads[:count]], lambda: None)
    assert part.archived == count
    projecting.archive(store, 1 << 50)


@pytest.mark.parametrize("count", [2, 3, 7, GAMES])
def test_lists_are_read_across_the_border(store, played, count):
    before = seen(store, played)
    archive_first(store, count)
    assert seen(again(store), played) == before
    assert is_right(again(store))
    archiving.run(store, days=0)
    assert max(rows_in_redis(store).values()) < 4
    assert seen(again(store), played) == before
    assert is_right(again(store))


def test_lists_are_read_as_before_once_pages_were_taken_back(store, played):
    before = seen(store, played)
    archiving.run(store, days=0)
    for game_id in [*store.ids()][::4]:
        game = store.load(game_id)
        index.fetch_back(store, game)
        for each, place in ((index.shelved(store, key), place)
                            for key, place in index._places(game)[0].items()):
            if store.redis.zscore(each.key, game_id) is None:
                assert place[1] not in each.ids()
        assert seen(again(store), played) == before
        assert is_right(again(store))
    projecting.archive(store, 1 << 50)
    assert max(rows_in_redis(store).values()) < 4
    assert seen(again(store), played) == before


def test_a_game_that_is_archived_after_later_ones_gets_its_place_in_the_pages(store, played):
    before = seen(store, played)
    _, *others = sorted(store.ids(), key=lambda game: store.heads([game])[0]["updated"])
    archiving._archive(store, others, lambda: None)
    projecting.archive(store, 1 << 50)
    assert seen(again(store), played) == before
    assert index.shelved(store, f"player:{played[0].id}:over").last_page()
    archiving.run(store, days=0)
    assert seen(again(store), played) == before
    for each in index.all_lists(store):
        pages = [*each.all_pages()]
        ends = [place for page in pages for place in (page.first, page.last)]
        assert ends == sorted(ends)
        assert [page.total for page in pages] == [3 * n for n in range(1, len(pages) + 1)]


def test_lists_keep_their_pages_in_a_rebuild(store, played, redis):
    before = seen(store, played)
    archiving.run(store, days=0)
    here = {each.key: redis.zcard(each.key) for each in index.all_lists(store)}
    assert projecting.rebuild(again(store)) == GAMES
    assert here == {each.key: redis.zcard(each.key) for each in index.all_lists(store)}
    assert seen(again(store), played) == before


def test_rows_that_are_also_in_a_page_are_listed_once(store, played):
    before = seen(store, played)
    archiving.run(store, days=0)
    for game_id in store.ids():
        steps = Steps(store.redis)
        index.add_steps(steps, store.load(game_id))
        steps.execute()
    before.pop("counts")
    assert seen(again(store), played).items() >= before.items()


def test_a_lost_page_is_found_and_a_rebuild_makes_its_rows_again(store, played, tmp_path):
    before = seen(store, played)
    archiving.run(store, days=0)
    in_no_history = {page.name.partition(":")[0] for pages in (store.log._shelf, log_of(store))
                     for page in pages.all_pages()}
    for page in sorted((tmp_path / "archive").glob("*.page")):
        if page.name not in in_no_history:
            page.write_bytes(page.read_bytes()[:-1])
    assert not is_right(again(store))
    projecting.rebuild(again(store))
    assert is_right(again(store))
    assert seen(again(store), played) == before


def test_games_of_the_statistics_that_are_lost_with_a_page_are_counted_again(store, played):
    before = sums(store)
    archiving.run(store, days=0)
    for page in log_of(store).all_pages():
        (store.archive._vault._path / page.name.partition(":")[0]).write_bytes(b"")
    assert not is_right(again(store))
    projecting.rebuild(again(store))
    assert is_right(again(store))
    assert sums(store) == before


def test_a_game_that_is_gone_is_taken_out_of_pages(store, played, redis):
    archiving.run(store, days=0)
    gone = next(store.ids())
    redis.delete(store.key(gone, "archived"))
    assert not is_right(again(store))
    index.forget_others(again(store), {*store.ids()})
    assert all(gone not in each.ids() for each in index.all_lists(again(store)))


def test_an_archived_game_is_repaired_without_counting_it_again(store, played):
    before = seen(store, played)
    archiving.run(store, days=0)
    for game_id in store.ids():
        projecting.repair(Mock(store=store, redis=store.redis), store.load(game_id))
    projecting.catch_up(store)
    assert seen(again(store), played) == before
    assert is_right(again(store))


@pytest.mark.parametrize("version", [2, None])
def test_a_game_that_went_back_to_its_archived_end_is_counted_once(store, played, version):
    """A process had other last entries of it, or it was behind."""
    before = sums(store)
    archiving.run(store, days=0)
    for game_id in [*store.ids()][::5]:
        now = store.load(game_id)
        was = store.at(game_id, version) if version else now
        projecting.roll_back(store, Rollback(was, now, 1, None))
    projecting.catch_up(store)
    assert sums(store) == before
    assert is_right(again(store))


@pytest.mark.parametrize("which", [0, 4, 11])
def test_a_game_in_a_page_is_taken_out_of_the_statistics(store, played, which, monkeypatch):
    monkeypatch.setattr(shelved_sets, "KEEP_ROWS", 2)
    [statistics] = [each for each in PROJECTIONS if isinstance(each, FinishedGames)]
    games = newest([(log_of(store), 0)])[0][::-1]
    archiving.run(store, days=0)
    assert log_of(store).last_page().total == 9
    gone = store.load(games[which][1])
    statistics.take_back(store, Rollback(gone, None, 0, None))
    assert newest([(log_of(store), 0)])[0][::-1] == games[:which] + games[which + 1 :]
    should = Counter()
    for _, game_id in games:
        if game_id != gone.state.id:
            for name, adds in statistics.adds(store.load(game_id)).items():
                should.update(dict(flat(name, adds)))
    expected = {each.name: {name: number for name, number in should.items()
                            if number and name.startswith(f"{each.name}: ")}
                for each in STATISTICS}
    assert sums(store) == expected
    statistics.catch_up(store)
    assert sums(store) == expected
    archiving.run(store, days=0)
    projecting.archive(store, 1 << 50)
    assert sums(store) == expected


def test_a_rebuild_counts_again_if_games_go_to_pages_meanwhile(store, played, monkeypatch):
    before = seen(store, played)
    archiving.run(store, days=0)
    complete = finished_module._Rebuild._complete_log

    def then_archive(rebuild, store):
        complete(rebuild, store)
        store.redis.delete(finished_module.REBUILDING)
        assert log_of(store).last_page() is None
        projecting.archive(store, 1 << 50)
        assert log_of(store).last_page()

    monkeypatch.setattr(finished_module._Rebuild, "_complete_log", then_archive)
    projecting.rebuild(again(store))
    assert seen(again(store), played) == before
    assert is_right(again(store))


def test_the_log_knows_which_games_it_has_once_their_lines_are_in_pages(store, played, redis):
    lines = log_lines(store, 100)
    archiving.run(store, days=0)
    projecting.rebuild(again(store))
    assert log_lines(again(store), 2) == lines
    redis.delete(stored_log.PLACES)
    projecting.rebuild(again(store))
    assert log_lines(again(store), 2) == lines
    finished(store, 1)
    projecting.catch_up(again(store))
    assert log_lines(again(store), 2)[: len(lines)] == lines
    assert len(log_lines(again(store), 5)) == len(lines) + 1
    assert is_right(again(store))


def test_lines_of_the_log_that_are_lost_in_the_archive_are_said(store, played, tmp_path):
    assert store.log.shelve() == 12
    for page in (tmp_path / "archive").glob("*.page"):
        page.write_bytes(page.read_bytes()[:-1])
    other = again(store)
    with pytest.raises(PageLost, match="lines 10 to 12 of the log are missing in the archive"):
        other.log.lines(10, 5)
    assert [line["n"] for line in other.log.lines(13, 5)] == []
    assert other.log.head().n == 13
    assert [reason for where, reason in log.wrong(other, {}) if where == stored_log.LINES]


@pytest.mark.parametrize("moves", [False, True])
def test_a_backup_of_lists_in_pages_is_restored(store, played, redis, tmp_path, monkeypatch, moves):
    """Also one that is written while lines move."""
    before, file = seen(store, played), tmp_path / "fogg-1.gz"
    archiving.run(store, days=0)
    finished(store, 3)
    ratings.catch_up(store)
    log.catch_up(store)
    before = seen(store, played)
    read = backup.READ["list"]

    def then_move(redis, key):
        yield from read(redis, key)
        assert key != stored_log.LINES.encode() or store.log.shelve() == 3

    if moves:
        monkeypatch.setitem(backup.READ, "list", then_move)
    backup.write([store], redis, file, lambda count: None, projecting.derived_keys())
    redis.flushdb()
    backup.restore([again(store)], redis, file, lambda count: None)
    projecting.rebuild(again(store))
    assert seen(again(store), played) == before
    assert is_right(again(store))


def test_a_backup_of_a_log_whose_first_lines_move_is_none(store, played, redis, monkeypatch):
    monkeypatch.setattr(backup, "MEMBERS", 2)
    parts = backup._list(redis, stored_log.LINES.encode())
    next(parts)
    store.log.shelve()
    with pytest.raises(backup.NoBackup, match="make the backup again"):
        next(parts)


# The process that moves rows stops forever at some call of a function, and is killed.
STOPPING = """
import sys, time
from importlib import import_module
from service.operation.stores import game_store
from service.projections import archiving, ledger
from service.store import backup, shelved_sets
from service.store import log as stored_log

for module, name, rows in {small}:
    setattr(import_module(module), name, rows)
module, owner, name, count, when = sys.argv[1:]
owner = getattr(import_module(module), owner) if owner else import_module(module)
work, left = getattr(owner, name), int(count)

def stop(*args):
    global left
    left -= 1
    done = work(*args) if left or when == "after" else None
    if not left:
        print("here", flush=True)
        time.sleep(600)
    return done

setattr(owner, name, stop)
archiving.run(game_store(), days=0)
""".replace("{small}", repr([(module.__name__, *rest) for module, *rest in SMALL]))


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(("module", "owner", "name", "count"), [
    ("service.store.shelved_sets", "ShelvedSet", "push", 1),
    ("service.store.shelved_sets", "ShelvedSet", "push", 8),
    ("service.store.log", "GameLog", "_push", 2),
    ("service.store.shelves", "Shelf", "push", 1),
    ("service.store.versioned", "Versioned", "change", 2),  # of rated games
])
def test_a_run_that_is_killed_between_a_page_and_its_rows_loses_nothing(
    store, played, redis, redis_server, module, owner, name, count, when
):
    before = seen(store, played)
    command = subprocess.Popen(
        [sys.executable, "-c", STOPPING, module, owner, name, str(count), when],
        stdout=subprocess.PIPE, env=os.environ | {
            "FOGG_REDIS_URL": redis_server.url, "FOGG_ARCHIVE": str(store.archive._vault._path)})
    assert command.stdout.readline() == b"here\n"
    command.send_signal(signal.SIGKILL)
    assert command.wait() == -signal.SIGKILL
    command.stdout.close()
    assert list(store.archive._vault._path.glob("*.page"))
    assert seen(again(store), played) == before
    assert is_right(again(store))
    redis.delete(archiving.LOCK)  # it would expire
    archiving.run(again(store), days=0)
    assert max(rows_in_redis(store).values()) < 4
    assert seen(again(store), played) == before
    assert is_right(again(store))


# One sorted set


def test_a_set_is_read_as_if_it_were_all_in_redis(redis, store):
    """Rows of equal times, added and moved in any order."""
    for seed in range(30):
        redis.flushdb()
        chance, should = Random(seed), set()
        one = index.shelved(store, "player:p_1:over")
        for _ in range(60):
            match chance.randrange(5):
                case 0:
                    one.fetch_back((chance.randrange(12), ""))
                case 1:
                    rows = [(int(at), row.decode()) for row, at in redis.zrange(
                        one.key, 0, -1, withscores=True)]
                    some = [row for row in rows if chance.randrange(3)]
                    shelved_sets.shelve(store.archive, [(one, some)])
                case _:
                    row = chance.randrange(12), f"g_{chance.randrange(10**6)}"
                    redis.zadd(one.key, {row[1]: row[0]})
                    should.add(row)
            below, limit = (chance.randrange(14), f"g_{chance.randrange(10**6)}"), chance.choice(
                (1, 2, 5, 100))
            since = chance.randrange(8)
            right = sorted((row for row in should if row < below and row[0] >= since),
                           reverse=True)
            assert newest([(one, since)], below, limit) == [right[:limit]]
        asked = [(one, row) for row in should]
        assert all(shelved_sets.find(asked))
        assert not any(shelved_sets.find([(one, (at, f"{row}x")) for at, row in should]))
        assert one.ids() == {row for _, row in should}


def test_the_last_rows_stay_in_redis(redis, store, monkeypatch):
    monkeypatch.setattr(shelved_sets, "KEEP_ROWS", 2)
    one = index.shelved(store, "player:p_1:over")
    redis.zadd(one.key, {f"g_{at}": at for at in range(9)})
    assert one.old_rows(9) == [(at, f"g_{at}") for at in range(7)]
    assert one.old_rows(4) == [(at, f"g_{at}") for at in range(4)]
    assert shelved_sets.shelve(store.archive, [(one, one.old_rows(9))]) == 6


def test_rows_move_only_if_nothing_has_changed_since(redis, store, monkeypatch):
    one = index.shelved(store, "player:p_1:over")
    rows = [(at, f"g_{at}") for at in range(1, 7)]
    redis.zadd(one.key, {row: at for at, row in rows})
    put = Archive.put_pages
    for change in (partial(redis.zrem, one.key, "g_1"), partial(redis.zadd, one.key, {"g_1": 9}),
                   partial(one.push, "another", rows[:3])):
        monkeypatch.setattr(Archive, "put_pages", lambda *pages, change=change: (
            change(), put(*pages))[1])
        assert shelved_sets.shelve(store.archive, [(one, rows[:3])]) == 0
        redis.zadd(one.key, {"g_1": 1})
