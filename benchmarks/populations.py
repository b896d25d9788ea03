"""What each measure against bought ratings costs those who are honest, and those who are not.

Players of known strengths play, and who wins is drawn by the model that ratings suppose. Then
ratings are compared with strengths: with no measure, with each alone, and with all.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from random import Random
from statistics import mean
from unittest.mock import patch

import click

from benchmarks.compare import show
from domain import skill
from service.projections.counting import play, start
from service.projections.standing import OVERALL, RatedGame, Standing

BUILT_IN = {"bot_random_0": -4.0, "bot_greedy_0": 14.0, "bot_planner_0": 44.0}  # as calibrated
SCALE = 25 / 6 * math.sqrt(2)  # of strengths: what the model divides them by in a game of two
HONEST = 30  # players
HASTY = 0.02  # of the losers resign before they have played
MAY = 1_777_593_600_000
Strengths = dict[str, float]

# which hold: opponents must be proven, repeated ones count less, both must have played
MEASURES = {"none": (), "proven": ("proven",), "repeated": ("repeated",), "played": ("played",),
            "all": ("proven", "repeated", "played")}


class World:
    """The ratings of players whose strengths are known, under some measures."""

    def __init__(self, strengths: Strengths, measures: tuple[str, ...], seed: int):
        self.strengths, self.measures, self.chance = strengths, measures, Random(seed)
        self.now: dict[str, Standing] = {}
        self.met: Counter[str] = Counter()
        self.last: dict[str, str] = {}
        self.games = 0

    def meet(self, one: str, other: str) -> None:
        """Let two play an honest game."""
        gap = self.strengths.get(one, 25.0) - self.strengths.get(other, 25.0)
        wins = self.chance.random() < 1 / (1 + math.exp(-gap / SCALE))
        winner, loser = (one, other) if wins else (other, one)
        is_hasty = loser not in BUILT_IN and self.chance.random() < HASTY
        self.count(winner, loser, (1,) if is_hasty else ())

    def count(self, winner: str, loser: str, idle: tuple[int, ...] = ()) -> None:
        """Rate a game, a minute after the last one."""
        for player in (winner, loser):
            self.now.setdefault(f"{OVERALL} {player}", start(f"{OVERALL} {player}"))
        self.games += 1
        game = RatedGame(f"g_{self.games:020x}", "usa", MAY + 60_000 * self.games,
                         ((winner, 1), (loser, 2)), idle=idle)
        with self._measured():
            play(self.now, self.met, self.last, OVERALL, game if "played" in self.measures else
                 replace(game, idle=()))

    @contextmanager
    def _measured(self) -> Iterator[None]:
        with ExitStack() as stack:
            if "proven" not in self.measures:
                stack.enter_context(patch.object(skill, "FRESH", 1.0))
            if "repeated" not in self.measures:
                stack.enter_context(patch.object(skill, "REPEATED", 1e9))
            yield

    def standing(self, player: str) -> Standing:
        """Return how a player stands."""
        return self.now.get(f"{OVERALL} {player}", start(f"{OVERALL} {player}"))

    def rank(self, player: str) -> int:
        """Return a player's rank among all by the leaderboard."""
        return 1 + sum(row.rating > self.standing(player).rating
                       for name, row in self.now.items() if name.startswith(f"{OVERALL} "))

    def order(self, players: list[str]) -> float:
        """Return of how many pairs of players the ratings have the stronger one right."""
        pairs = [(a, b) for a in players for b in players if self.strengths[a] > self.strengths[b]]
        return mean(self.standing(a).mu > self.standing(b).mu for a, b in pairs)


def population(seed: int) -> Strengths:
    """Return honest players and the built-in bots."""
    chance = Random(seed)
    return BUILT_IN | {f"p_{n}": chance.gauss(25, 10) for n in range(HONEST)}


# What honest players do. Each returns the world after so many games of each player.


def pool(world: World, games: int) -> None:
    """All meet all, and the built-in bots."""
    everybody = [*world.strengths]
    for _ in range(games * HONEST // 2):
        one, other = world.chance.sample(everybody, 2)
        world.meet(one, other)


def club(world: World, games: int) -> None:
    """Six meet each other alone, again and again, after ten games each against built-in bots."""
    members = [f"p_{n}" for n in range(6)]
    for turn in range(games):
        for member in members:
            if turn < 10:
                world.meet(member, world.chance.choice([*BUILT_IN]))
            else:
                world.meet(member, world.chance.choice([m for m in members if m != member]))


def strangers(world: World, games: int) -> None:
    """New players meet each other alone; nobody plays a built-in bot."""
    members = [f"p_{n}" for n in range(HONEST)]
    for _ in range(games * HONEST // 2):
        world.meet(*world.chance.sample(members, 2))


def workshop(world: World, games: int) -> None:
    """Those who write a bot try it against the built-in ones."""
    for _ in range(games):
        for n in range(HONEST):
            world.meet(f"p_{n}", world.chance.choice([*BUILT_IN]))


HONEST_WAYS: dict[str, Callable[[World, int], None]] = {
    "a pool of all": pool, "a club of six": club, "newcomers among themselves": strangers,
    "built-in bots alone": workshop}


# What dishonest ones do, beside a pool of honest players: the account ``p_main`` is to gain.


def resigning(world: World) -> None:
    """41 new accounts resign at once."""
    for n in range(41):
        world.count("p_main", f"p_sock{n}", (0, 1))


def losing(world: World) -> None:
    """41 new accounts make some moves, and lose."""
    for n in range(41):
        world.count("p_main", f"p_sock{n}")


def friend(world: World) -> None:
    """One account becomes proven and loses 200 times."""
    for n in range(20):
        world.meet("p_sock0", [*BUILT_IN][n % 3])
    for _ in range(200):
        world.count("p_main", "p_sock0")


def ring(world: World) -> None:
    """Twenty accounts play 20 games each among themselves, then lose to one twice each."""
    socks = [f"p_sock{n}" for n in range(20)]
    for n in range(200):
        one, other = world.chance.sample(socks, 2)
        world.count(*((one, other) if n % 2 else (other, one)))
    for sock in socks * 2:
        world.count("p_main", sock)


def farm(world: World) -> None:
    """Twenty accounts play 15 games each against built-in bots, lose them, and lose to one."""
    for n in range(20):
        for turn in range(15):
            world.count([*BUILT_IN][turn % 3], f"p_sock{n}")
        world.count("p_main", f"p_sock{n}")


def strong_farm(world: World) -> None:
    """The same twenty with the planner's strength: a strong bot's wins are given to one account."""
    for n in range(20):
        world.strengths[f"p_sock{n}"] = BUILT_IN["bot_planner_0"]
        for turn in range(15):
            world.meet(f"p_sock{n}", [*BUILT_IN][turn % 3])
        world.count("p_main", f"p_sock{n}")


DISHONEST_WAYS: dict[str, Callable[[World], None]] = {
    "41 accounts resign at once": resigning, "41 new accounts lose": losing,
    "a friend loses 200 times": friend, "a ring of 20": ring,
    "20 accounts that lost to built-in bots": farm,
    "20 accounts that played as well as planner": strong_farm}


def measure(games: int = 40, seeds: int = 3) -> dict:
    """Return of how many pairs of honest players ratings tell the stronger one, and how certain and
    settled they are; and what a dishonest account comes to, by measures."""
    figures: dict[str, str] = {}
    for way, live in HONEST_WAYS.items():
        for name, measures in MEASURES.items():
            right, sigma, settled = [], [], []
            for seed in range(seeds):
                world = World(population(seed), measures, seed)
                live(world, games)
                players = [p for p in world.strengths
                           if p not in BUILT_IN and world.standing(p).games]
                right.append(world.order(players))
                sigma += [world.standing(p).sigma for p in players]
                settled += [world.standing(p).sigma <= 6 for p in players]
            figures[f"honest, {way}, {games} games each, measures: {name}"] = (
                f"{mean(right):.0%} of pairs right, sigma {mean(sigma):.1f}, "
                f"{mean(settled):.0%} certain enough")
    for way, cheat in DISHONEST_WAYS.items():
        for name, measures in MEASURES.items():
            ratings, ranks = [], []
            for seed in range(seeds):
                world = World(population(seed), measures, seed)
                pool(world, games)
                cheat(world)
                ratings.append(world.standing("p_main").rating)
                ranks.append(world.rank("p_main"))
            figures[f"dishonest, {way}, measures: {name}"] = (
                f"rating {mean(ratings):.1f}, rank {mean(ranks):.0f}")
    return {"benchmark": "populations", "figures": figures}


@click.command()
@click.option("--games", default=40, show_default=True, help="Games of each honest player.")
@click.option("--seeds", default=3, show_default=True, help="Populations.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(games: int, seeds: int, as_json: bool) -> None:
    """Compare ratings with strengths, with each measure and without.

    \b
    Example:
      python -m benchmarks.populations --games 100
    """
    show(measure(games, seeds), as_json)


if __name__ == "__main__":
    main()
