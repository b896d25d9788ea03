"""A round robin of many bots, offline; a table ranks them.

Only deals are independent samples, so all bounds are computed per deal. With duplicates each deal
is played once in every rotation of its seats. A bot then holds every hand of a deal in turn, and
the luck of the cards cancels.
"""

import random
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from errno import ENOSPC
from functools import cached_property
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

from fogg_client.bot import Fault, NoBot, bot_for

from cli.offline.games import Game
from cli.offline.named import board_called, bot_class_called, check_boards, policies_among
from cli.offline.programs import Limits, Program
from cli.processes import results_of, signals_put_off


@dataclass(frozen=True)
class Fixture:
    """A game to play: its index in the schedule, and the bot on each seat."""

    number: int
    board: str
    deal: int
    bots: tuple[str, ...]


@dataclass(frozen=True)
class Arena:
    """The settings of an arena: every combination of bots plays so many games on each board. With
    ``against``, each bot plays only with combinations of those.

    With fewer bots than seats a table repeats them in turn. ``games`` are rounded up to whole
    rounds of the seats; deals and seatings are the same for every table. Histories are added to
    the file ``out``. A ``strict`` arena ends with the first fault.
    """

    bots: tuple[str, ...]
    boards: tuple[str, ...] = ("usa",)
    games: int = 100
    seats: int = 2
    duplicate: bool = False
    seed: int = 0
    limits: Limits = field(default_factory=Limits)  # of bots that are programs
    against: tuple[str, ...] = ()
    out: Path | None = None
    strict: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return self.bots + self.against

    @cached_property
    def tables(self) -> list[tuple[str, ...]]:
        """The combinations of bots that sit together."""
        if self.against:
            rivals = _combinations(self.against, self.seats - 1)
            return [(bot, *some) for bot in self.bots for some in rivals]
        return _combinations(self.bots, self.seats)

    @cached_property
    def policies(self) -> Mapping[str, Any]:
        """The policies in files, by the names of their bots, read once for all games."""
        return policies_among({*self.names})

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for other processes: with the policies, without the schedule."""
        known = vars(self) | {"policies": self.policies}
        known.pop("schedule", None)
        return known

    @cached_property
    def schedule(self) -> list[Fixture]:
        """All games, deal by deal: the order in which ratings count them."""
        rounds = -(-self.games // self.seats)
        fixtures: list[Fixture] = []
        for board in self.boards:
            for turn in range(rounds * self.seats):
                deal, rotation = turn // self.seats if self.duplicate else turn, turn % self.seats
                seated = [table[rotation:] + table[:rotation] for table in self.tables]
                fixtures += [
                    Fixture(len(fixtures) + n, board, deal, bots) for n, bots in enumerate(seated)
                ]
        return fixtures


@dataclass(frozen=True)
class Result:
    """The result of a game. ``faults`` has (seat, fault) for each bot that acted illegally or could
    not be made, ``resigned`` the seats that resigned: they have lost, and there are no totals.
    ``seconds`` and ``decisions`` are counted by seat. ``history`` is empty unless the arena keeps
    it."""

    game: Fixture
    ranks: tuple[int, ...]
    totals: tuple[int, ...] | None
    seconds: tuple[float, ...]
    slowest: tuple[float, ...]
    decisions: tuple[int, ...]
    faults: tuple[tuple[int, str], ...] = ()
    resigned: tuple[int, ...] = ()
    history: bytes = b""

    def shares(self) -> list[tuple[str, float]]:
        """Return (bot, its share of the victory) for each seat."""
        winners = self.ranks.count(1)
        return [
            (bot, (rank == 1) / winners)
            for bot, rank in zip(self.game.bots, self.ranks, strict=True)
        ]

    def victories(self) -> list[tuple[str, float]]:
        """Return (bot, its share of the victory) for each bot."""
        shares = self.shares()
        return [
            (bot, sum(won for other, won in shares if other == bot))
            for bot in dict.fromkeys(self.game.bots)
        ]

    def margins(self) -> list[tuple[str, float]]:
        """Return (bot, its total minus the others' mean) for each seat; empty without totals."""
        if self.totals is None:
            return []
        others = len(self.totals) - 1
        return [
            (bot, total - (sum(self.totals) - total) / others)
            for bot, total in zip(self.game.bots, self.totals, strict=True)
        ]


def check(arena: Arena) -> None:
    """Raise NoBot, NoBoard, BrokenTable or Refused if an arena cannot be played."""
    for game in arena.schedule[:: max(1, len(arena.schedule) // len(arena.boards))]:
        start(arena, game)
    check_boards(arena.names, map(board_called, arena.boards))
    for board in arena.boards:
        for name in arena.names:
            _bot(arena, name, board_called(board).described)


def results(arena: Arena, jobs: int = 1) -> Iterator[Result]:
    """Return the results as they come. They depend on ``jobs`` only if a bot reads the clock."""
    played = results_of(play_game, ((arena, game) for game in arena.schedule), jobs)
    return _kept(played, arena.out) if arena.out else played


def _kept(results: Iterable[Result], out: Path) -> Iterator[Result]:
    """Add the history of each game to a file as it ends; yield the results without them. Raise
    OSError if a game does not fit on the disk."""
    with out.open("ab", buffering=0) as file:
        for result in results:
            with signals_put_off():
                if (part := file.write(result.history)) < len(result.history):
                    file.truncate(file.tell() - part)
                    raise OSError(ENOSPC, "no room for another game", str(out))
            yield replace(result, history=b"")


def start(arena: Arena, game: Fixture) -> Game:
    """Return a game that begins; all games on this deal have the same decks."""
    return Game(board_called(game.board), game.bots, game.deal, arena.seed)


def play_game(arena: Arena, fixture: Fixture) -> Result:
    """Play one game. A bot that resigns, acts illegally or cannot be made leaves it, and so ranks
    last."""
    game, faults = start(arena, fixture), dict[int, str]()
    where = f"{arena.seed} {fixture.board} {fixture.deal} {' '.join(fixture.bots)}"
    random.seed(where)  # bots that use the global generator repeat, too
    bots = dict[int, Any]()  # by seat, each made for its first decision
    with ExitStack() as ends:
        while deciding := game.state.deciding():
            seat = deciding[0][0]
            try:
                if seat not in bots:
                    rng = Random(f"{where} {seat}")
                    bots[seat] = _bot(arena, fixture.bots[seat], game.state.board.described, rng)
                    if isinstance(bots[seat], Program):
                        ends.callback(bots[seat].close)
                game.decide(seat, bots[seat])
            except (Fault, NoBot) as error:
                if arena.strict:
                    raise
                faults[seat] = f"{fixture.board}: {error}"
                game.resign(seat)
    return _result(fixture, game, faults, b"" if arena.out is None else game.history())


def _bot(arena: Arena, name: str, board: dict, rng: Random | None = None) -> Any:
    """Return a bot for a seat; raise Fault or NoBot if it cannot be made."""
    return bot_for(bot_class_called(name, arena.limits, arena.policies), board, rng)


def _result(fixture: Fixture, game: Game, faults: dict[int, str], history: bytes) -> Result:
    state, took = game.state, game.seconds
    left = [seat for seat in state.seats if state.left[seat]]
    return Result(
        fixture,
        ranks=tuple([result["rank"] for result in state.results]),
        totals=None if left else tuple([result["total"] for result in state.results]),
        seconds=tuple(map(sum, took)),
        slowest=tuple([max(row, default=0) for row in took]),
        decisions=tuple(map(len, took)),
        faults=tuple(faults.items()),
        resigned=tuple([seat for seat in left if seat not in faults]),
        history=history,
    )


def _combinations(bots: tuple[str, ...], seats: int) -> list[tuple[str, ...]]:
    """Return the combinations of bots on so many seats; too few bots are repeated in turn."""
    if seats <= len(bots):
        return list(combinations(bots, seats))
    around, is_uneven = bots * seats, seats % len(bots)
    return [around[first : first + seats] for first in range(len(bots) if is_uneven else 1)]
