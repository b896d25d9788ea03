"""The rows and lists of old games go to the archive, and are read from there as before."""

from random import Random

import pytest

from domain.boards import load_folder
from service.errors import ArchiveDown
from service.projections import ledger as ledgers
from service.projections.ledger import Ledger
from service.projections.listing import ALL
from service.projections.ratings import count_in_order, rebuild
from service.projections.standing import OVERALL, RatedGame
from service.store import shelves
from service.store.archive import Archive
from service.store.games import GameStore
from service.store.shelves import numbers_in, ranges_in, text_of
from service.store.vaults import Folder
from service.store.versioned import Versioned

HOUR = 3_600_000
START = 1_761_900_000_000  # in the last days of a month
GAMES = 23
BOARDS = load_folder()


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(ledgers, "ROWS", 4)


@pytest.fixture
def archive(tmp_path):
    return Archive(Folder(str(tmp_path / "archive")))


def games() -> list[RatedGame]:
    """Rated games in order, an hour apart, of two to four of six players on two boards."""
    chance, rated = Random(7), []
    for number in range(GAMES):
        players = chance.sample([f"p_{n}" for n in range(6)], 2 + number % 3)
        ranks = range(1, len(players) + 1)
        rated.append(RatedGame(f"g_{number:020x}", ("usa", "paris")[number % 2],
                               START + number * 8 * HOUR,
                               tuple(zip(players, ranks, strict=True))))
    return rated


def seen(ledger: Ledger) -> dict:
    """Everything that can be read of the ratings."""
    read: dict = {
        "ids": ledger.counted_ids(),
        "table": {scope: ledger.page(scope, ALL, None, 100) for scope in (OVERALL, "usa", "paris")}}
    for scope in (OVERALL, "usa", "paris"):
        for player in range(6):
            for limit in (1, 2, 5, 100):
                before, rows = None, []
                while True:
                    page, before = ledger.games_of(scope, f"p_{player}", before, limit)
                    assert len(page) <= limit
                    rows += page
                    if before is None:
                        break
                read[scope, player, limit] = rows
    return read


def counted(redis, archive, played) -> Ledger:
    ledger = Ledger(redis, archive)
    for _ in count_in_order(ledger, played):
        pass
    return ledger


def left(redis) -> int:
    """The number of rows in Redis."""
    return redis.hlen("{ratings}:rows")


def test_ratings_are_read_from_pages_as_from_redis(redis, archive):
    ledger = counted(redis, archive, games())
    before = seen(ledger)
    assert ledger.shelve(START + 10 * 8 * HOUR) == 8
    assert left(redis) == GAMES - 8
    assert seen(ledger) == before
    assert ledger.shelve(START + 100 * 8 * HOUR) == 12
    assert (left(redis), redis.zcard("{ratings}:order")) == (3, 3)
    assert seen(Ledger(redis, archive)) == before
    assert ledger.shelve(START + 100 * 8 * HOUR) == 0


@pytest.mark.parametrize("late", [0, 6, 13, 21])
def test_a_late_game_is_counted_in_its_place(redis, archive, late):
    right = counted(redis, archive, games())
    should = seen(right)
    redis.flushdb()
    played = games()
    ledger = counted(redis, archive, [*played[:late], *played[late + 1 :]])
    ledger.shelve(START + 100 * 8 * HOUR)
    ledger.put([played[late]])
    while not ledger.step(ledger.waiting_games()):
        pass
    assert seen(ledger) == should
    ledger.shelve(START + 100 * 8 * HOUR)
    assert seen(ledger) == should


def test_a_game_in_a_page_is_counted_once(redis, archive):
    ledger = counted(redis, archive, games())
    ledger.shelve(START + 100 * 8 * HOUR)
    before = seen(ledger)
    ledger.put([games()[0], games()[9]])
    while ledger.waiting_games():
        ledger.step(ledger.waiting_games())
    assert seen(ledger) == before
    assert left(redis) == 3


def test_a_page_leaves_redis_only_if_nothing_has_changed_since(redis, archive, monkeypatch):
    """Another game is counted each time after the page was written."""
    ledger, played = counted(redis, archive, games()[:12]), games()[12:]
    write = ledger.shelf.write

    def count_one_more(*page):
        written = write(*page)
        if played:
            other = Ledger(redis, archive)
            assert other.count(redis.get(other.version), [played.pop(0)])
        return written

    monkeypatch.setattr(ledger.shelf, "write", count_one_more)
    ledger.shelve(START + 100 * 8 * HOUR)
    monkeypatch.undo()
    should = seen(ledger)
    redis.flushdb()
    assert should == seen(counted(redis, archive, games()[: len(should["ids"])]))


def test_a_game_that_moves_while_it_is_read_is_found(redis, archive, monkeypatch):
    ledger = counted(redis, archive, games())
    before, newest = ledger.games_of(OVERALL, "p_0", None, 100), ledger.shelf.newest

    def then_move(*wish):
        lines = newest(*wish)
        assert Ledger(redis, archive).shelve(START + 100 * 8 * HOUR) == 20
        return lines

    monkeypatch.setattr(ledger.shelf, "newest", then_move)
    assert ledger.games_of(OVERALL, "p_0", None, 100) == before


def test_a_run_that_dies_after_it_has_written_a_page_loses_nothing(redis, archive, monkeypatch):
    ledger = counted(redis, archive, games())
    before = seen(ledger)

    def die(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as dying:
        dying.setattr(Versioned, "change", die)
        with pytest.raises(KeyboardInterrupt):
            ledger.shelve(START + 100 * 8 * HOUR)
    assert (seen(ledger), left(redis)) == (before, GAMES)
    assert ledger.shelve(START + 100 * 8 * HOUR) == 20
    assert seen(ledger) == before


def test_a_lost_page_is_said_and_a_rebuild_writes_it_again(redis, archive, tmp_path):
    store = GameStore(redis, {}, archive)
    ledger = counted(redis, archive, games())
    before = seen(ledger)
    ledger.shelve(START + 100 * 8 * HOUR)
    shelved = ledger.end_of_shelf()
    for page in (tmp_path / "archive").glob("*.page"):
        page.write_bytes(page.read_bytes()[:-1])
    damaged = Ledger(redis, Archive(Folder(str(tmp_path / "archive"))))
    with pytest.raises(ArchiveDown, match="fogg rebuild writes it again"):
        damaged.games_of(OVERALL, "p_0", None, 100)
    with pytest.raises(ArchiveDown):
        Ledger(redis).counted_ids()
    rebuild(store, games(), lambda _: None, shelved)
    assert seen(ledger) == before
    assert left(redis) < GAMES
    assert not list(redis.scan_iter("*:new:*"))


def test_a_rebuild_loses_no_game_that_went_to_the_archive_meanwhile(redis, archive):
    store, played = GameStore(redis, {}, archive), games()
    ledger = counted(redis, archive, played[:12])
    ledger.shelve(START + 5 * 8 * HOUR)
    shelved = ledger.end_of_shelf()
    for game in played[12:]:
        assert ledger.count(redis.get(ledger.version), [game])
    ledger.shelve(START + 100 * 8 * HOUR)
    before, by_id = seen(ledger), {game.id: game for game in played}
    rebuild(store, played[:12], by_id.get, shelved)
    assert seen(ledger) == before


def test_numbers_of_pages_are_short():
    ranges: list[range] = []
    for number in (0, 1, 2, 3, 7, 9, 10):
        ranges = ranges_in(text_of([*ranges, range(number, number + 1)]))
    assert text_of(ranges) == "0-3 7 9-10"
    assert numbers_in("0-3 7 9-10") == [0, 1, 2, 3, 7, 9, 10]
    assert text_of(ranges_in("")) == ""
    assert shelves.ROWS == 200
