"""The anchors' scale: their strengths from games against each other, and a model's place on it.

Strengths are in Elo: 400 points are odds of 10 to 1. `random` has 0.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

from fogg_client.bot import bot_for

from cli.bench.run import SEATS, Bench
from cli.offline.games import play_out
from cli.offline.named import bot_class_called
from cli.offline.strength import Z, effective_games
from cli.processes import results_of
from domain.game.commands import CreateGame, Player
from domain.game.fold import create

MEASURED = Path(__file__).with_name("anchors.json")  # board -> its scale
PER_FACTOR = 400 / math.log(10)  # Elo for odds of e to 1
SEARCH_MARGIN = 1200.0  # Elo beyond the anchors where a place is not looked for
DRAWS = 1.0  # games added to each pair as draws, so that none is infinitely stronger
STEPS = 60  # of a bisection


class NoScale(Exception):
    """A file holds no scale."""


@dataclass(frozen=True)
class Scale:
    """The anchors' strengths on one board."""

    board: str
    deals: int
    pairs: tuple[dict[str, Any], ...]  # one, other, games, wins of one, mean margin of one

    @property
    def ratings(self) -> dict[str, float]:
        """Elo by anchor; the first one, the weakest, has 0."""
        return _elo(self.pairs)

    @property
    def as_json(self) -> dict[str, Any]:
        """The scale in the form of its file."""
        return {"board": self.board, "deals": self.deals, "pairs": [*self.pairs],
                "elo": {name: round(elo) for name, elo in self.ratings.items()}}


def scale_in(file: Path) -> Scale:
    """Return the scale that ``fogg bench anchors --json`` has printed; raise NoScale."""
    try:
        row = json.loads(file.read_text(encoding="utf-8"))
        scale = Scale(row["board"], row["deals"], tuple(row["pairs"]))
        assert scale.ratings
    except (ValueError, LookupError, TypeError, AssertionError) as error:
        raise NoScale(f"{file} is no scale, which fogg bench anchors --json prints") from error
    return scale


def scale_of(board: str) -> Scale | None:
    """Return the measured scale of a board, None if there is none."""
    row = json.loads(MEASURED.read_text(encoding="utf-8")).get(board)
    return Scale(board, row["deals"], tuple(row["pairs"])) if row else None


def measured(bench: Bench, jobs: int) -> Iterator[dict[str, Any]]:
    """Play the anchors against each other, each deal from both seats; return the results
    as they come."""
    games = [(deal, seats) for deal in range(bench.deals)
             for pair in combinations(bench.against, SEATS) for seats in (pair, pair[::-1])]
    return results_of(_game, ((bench, *game) for game in games), jobs)


def scale_from(bench: Bench, games: Iterable[dict[str, Any]]) -> Scale:
    """Return the scale that follows from the anchors' games."""
    games, pairs = [*games], []
    for one, other in combinations(bench.against, SEATS):
        rows = [(row["win"][row["seats"].index(one)], row["margin"][row["seats"].index(one)])
                for row in games if {*row["seats"]} == {one, other}]
        if rows:
            wins, margins = map(sum, zip(*rows, strict=True))
            pairs.append({"one": one, "other": other, "games": len(rows), "wins": wins,
                          "margin": round(margins / len(rows), 1)})
    return Scale(bench.board, bench.deals, tuple(pairs))


def place(scale: Scale, rows: Iterable[dict[str, Any]]) -> dict[str, Any] | None:
    """Return a model's place on a scale, from its games against the anchors of the scale: the Elo
    that makes their results most likely, the 95 % interval of the likelihood, where a bound is None
    if no game speaks against all beyond, and the anchors next to it."""
    ratings, strengths = scale.ratings, []
    rows = [*rows]
    for anchor, elo in ratings.items():
        wins: dict[tuple, list[float]] = {}
        for row in rows:
            if row["anchor"] == anchor:
                wins.setdefault(("", row["deal"]), []).append(row["win"])
        if wins:
            strengths.append((elo, *effective_games(wins)))
    if not strengths:
        return None

    def likelihood(place: float) -> float:
        return sum(worth * (won * math.log(p) + (1 - won) * math.log(1 - p))
                   for elo, won, worth in strengths for p in [_chance(place - elo)])

    def slope(place: float) -> float:
        return sum(worth * (won - _chance(place - elo)) for elo, won, worth in strengths)

    low, high = min(ratings.values()) - SEARCH_MARGIN, max(ratings.values()) + SEARCH_MARGIN
    best = _zero(slope, low, high)
    least = likelihood(best) - Z * Z / 2
    bounds = [None if likelihood(end) > least else
              round(_zero(lambda at: likelihood(at) - least, end, best)) for end in (low, high)]
    names = sorted(ratings, key=ratings.__getitem__)
    return {"elo": round(best), "interval": bounds,
            "above": next((name for name in reversed(names) if ratings[name] <= best), None),
            "below": next((name for name in names if ratings[name] > best), None)}


def _game(bench: Bench, deal: int, seats: tuple[str, str]) -> dict[str, Any]:
    board = bench.board_of(deal)
    players = tuple((Player(f"p_{seat}", name[:40]), None) for seat, name in enumerate(seats))
    state = create(board, CreateGame("anchors", "p_0", players,
                                     bench.set.bytes_for(f"deal {deal}"), first_seat=0))
    bots = [bot_for(bot_class_called(name), board.described, Random(f"{deal} {name} {seat}"))
            for seat, name in enumerate(seats)]
    results = play_out(state, bots).results
    totals, ranks = ([result[name] for result in results] for name in ("total", "rank"))
    return {"seats": seats, "win": [(rank == 1) / ranks.count(1) for rank in ranks],
            "margin": [totals[0] - totals[1], totals[1] - totals[0]]}


def _chance(ahead: float) -> float:
    """Return the chance to win, given how much more Elo one has."""
    return 1 / (1 + math.exp(-ahead / PER_FACTOR))


def _elo(pairs: Iterable[dict[str, Any]]) -> dict[str, float]:
    """Return the Elo of each anchor by the Bradley-Terry model, fitted by minorization."""
    pairs = [*pairs]
    names = [*dict.fromkeys(name for pair in pairs for name in (pair["one"], pair["other"]))]
    strength = dict.fromkeys(names, 1.0)
    for _ in range(2000):
        wins, games = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0.0)
        for pair in pairs:
            one, other, count = pair["one"], pair["other"], pair["games"] + DRAWS
            won = pair["wins"] + DRAWS / 2
            wins[one] += won
            wins[other] += count - won
            for name in (one, other):
                games[name] += count / (strength[one] + strength[other])
        strength = {name: wins[name] / games[name] for name in names}
        strength = {name: value / strength[names[0]] for name, value in strength.items()}
    return {name: PER_FACTOR * math.log(value) for name, value in strength.items()}


def _zero(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a monotone function is zero; the end next to it if it is nowhere."""
    rising = function(high) > function(low)
    for _ in range(STEPS):
        middle = (low + high) / 2
        if (function(middle) < 0) == rising:
            low = middle
        else:
            high = middle
    return (low + high) / 2
