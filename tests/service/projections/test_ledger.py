"""The ledger of rated games: the ratings do not depend on when games are recorded, and by which
process."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random

import pytest

from service.operation.redis import connect
from service.projections.ledger import Ledger
from service.projections.listing import ALL, SETTLED
from service.projections.ratings import count_in_order
from service.projections.standing import OVERALL, RatedGame, Standing
from tests.service.projections.counted import MAY, dump, game, standings

BOARDS = ("usa", "europe", "overall")
PLAYERS = [*(f"p_{number}" for number in range(7)), "bot_planner_0", "bot_greedy_0"]


def games(count: int, seed: int = 1) -> list[RatedGame]:
    """So many games, several of them over in one millisecond, some with equals."""
    chance, rated = Random(seed), []
    for number in range(count):
        seats = chance.sample(PLAYERS, chance.randint(2, 5))
        rated.append(RatedGame(
            f"g_{number:020x}", chance.choice(BOARDS), 1_000 + chance.randrange(count),
            tuple((player, chance.randint(1, len(seats))) for player in seats),
            idle=(1,) if number % 7 == 0 else (), left={1: "resigned"} if number % 5 == 0 else {}))
        if number % 9 == 0:
            rated[-1] = replace(rated[-1], players=tuple((player, 0) for player in seats),
                                left={0: "aborted"})
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

    return [replace(game, at=MAY + game.at * 20_000_000, players=tuple(
        (version(player), rank) for player, rank in game.players), rules=chance.choice((1, 2, 2)),
        deal_ranks=deal_ranks(game)) for game in games(count)]


def settle(ledger: Ledger) -> None:
    while waiting := ledger.waiting_games():
        ledger.step(waiting)


def in_order(redis, played: list[RatedGame]) -> dict:
    """Return the ratings after games counted in order; Redis is empty afterwards."""
    for _ in count_in_order(Ledger(redis), played):
        pass
    kept = dump(redis)
    redis.flushall()
    return kept


@pytest.fixture
def right(redis):
    """Return the ratings after 250 games counted in order."""
    return in_order(redis, of_versions(250))


def test_ratings_are_those_of_openskill_over_all_and_by_board(redis):
    played = games(60)
    Ledger(redis).put(played)
    settle(Ledger(redis))
    order = sorted(played, key=lambda game: (game.at, game.id))
    for scope in BOARDS:
        expected = standings([game for game in order if scope in (OVERALL, game.board)], scope)
        rows, _ = Ledger(redis).page(scope, ALL, None, 100)
        assert {player: s for _, player, s in rows} == expected
        ratings = [s.rating for _, _, s in rows]
        assert ratings == sorted(ratings, reverse=True)
        for rank, player, standing in rows:
            of_player = [game for game in played if scope in (OVERALL, game.board)
                         and dict(game.players).get(player)]
            assert (standing.games, standing.wins, standing.last, rank) == (
                len(of_player), expected[player].wins,
                max(game.at for game in of_player),
                1 + sum(other > standing.rating for other in ratings))


@pytest.mark.parametrize("seed", range(4))
def test_games_that_come_in_any_order_come_to_the_same_to_the_last_bit(redis, right, seed):
    chance, played, ledger = Random(seed), of_versions(250), Ledger(redis)
    chance.shuffle(played)
    while played:
        some = [played.pop() for _ in range(min(len(played), chance.choice([1, 3, 60])))]
        ledger.put(some)
        settle(ledger)
        if chance.random() < 0.2:
            ledger.put(some)  # as the sweep does where somebody has died
    settle(ledger)
    assert dump(redis) == right


def test_processes_that_count_at_the_same_time_count_each_game_once(redis, redis_server):
    played = of_versions(100)
    right = in_order(redis, played)
    Random(5).shuffle(played)

    def work(part: int) -> None:
        with connect(redis_server.url) as own:
            ledger = Ledger(own)
            for game in played[part::4]:
                ledger.put([game])
                settle(ledger)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert dump(redis) == right


def test_a_change_for_an_older_version_is_refused(redis):
    ledger, order = Ledger(redis), sorted(games(3), key=lambda game: (game.at, game.id))
    assert ledger.count(b"", order[:2])
    before = dump(redis)
    assert not ledger.count(b"", order[2:])
    assert not ledger.take_back(b"", [order[1].id])
    assert dump(redis) == before


def test_pages_hold_everybody_once_and_equals_share_a_rank(redis):
    ledger = Ledger(redis)
    pairs = [(f"p_{number}a", f"p_{number}b") for number in range(6)]
    ledger.put(RatedGame(f"g_{n:020x}", "usa", 1, ((a, 1), (b, 2)))
               for n, (a, b) in enumerate(pairs))
    settle(ledger)
    listed, before = [], None
    for _ in range(3):
        rows, before = ledger.page("usa", ALL, before, 5)
        listed += rows
    assert before is None
    assert {name for _, name, _ in listed} == {name for pair in pairs for name in pair}
    assert [rank for rank, _, _ in listed] == [1] * 6 + [7] * 6
    assert ledger.how_many(ALL, "usa") == 12
    assert ledger.how_many(SETTLED, "usa") == ledger.how_many(ALL, "us") == 0


# Versions


def test_a_new_version_starts_from_the_last_one_less_surely_and_that_one_stays(redis):
    ledger = Ledger(redis)
    ledger.put([game(n, "p_0@1", "bot_planner_0") for n in range(30)])
    settle(ledger)
    one = ledger.standing(OVERALL, "p_0@1")
    assert [player for _, player, _ in ledger.page(OVERALL, ALL, None, 9)[0]] == [
        "p_0@1", "bot_planner_0"]
    ledger.put([game(30, "bot_planner_0", "p_0@2")])
    settle(ledger)
    [[change, _]] = [game.changes[OVERALL][::-1] for game in
                     ledger.games_of(OVERALL, "p_0@2", None, 9)[0]]
    assert (change.before.mu, change.before.shown, change.before.games) == (one.mu, one.shown, 0)
    assert change.before.sigma == pytest.approx((one.sigma**2 + (25 / 12) ** 2) ** 0.5)
    assert ledger.standing(OVERALL, "p_0@2").mu < one.mu
    assert ledger.standing(OVERALL, "p_0@1") == one
    assert [player for _, player, _ in ledger.page(OVERALL, ALL, None, 9)[0]] == [
        "p_0@2", "bot_planner_0"]
    assert ledger.versions("p_0", 9) == ["1", "2"]
    ledger.put([game(31, "p_0@1", "bot_planner_0")])  # back to the old one, which goes on
    settle(ledger)
    assert ledger.standing(OVERALL, "p_0@1").games == 31
    assert ledger.last_versions("p_0", [OVERALL, "usa"]) == ["p_0@1", "p_0@1"]


def test_the_first_version_of_a_new_player_starts_like_a_new_player(redis):
    Ledger(redis).put([game(1, "p_0@1", "p_1")])
    settle(Ledger(redis))
    assert Ledger(redis).games_of(OVERALL, "p_0@1", None, 1)[0][0].changes[OVERALL][0].before == (
        Standing())


def test_one_is_provisional_before_twenty_games_or_if_they_say_little():
    assert Standing(25, 5, 19).is_provisional
    assert Standing(25, 6.1, 50).is_provisional
    assert not Standing(25, 6, 20, shown=10).is_provisional
    assert Standing(25, 6, 20, shown=9.9).is_provisional


def test_points_are_ordered_as_ratings_are():
    ratings = [-2000, -999, -5.5, -5.4, 0, 0.000001, 9.9, 10, 99, 1234]
    points = [Standing(rating, 0).points for rating in ratings]
    assert points == sorted(points)
    assert len(set(points)) == len(points)
