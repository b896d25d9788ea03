"""Simulates ways to buy a rating, and honest players, by version 1 and the present version of the
rating rules.

Players have known strengths. A game's ranks are drawn by the Plackett-Luce model, so its result
depends on strength alone, unless somebody cheats. Prints the table of docs/ratings.md.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import combinations
from random import Random
from statistics import mean

import click

from domain.skill import RATING_RULES
from service.projections.collusion import accounts_of, companions, compared_pairs
from service.projections.counting import account_of, last_of, play, start
from service.projections.standing import OVERALL, RatedGame, Standing

MAY = 1_777_593_600_000  # 1 May 2026, in milliseconds since 1970
DAY = 86_400_000  # milliseconds
SPREAD = 25 / 6 * math.sqrt(2)  # of a game's luck, as in the model of two players
BOTS = {"bot_random_0": -18.0, "bot_greedy_0": 17.0, "bot_planner_0": 27.0, "bot_expert_0": 33.0}
HONEST = {f"p_{n:02}": 12.0 + n * 0.7 for n in range(30)}
CHEAT = "p_cheat"
REGULARS = [*HONEST][::6]
STRENGTH = 17.0  # of the cheat: that of `greedy`
GAMES = 400  # of the cheat
Results = dict[str, float]


class World:
    """Ratings after games that are played one after the other."""

    def __init__(self, rules: int, seed: int, bonus: float = 0.0):
        self.rules, self.chance, self.bonus = rules, Random(seed), bonus
        self.now: dict[str, Standing] = {}
        self.games: list[RatedGame] = []
        self.met: Counter[str] = Counter()
        self.last: dict[str, str] = {}
        self.count = 0
        for _ in range(200):  # the built-in bots have known ratings
            self.play(*self.chance.sample([*BOTS], 2))
        for player in HONEST:
            for _ in range(40):
                self.play(player, self.other(player))

    def other(self, player: str) -> str:
        return self.chance.choice([name for name in (*BOTS, *HONEST) if name != player])

    def strength(self, player: str) -> float:
        account = account_of(player)
        return BOTS.get(account) or HONEST.get(account) or STRENGTH

    def ranks(self, players: Iterable[str], **more: float) -> dict[str, int]:
        """Draw the ranks of a game; ``more`` strength for some accounts."""
        luck = {player: self.strength(player) + more.get(account_of(player), 0.0)
                - SPREAD * math.log(-math.log(self.chance.random())) for player in players}
        order = sorted(luck, key=luck.__getitem__, reverse=True)
        return {player: order.index(player) + 1 for player in luck}

    def play(self, *players: str, **more: float) -> None:
        self.rate(self.ranks(players, **more))

    def rate(self, ranks: dict[str, int], deal_ranks: tuple[int, ...] = ()) -> None:
        self.count += 1
        for player in ranks:
            for name in (player, account_of(player)):
                self.now.setdefault(f"{OVERALL} {name}", start(f"{OVERALL} {name}"))
        game = RatedGame(f"g_{self.count:020}", OVERALL, MAY + self.count * 1000,
                         tuple(ranks.items()), rules=self.rules, deal_ranks=deal_ranks)
        self.games.append(game)
        play(self.now, self.met, self.last, OVERALL, game)

    def suspects(self, account: str) -> list[tuple[str, str]]:
        """Return the pairs (giver, taker) of an account that the report of its games suspects."""
        own = [game for game in self.games if account in accounts_of(game)]
        there = {account, *companions(account, own)}
        games = [game for game in self.games if there.intersection(accounts_of(game))]
        return [(row["giver"], row["taker"]) for row in compared_pairs(account, games)
                if row["suspect"]]

    def standing(self, account: str) -> Standing:
        return self.now[f"{OVERALL} {last_of(self.last, OVERALL, account)}"]

    def cheat(self) -> Results:
        """Return the cheat's rating and rank, and how far the honest players have moved."""
        ratings = {name: self.standing(name).rating for name in (*BOTS, *HONEST, CHEAT)}
        own = self.standing(CHEAT)
        return {"rating": own.rating, "mu": own.mu, "rank": 1 + sum(
            rating > own.rating for rating in ratings.values())}


def honest(world: World) -> Results:
    """Forty games of each against anybody, as in every other row."""
    rows = [world.standing(name) for name in HONEST]
    pairs = [one.mu < other.mu for one, other in combinations(rows, 2)]
    return {"order": mean(pairs), "sigma": mean(row.sigma for row in rows),
            "settled": mean(not row.is_provisional for row in rows)}


def regulars(world: World) -> Results:
    """Then 200 games at tables of three among five of them, who know each other well."""
    for _ in range(200):
        world.play(*world.chance.sample(REGULARS, 3))
    rows = [world.standing(name) for name in REGULARS]
    return {"order": mean(one.mu < other.mu for one, other in combinations(rows, 2)),
            "sigma": mean(row.sigma for row in rows),
            "settled": mean(not row.is_provisional for row in rows),
            "suspected": mean(bool(world.suspects(name)) for name in REGULARS)}


def like_others(world: World) -> Results:
    """The cheat plays 400 games against anybody."""
    for _ in range(GAMES):
        world.play(CHEAT, world.other(CHEAT))
    return world.cheat()


def against_random(world: World) -> Results:
    """400 games against `random` alone."""
    for _ in range(GAMES):
        world.play(CHEAT, "bot_random_0")
    return world.cheat()


def random_after_proof(world: World) -> Results:
    """200 games against anybody, then 200 against `random`."""
    for n in range(GAMES):
        world.play(CHEAT, world.other(CHEAT) if n < GAMES / 2 else "bot_random_0")
    return world.cheat()


def short_clock(world: World) -> Results:
    """A listening bot, as strong as `planner`, loses 100 games on a clock of 0.1 s to ten
    accounts. They are not rated since version 2."""
    for _ in range(40):
        world.play(CHEAT, world.other(CHEAT), **{CHEAT: 10.0})
    for n in range(100):
        if world.rules == 1:
            world.rate({f"p_{n % 10:02}": 1, CHEAT: 2})
    return world.cheat()


def ratchet(world: World) -> Results:
    """A version for ten games each. Bad ones are dropped: the best plays once before the next."""
    best, highest = CHEAT, 0.0
    for version in range(GAMES // 10):
        name = f"{CHEAT}@{version}"
        for _ in range(9):
            world.play(name, world.other(CHEAT))
        if (mu := world.now[f"{OVERALL} {name}"].mu) > highest:
            best, highest = name, mu
        else:
            world.play(best, world.other(CHEAT))
            highest = world.now[f"{OVERALL} {best}"].mu
    world.play(best, world.other(CHEAT))
    return world.cheat()


def memory(world: World) -> Results:
    """Pairs of games of one deal; the cheat remembers the first one (5 more in the second)."""
    for n in range(GAMES // 2):
        players = (CHEAT, [*HONEST][n % len(HONEST)])
        first, second = world.ranks(players), world.ranks(players, **{CHEAT: 5.0})
        sums = [first[player] + second[player] for player in players]
        as_one = tuple(1 + (other < own) for own, other in (sums, sums[::-1]))
        world.rate(first, (0, 0) if world.rules > 1 else ())
        world.rate(second, as_one if world.rules > 1 else ())
    return world.cheat()


def helped(world: World, third: Callable[[int], str], each: int = 1) -> Results:
    """The helper is there in ``each`` so many games, and the cheat meets anybody in the others."""
    helper = "p_29"
    for n in range(GAMES):
        other = third(n)
        if n % each:
            world.play(CHEAT, other, [*HONEST][(n + 7) % 29])
            continue
        ranks = world.ranks((CHEAT, helper, other), **{CHEAT: 6.0})
        if ranks[helper] == 1:  # it lets the cheat win
            ranks = {player: 3 if player == helper else rank - 1 for player, rank in ranks.items()}
        world.rate(ranks)
    return world.cheat() | {"found": (helper, CHEAT) in world.suspects(CHEAT)}


def helper_and_bot(world: World) -> Results:
    """At three seats, an account helps against `planner`."""
    return helped(world, lambda _: "bot_planner_0")


def helper_and_people(world: World) -> Results:
    """At three seats, an account helps against anybody."""
    return helped(world, lambda n: [*HONEST][n % 29])


def helper_now_and_then(world: World) -> Results:
    """At three seats, an account helps against anybody in every fifth game."""
    return helped(world, lambda n: [*HONEST][n % 29], each=5)


def resigning_friend(world: World) -> Results:
    """Another account, as strong, loses every fifth game of two to the cheat."""
    for n in range(GAMES):
        if n % 5:
            world.play(CHEAT, world.other(CHEAT))
        else:
            world.rate({CHEAT: 1, "p_07": 2})
    return world.cheat() | {"found": ("p_07", CHEAT) in world.suspects(CHEAT)}


ATTACKS = (like_others, against_random, random_after_proof, short_clock, ratchet, memory,
           helper_and_bot, helper_and_people, helper_now_and_then, resigning_friend)


@click.command()
@click.option("--worlds", default=20, show_default=True, help="Random worlds of each row.")
def measure(worlds: int) -> None:
    """Print what each attack comes to, by both versions of the rules."""
    def row(attack: Callable[[World], Results]) -> None:
        found = [[attack(World(rules, seed)) for seed in range(worlds)]
                 for rules in (1, RATING_RULES)]
        text = attack.__doc__.replace("\n    ", " ").rstrip(".")
        means = [[f"{mean(one[name] for one in some):.2f}" for name in found[0][0]]
                 for some in found]
        click.echo(f"| {text} | " + " | ".join(", ".join(some) for some in means) + " |")

    versions = f"version 1 | version {RATING_RULES} |\n|---|---|---|"
    click.echo(f"| honest players: order, sigma, settled | {versions}")
    row(honest)
    row(regulars)
    click.echo(f"\n| the cheat: rating, mu, rank of 35 | {versions}")
    for attack in ATTACKS:
        row(attack)


if __name__ == "__main__":
    measure()
