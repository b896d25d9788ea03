"""Measures computing all ratings again from the stored results of games, without folding a game.

The yardstick is openskill alone on the same games, once over all games and once by board.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from statistics import median
from typing import Annotated

from openskill.models import PlackettLuce
from redis import Redis

from benchmarks.runner import Rounds, by_turns, command, ratio, seconds
from benchmarks.services import redis as temporary_redis
from service.projections.ledger import Ledger
from service.projections.listing import PREFIX
from service.projections.ratings import count_in_order
from service.projections.standing import RatedGame

BOARDS = ("usa", "usa-1910", "europe", "london", "paris")
LATE = 20  # games that have to be counted again after one that arrives late


def measure(
    rounds: Rounds = 1, games: Annotated[int, "Rated games, of 2 to 5 players."] = 100_000,
    players: Annotated[int, "How many players there are, at least 5."] = 100,
) -> dict:
    """Return how many games are rated a second, and how long one more game takes, in order and
    late."""
    rated = synthetic(games, players)
    with temporary_redis() as redis:
        ours, bare = by_turns(rounds, lambda: seconds(lambda: _recount(redis, rated)),
                              lambda: seconds(lambda: _bare(rated)))
        size = redis.info("memory")["used_memory"]
        one, late = (median(_one_more(redis, rated, number, back) for number in range(50))
                     for back in (0, LATE))
    return {
        "benchmark": "ratings", "yardstick": "openskill alone",
        "ratios": [ratio("all games anew", "games/s",
                         *([games / took for took in times] for times in (ours, bare)))],
        "figures": {
            "games": games, "seconds": median(ours), "bytes a game in Redis": size / games,
            "milliseconds for one more game": 1000 * one,
            f"milliseconds for one that is {LATE} games late": 1000 * late},
    }


def synthetic(games: int, players: int) -> list[RatedGame]:
    """Return results of games between players of different strength, as they are stored."""
    chance = Random(1)
    strength = {f"p_{number:020x}": chance.gauss(25, 6) for number in range(players)}
    names, found = list(strength), []
    for number in range(games):
        seats = chance.sample(names, chance.randint(2, 5))
        luck = {name: strength[name] + chance.gauss(0, 6) for name in seats}
        order = sorted(seats, key=luck.__getitem__, reverse=True)
        found.append(RatedGame(
            f"g_{number:020x}", chance.choice(BOARDS), 1_700_000_000_000 + 1000 * number,
            tuple((name, order.index(name) + 1) for name in seats)))
    return found


def _recount(redis: Redis, games: list[RatedGame]) -> None:
    redis.flushall()
    for _ in count_in_order(Ledger(redis), games):
        pass


def _bare(games: list[RatedGame]) -> None:
    model, ratings = PlackettLuce(), {}
    for game in games:
        for scope in ("overall", game.board):
            names = [(scope, player) for player, _ in game.players]
            teams = [[ratings.get(name) or model.rating()] for name in names]
            after = model.rate(teams, ranks=[float(rank) for _, rank in game.players])
            ratings |= {name: team[0] for name, team in zip(names, after, strict=True)}


def _one_more(redis: Redis, games: list[RatedGame], number: int, back: int) -> float:
    """Return how long it takes to count another game, ``back`` games before the last."""
    ledger = Ledger(redis)
    [(_, last)] = redis.zrange(f"{PREFIX}order", -1 - back, -1 - back, withscores=True)
    at = int(last) - 1 if back else int(last) + 1000
    ledger.put([replace(games[number], id=f"g_{back:010x}{number:010x}", at=at)])

    def settle() -> None:
        while waiting := ledger.waiting_games():
            ledger.step(waiting)

    return seconds(settle)


if __name__ == "__main__":
    command(measure)()
