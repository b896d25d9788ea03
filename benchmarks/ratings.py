"""Recomputing all ratings from what is kept of rated games, without folding a game.

The yardstick is openskill alone on the same games: over all games, and again by board.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from random import Random
from statistics import median

import click
from openskill.models import PlackettLuce
from redis import Redis

from benchmarks.compare import by_turns, ratio, show
from benchmarks.temporary import redis as temporary_redis
from service.projections.ledger import Ledger
from service.projections.listing import PREFIX
from service.projections.ratings import count_in_order
from service.projections.standing import RatedGame

BOARDS = ("usa", "usa-1910", "europe", "london", "paris")
LATE = 20  # games that a late one makes count again


def measure(rounds: int = 1, games: int = 100_000, players: int = 100) -> dict:
    """Return how many games a second are rated anew, and how long one game takes, in order and
    late; the games are of 2 to 5 of so many players."""
    rated = synthetic(games, players)
    with temporary_redis() as redis:
        redis.config_set("appendonly", "no")  # it is the counting that counts here
        ours, bare = by_turns(rounds, lambda: _seconds(lambda: _recount(redis, rated)),
                              lambda: _seconds(lambda: _bare(rated)))
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
    """Return games as they are kept, of players some of whom are stronger."""
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
    """Return the seconds that another game takes to be counted, so many games before the last."""
    ledger = Ledger(redis)
    [(_, last)] = redis.zrange(f"{PREFIX}order", -1 - back, -1 - back, withscores=True)
    at = int(last) - 1 if back else int(last) + 1000
    ledger.put([replace(games[number], id=f"g_{back:010x}{number:010x}", at=at)])

    def settle() -> None:
        while waiting := ledger.waiting_games():
            ledger.step(waiting)

    return _seconds(settle)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


@click.command()
@click.option("--rounds", default=1, show_default=True, help="How often each has its turn.")
@click.option("--games", default=100_000, show_default=True, help="Rated games.")
@click.option("--players", default=100, show_default=True, type=click.IntRange(5),
              help="How many players play them.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(rounds: int, games: int, players: int, as_json: bool) -> None:
    """Compare recomputing all ratings with openskill alone.

    \b
    Example:
      python -m benchmarks.ratings --games 20000
    """
    show(measure(rounds, games, players), as_json)


if __name__ == "__main__":
    main()
