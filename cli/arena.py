"""Many bots against each other, offline: everybody meets everybody, and a table says who is better.

What is independent in an arena is a deal, so all bounds are counted by deals. With duplicates each
deal is played once in every rotation of its seats, and as a bot holds every hand of a deal in turn,
the luck of the cards cancels within it.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from multiprocessing import get_context
from random import Random
from statistics import mean
from typing import Any

from fogg_client.bot import Fault, NoBot, bot_for

from cli.offline import board_called, kind_called, new_game, one_on
from cli.strength import Mean, clustered, share
from domain.game.commands import Player, Resign
from domain.game.fold import play
from domain.game.state import State
from domain.skill import rated
from workers.bots import BOTS


@dataclass(frozen=True)
class Game:
    """A game to be played: its place in the order of all, and who sits on each seat."""

    number: int
    board: str
    deal: int
    table: int
    bots: tuple[str, ...]


@dataclass(frozen=True)
class Arena:
    """What is to be played: on each board, every table of so many of the bots so many games.

    With fewer bots than seats a table repeats them in turn. ``games`` are rounded up to whole
    rounds of the seats; deals and seatings are the same for every table.
    """

    bots: tuple[str, ...]
    boards: tuple[str, ...] = ("usa",)
    games: int = 100
    seats: int = 2
    duplicate: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        if len(set(self.bots)) < max(2, len(self.bots)):
            raise NoBot("an arena takes two bots or more, all of different names")

    @cached_property
    def tables(self) -> list[tuple[str, ...]]:
        """Who sits together."""
        if self.seats <= len(self.bots):
            return list(combinations(self.bots, self.seats))
        around = self.bots * self.seats
        uneven = self.seats % len(self.bots)
        return [around[first : first + self.seats]
                for first in range(len(self.bots) if uneven else 1)]

    @cached_property
    def schedule(self) -> list[Game]:
        """All games, in the order in which ratings take them in: deal by deal."""
        rounds = -(-self.games // self.seats)
        found: list[Game] = []
        for board in self.boards:
            for turn in range(rounds * self.seats):
                deal, rotation = turn // self.seats if self.duplicate else turn, turn % self.seats
                found += [Game(len(found) + n, board, deal, n, table[rotation:] + table[:rotation])
                          for n, table in enumerate(self.tables)]
        return found


@dataclass(frozen=True)
class Result:
    """What came of a game. ``fault`` is (seat, what it did) where a bot did what it may not: it has
    lost, and totals are none. ``seconds`` and ``decisions`` are counted by seat."""

    game: Game
    ranks: tuple[int, ...]
    totals: tuple[int, ...] | None
    seconds: tuple[float, ...]
    slowest: tuple[float, ...]
    decisions: tuple[int, ...]
    fault: tuple[int, str] | None = None

    def shares(self) -> list[tuple[str, float]]:
        """Return (bot, its share of the victory) for each seat."""
        winners = self.ranks.count(1)
        return [(bot, (rank == 1) / winners)
                for bot, rank in zip(self.game.bots, self.ranks, strict=True)]

    def margins(self) -> list[tuple[str, float]]:
        """Return (bot, its total less the mean of the others') for each seat; none after a
        fault."""
        if self.totals is None:
            return []
        others = len(self.totals) - 1
        return [(bot, total - (sum(self.totals) - total) / others)
                for bot, total in zip(self.game.bots, self.totals, strict=True)]


def check(arena: Arena) -> None:
    """Raise NoBot, NoBoard, BrokenTable or Refused where an arena cannot be played."""
    for game in arena.schedule[:: max(1, len(arena.schedule) // len(arena.boards))]:
        start(arena, game)
    for board in arena.boards:
        for name in arena.bots:
            bot_for(kind_called(name), board_called(board).described)


def played(arena: Arena, jobs: int = 1) -> Iterator[Result]:
    """Yield the results as they come; what they are does not depend on ``jobs``, unless a bot looks
    at the clock."""
    if jobs == 1:
        for game in arena.schedule:
            yield play_game(arena, game)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting = [pool.submit(play_game, arena, game) for game in arena.schedule]
        try:
            for done in as_completed(waiting):
                yield done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def start(arena: Arena, game: Game) -> State:
    """Return a game's beginning: its decks are those of every game on this deal."""
    seats = tuple((Player(f"p_{seat}", bot[:40], bot if bot in BOTS else None), None)
                  for seat, bot in enumerate(game.bots))
    return new_game(board_called(game.board), seats, game.deal, arena.seed)


def play_game(arena: Arena, game: Game) -> Result:
    """Play one game. A bot that does what it may not leaves it, and so ranks last."""
    state, took = start(arena, game), [[] for _ in game.bots]
    where = f"{arena.seed} {game.board} {game.deal} {' '.join(game.bots)}"
    random.seed(where)  # what a bot asks of it is the same each time, too
    bots = [bot_for(kind_called(name), state.board.described, Random(f"{where} {seat}"))
            for seat, name in enumerate(game.bots)]
    fault = None
    while deciding := state.deciding():
        seat = deciding[0][0]
        try:
            state = one_on(state, seat, bots[seat], lambda s, seconds: took[s].append(seconds))
        except Fault as error:
            fault = fault or (seat, f"{game.board}: {error}")
            state = play(state, seat, Resign())[1]
    totals = None if fault else tuple([result["total"] for result in state.results])
    return Result(game, tuple([result["rank"] for result in state.results]), totals,
                  tuple(map(sum, took)), tuple([max(row, default=0) for row in took]),
                  tuple(map(len, took)), fault)


def standings(arena: Arena, results: Iterable[Result]) -> dict:
    """Return who is how strong, overall and on each board, for people and programs: a row for each
    bot, the best mean margin first, each with what separates it from the next."""
    results = sorted(results, key=lambda result: result.game.number)
    parts = {board: [r for r in results if r.game.board == board] for board in arena.boards}
    return {
        "boards": list(arena.boards), "seats": arena.seats, "duplicate": arena.duplicate,
        "seed": arena.seed, "games": len(results),
        "deals": len({(r.game.board, r.game.deal) for r in results}),
        "faults": [{"bot": r.game.bots[r.fault[0]], "what": r.fault[1]}
                   for r in results if r.fault],
        "overall": _rows(arena.bots, results),
        "by_board": {board: _rows(arena.bots, part) for board, part in parts.items()},
    }


def _rows(bots: tuple[str, ...], results: list[Result]) -> list[dict]:
    """Return the standings after some results."""
    wins, margins = _by_deal(results, Result.shares), _by_deal(results, Result.margins)
    ratings = rated(_ranks(result) for result in results)
    rows = [_row(bot, results, share(wins[bot]), _mean(margins[bot]), ratings[bot])
            for bot in bots]
    rows.sort(key=lambda row: (-row["margin"], -row["win_share"]))
    for row, other in pairwise(rows):
        gap = _mean(_gaps(margins, row["bot"], other["bot"]))
        row["before_next"] = _told(gap) | {"certain": gap.is_not_zero and gap.value > 0}
    return rows


def _row(bot: str, results: list[Result], won: Mean, margin: Mean, rating: tuple) -> dict:
    seats = [(r, seat) for r in results for seat, name in enumerate(r.game.bots) if name == bot]
    totals = [r.totals[seat] for r, seat in seats if r.totals]
    decisions = sum(r.decisions[seat] for r, seat in seats)
    return {
        "bot": bot, "games": len(seats), "wins": round(won.value * len(seats), 3),
        "win_share": round(won.value, 4), "win_interval": [round(won.low, 4), round(won.high, 4)],
        "mean_total": round(mean(totals), 1) if totals else None,
        "margin": round(margin.value, 2), "margin_interval": _told(margin)["interval"],
        "mu": round(rating[0], 2), "sigma": round(rating[1], 2),
        "faults": sum(bool(r.fault) and r.fault[0] == seat for r, seat in seats),
        "ms_per_decision": round(1000 * sum(r.seconds[s] for r, s in seats) / max(1, decisions), 2),
        "slowest_ms": round(1000 * max(r.slowest[seat] for r, seat in seats), 1),
    }


def _by_deal(results: list[Result], values: Any) -> dict[str, dict[tuple, list[float]]]:
    """Return what each bot had in each deal, a number for each seat that it sat on."""
    found: dict = defaultdict(lambda: defaultdict(list))
    for result in results:
        for bot, value in values(result):
            found[bot][result.game.board, result.game.deal].append(value)
    return found


def _gaps(margins: dict, one: str, other: str) -> dict[tuple, list[float]]:
    """Return how far apart two bots' mean margins are in each deal that both played."""
    return {deal: [mean(margins[one][deal]) - mean(margins[other][deal])]
            for deal in margins[one] if deal in margins[other]}


def _mean(values: dict) -> Mean:
    return clustered(values) if values else Mean(0.0, None, None)


def _told(found: Mean) -> dict:
    """Return a mean as JSON."""
    bounds = None if found.low is None else [round(found.low, 2), round(found.high, 2)]
    return {"margin": round(found.value, 2), "interval": bounds}


def _ranks(result: Result) -> dict[str, float]:
    """Return the rank of each bot, the mean of its seats' ranks."""
    ranks = defaultdict(list)
    for bot, rank in zip(result.game.bots, result.ranks, strict=True):
        ranks[bot].append(rank)
    return {bot: mean(row) for bot, row in ranks.items()}


def table(shown: dict) -> str:
    """Return standings as lines for a terminal."""
    deals = "each deal in every rotation of the seats" if shown["duplicate"] else "each on its deal"
    lines = [f"{shown['games']} games, {shown['deals']} deals, {shown['seats']} seats; {deals}"]
    parts = shown["by_board"]
    if len(parts) > 1:
        parts = parts | {"all boards": shown["overall"]}
    for name, rows in parts.items():
        lines += ["", name, *_columns(rows), "", *_neighbours(rows)]
    for fault in shown["faults"]:
        lines += ["", f"{fault['bot']} lost a game by a fault: {fault['what']}"]
    return "\n".join(lines)


HEADINGS = ("bot", "games", "wins", "won %", "95 % sure", "total", "margin", "95 % sure", "mu",
            "sigma", "faults", "ms")


def _columns(rows: list[dict]) -> list[str]:
    cells = [HEADINGS, *(_cells(row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(cell.rjust(width) if place else cell.ljust(width) for place, (cell, width)
                      in enumerate(zip(line, widths, strict=True))).rstrip() for line in cells]


def _cells(row: dict) -> tuple[str, ...]:
    low, high = (100 * bound for bound in row["win_interval"])
    total = "-" if row["mean_total"] is None else f"{row['mean_total']:.1f}"
    return (row["bot"], str(row["games"]), f"{row['wins']:g}", f"{100 * row['win_share']:.1f}",
            f"{low:.1f} to {high:.1f}", total, f"{row['margin']:+.1f}",
            _bounds(row["margin_interval"]), f"{row['mu']:.1f}", f"{row['sigma']:.1f}",
            str(row["faults"]), f"{row['ms_per_decision']:.1f}")


def _neighbours(rows: list[dict]) -> list[str]:
    """Return a line for each two neighbours: whether they are certainly of different strength."""
    return [
        f"{one['bot']} {'is stronger than' if gap['certain'] else 'may be no stronger than'} "
        f"{other['bot']}: margins {gap['margin']:.1f} apart ({_bounds(gap['interval'])})"
        for one, other in pairwise(rows) for gap in [one["before_next"]]
    ]


def _bounds(interval: list[float] | None) -> str:
    return "one deal" if interval is None else f"{interval[0]:+.1f} to {interval[1]:+.1f}"
