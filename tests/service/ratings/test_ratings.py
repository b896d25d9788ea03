"""Ratings do not depend on when games are recorded, and readers never see half a count."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from random import Random

import pytest
import sqlalchemy as sa

from service.games.strengths import OVERALL
from service.ratings import counting, leaderboards, ratings
from service.ratings.standing import RatedGame, Standing
from service.records import comparing, tables
from service.records.database import Database, sqlite_url
from tests.service.records.counted import MAY, game, kept, rate, standings

BOARDS = ("usa", "europe", "overall")
PLAYERS = [*(f"p_{number}" for number in range(7)), "bot_planner_0", "bot_greedy_0"]


def games(count: int, seed: int = 1) -> list[RatedGame]:
    """So many games, several of them over in one millisecond, some with equals."""
    chance, rated = Random(seed), []
    for number in range(count):
        seats = chance.sample(PLAYERS, chance.randint(2, 5))
        rated.append(
            RatedGame(
                f"g_{number:020x}",
                chance.choice(BOARDS),
                1_000 + chance.randrange(count),
                tuple((player, chance.randint(1, len(seats))) for player in seats),
                idle=(1,) if number % 7 == 0 else (),
                left={1: "resigned"} if number % 5 == 0 else {},
            )
        )
        if number % 9 == 0:
            rated[-1] = replace(
                rated[-1], players=tuple((player, 0) for player in seats), left={0: "aborted"}
            )
    return rated


def of_versions(count: int) -> list[RatedGame]:
    """So many games over some months, whose players are now this version, now that."""
    chance = Random(2)

    def version(player: str) -> str:
        return player if player.startswith("bot_") else player + chance.choice(("", "@1", "@2.b"))

    def deal_ranks(game: RatedGame) -> tuple[int, ...]:
        """Sometimes a game is rated for a deal, or another one is for it."""
        by_deal = {2: tuple(rank for _, rank in game.players[::-1]), 3: (0,) * len(game.players)}
        return by_deal.get(chance.randrange(9), ())

    return [
        replace(
            game,
            at=MAY + game.at * 20_000_000,
            players=tuple((version(player), rank) for player, rank in game.players),
            rules=chance.choice((1, 2, 2)),
            deal_ranks=deal_ranks(game),
        )
        for game in games(count)
    ]


@pytest.fixture
def database(records):
    return records


@pytest.fixture
def few(monkeypatch):
    """Limit a transaction to 10 games, and to deleting 50 rows."""
    monkeypatch.setattr(ratings, "BATCH_SIZE", 10)
    monkeypatch.setattr(ratings, "ROWS", 50)


def in_order(games: list[RatedGame]) -> list[RatedGame]:
    return sorted(games, key=lambda one: one.place)


def settle(database: Database) -> None:
    while ratings.step(database):
        pass


def page(
    database: Database,
    scope: str = OVERALL,
    before: str | None = None,
    limit: int = 100,
    *,
    provisional: bool = True,
):
    """Return a page of a leaderboard, and the cursor of the next."""
    with database.reading() as db:
        return leaderboards.page(
            db, scope, provisional=provisional, active_since=0, before=before, limit=limit
        )


def stands(database: Database, player: str, scope: str = OVERALL) -> Standing:
    with database.reading() as db:
        return leaderboards.standings(db, scope, [player])[0]


def changes(database: Database, player: str) -> list:
    """Return a player's changes, the latest first."""
    with database.reading() as db:
        return leaderboards.changes_of(db, OVERALL, player, None, 100)[0]


def test_ratings_are_those_of_openskill_over_all_and_by_board(database):
    played = games(60)
    rate(database, *played)
    order = in_order(played)
    for scope in BOARDS:
        expected = {name: one for name, one in standings(order, scope).items() if one.games}
        rows, _ = page(database, scope)
        assert {player: s for _, player, s in rows} == expected
        ratings = [s.rating for _, _, s in rows]
        assert ratings == sorted(ratings, reverse=True)
        for rank, player, standing in rows:
            of_player = [
                game
                for game in played
                if scope in (OVERALL, game.board) and dict(game.players).get(player)
            ]
            assert (standing.games, standing.wins, standing.last, rank) == (
                len(of_player),
                expected[player].wins,
                max(game.at for game in of_player),
                1 + sum(other > standing.rating for other in ratings),
            )


@pytest.mark.parametrize("seed", range(2))
def test_games_that_come_in_any_order_come_to_the_same_to_the_last_bit(
    database, few, seed, tmp_path
):
    """Most games come too late to be put in their place at once."""
    chance, played = Random(seed), of_versions(60)
    other = Database(sqlite_url(tmp_path / "other.sqlite3"))
    other.migrate()
    rate(other, *in_order(played))
    chance.shuffle(played)
    for one in played:
        rate(database, one)
        if chance.random() < 0.3:
            ratings.step(database)
    settle(database)
    assert kept(database) == kept(other)
    ratings.recount(database)
    assert kept(database) == kept(other)
    with database.reading() as db:
        assert len(db.execute(sa.select(tables.generation)).all()) == 1
    other.close()


def test_a_late_game_takes_back_only_those_that_count_after_it(database, monkeypatch):
    played, taken = in_order(of_versions(30)), []

    def take_back(*args) -> None:
        taken.append(args[-1].id)
        counting.take_back(*args)

    monkeypatch.setattr(ratings, "take_back", take_back)
    rate(database, *played[:25], *played[26:], played[25])
    assert taken == [one.id for one in played[:25:-1]]
    assert len(kept(database)["change"]) == sum(len(one.names) for one in played)
    assert not ratings.step(database)


@pytest.mark.parametrize(
    ("table", "values"),
    [
        ("standing", {"mu": 26.0}),
        ("standing", {"points": None}),
        ("leaderboard", {"players": 9}),
        ("rated", {"at": 1}),
    ],
)
def test_a_check_says_what_is_not_as_the_rated_games_give_it(database, table, values):
    rate(database, *games(4))
    changed = getattr(tables, table)
    with database.writing() as db:
        db.execute(sa.update(changed).values(values))
    assert ratings.differences(database)
    ratings.recount(database)
    assert kept(database)


def test_nothing_is_wrong_while_games_are_rated(database, few, monkeypatch):
    """A game is rated after each transaction of the comparison, each second one a little late."""
    played, reading = in_order(of_versions(60)), Database.reading
    played[1::2], played[::2] = played[::2], played[1::2]
    waiting = iter(played)
    rate(database, *islice(waiting, 20))
    monkeypatch.setattr(comparing, "ROWS", 5)

    @contextmanager
    def read(database: Database) -> Iterator[sa.Connection]:
        with reading(database) as db:
            yield db
        rate(database, *islice(waiting, 1))

    monkeypatch.setattr(Database, "reading", read)
    for _ in range(3):
        assert ratings.differences(database) == []
    assert next(waiting, None) is None


def test_readers_see_the_old_count_until_the_new_one_is_whole(database, few):
    played = in_order(of_versions(50))
    rate(database, *played[1:])
    before, seen = kept(database), page(database)
    rate(database, replace(played[0], at=1))
    assert page(database) == seen
    steps = 0
    while page(database) == seen:
        assert ratings.step(database)
        steps += 1
    assert steps == 6  # 50 games, and then none
    settle(database)
    assert kept(database) != before


def test_a_game_that_ends_during_a_recount_counts_at_once_and_once(database, few):
    played = in_order(of_versions(50))
    rate(database, *played[:35])
    with database.writing() as db:
        ratings.begin(db)
    for one in played[35:]:
        rate(database, one)
        assert stands(database, one.named[OVERALL][0]).last == one.at or one.was_aborted
        ratings.step(database)
    settle(database)
    assert len(kept(database)["change"]) == sum(len(one.names) for one in played)


def test_processes_that_count_at_the_same_time_count_each_game_once(database, database_url):
    played = of_versions(40)
    Random(5).shuffle(played)

    def work(part: int) -> None:
        own = Database(database_url)
        rate(own, *played[part::4])
        own.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert len(kept(database)["change"]) == sum(len(one.names) for one in played)


def test_pages_hold_everybody_once_and_equals_share_a_rank(database):
    pairs = [(f"p_{number}a", f"p_{number}b") for number in range(6)]
    rate(
        database,
        *(RatedGame(f"g_{n:020x}", "usa", 1, ((a, 1), (b, 2))) for n, (a, b) in enumerate(pairs)),
    )
    listed, before = [], None
    for _ in range(3):
        rows, before = page(database, "usa", before, 5)
        listed += rows
    assert before is None
    assert {name for _, name, _ in listed} == {name for pair in pairs for name in pair}
    assert [rank for rank, _, _ in listed] == [1] * 6 + [7] * 6
    assert page(database, "usa", f"{10**15 - 1}.p_", 12)[0] == listed
    assert page(database, "usa", provisional=False) == page(database, "us") == ([], None)
    with database.reading() as db:
        assert leaderboards.sizes(db)["usa"] == (12, 0)


def test_a_new_version_starts_from_the_last_one_less_surely_and_that_one_stays(database):
    rate(database, *(game(n, "p_0@1", "bot_planner_0") for n in range(30)))
    one = stands(database, "p_0@1")
    assert [player for _, player, _ in page(database)[0]] == ["p_0@1", "bot_planner_0"]
    new = stands(database, "p_0@2")
    rate(database, game(30, "bot_planner_0", "p_0@2"))
    [change] = changes(database, "p_0@2")
    assert change.mu_before == new.mu == one.mu
    assert change.sigma_before == new.sigma == pytest.approx((one.sigma**2 + (25 / 12) ** 2) ** 0.5)
    assert (new.shown, new.games) == (one.shown, 0)
    assert stands(database, "p_0@2").mu < one.mu
    assert stands(database, "p_0@1") == one
    assert [player for _, player, _ in page(database)[0]] == ["p_0@2", "bot_planner_0"]
    with database.reading() as db:
        assert leaderboards.versions(db, "p_0") == ["1", "2"]
    rate(database, game(31, "p_0@1", "bot_planner_0"))  # back to the old one, which goes on
    assert stands(database, "p_0@1").games == 31
    with database.reading() as db:
        assert {
            scope: name
            for scope, (name, _) in leaderboards.by_scope(db, "p_0", None, [OVERALL, "usa"]).items()
        } == {OVERALL: "p_0@1", "usa": "p_0@1"}


def test_the_first_version_of_a_new_player_starts_like_a_new_player(database):
    rate(database, game(1, "p_0@1", "p_1"))
    [change] = changes(database, "p_0@1")
    assert (change.mu_before, change.sigma_before) == Standing()[:2]


def test_one_is_provisional_before_twenty_games_or_if_they_say_little():
    assert Standing(25, 5, 19).is_provisional
    assert Standing(25, 6.1, 50).is_provisional
    assert not Standing(25, 6, 20, shown=10).is_provisional
    assert Standing(25, 6, 20, shown=9.9).is_provisional
