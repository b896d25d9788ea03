"""Playing bots without a service: through the rules alone, seeing just what the API would show."""

from __future__ import annotations

import inspect
import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

import orjson
from fogg_client.bot import Fault, NoBot, bot_class, bot_for, choice_of

from cli.strength import wilson
from domain.board.board import Board, load, load_folder
from domain.errors import Refused
from domain.game.commands import CreateGame, Player, action_from_json
from domain.game.fold import create, play
from domain.game.state import State
from domain.game.view import view
from workers.bots import BOTS


class NoBoard(Exception):
    """There is no such board; the message says which there are."""


@dataclass(frozen=True)
class Match:
    """What is to be played: a bot against others of one kind. Each deal is played from each seat,
    so that neither the cards nor the order of play favour anybody."""

    bot: str
    against: str = "planner"
    board: str = "usa"
    seats: int = 2
    deals: int = 50
    seed: int = 0

    def games(self) -> list[tuple[int, int]]:
        """Return (deal, the bot's seat) of each game."""
        return [(deal, seat) for deal in range(self.deals) for seat in range(self.seats)]


@dataclass(frozen=True)
class Played:
    """A game that was played to its end; ``seconds`` are those of the bot's decisions."""

    deal: int
    seat: int
    totals: list[int]
    ranks: list[int]
    actions: int
    seconds: list[float]

    @property
    def won(self) -> float:
        """The bot's share of the victory: 1, 0, or a part of one that is shared."""
        return (self.ranks[self.seat] == 1) / self.ranks.count(1)


def check(match: Match) -> None:
    """Raise NoBot, NoBoard, BrokenTable or Refused where a match cannot be played."""
    board = board_called(match.board)
    _dealt(match, board, 0, 0)
    for name in (match.bot, match.against):
        bot_for(kind_called(name), board.described)


def played(match: Match, jobs: int = 1) -> Iterator[Played]:
    """Yield the games of a match as they end; the same seed gives the same games."""
    if jobs == 1:
        yield from (play_game(match, *game) for game in match.games())
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting = [pool.submit(play_game, match, *game) for game in match.games()]
        try:
            for done in as_completed(waiting):
                yield done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def play_game(match: Match, deal: int, seat: int) -> Played:
    """Play one game; raise Fault when a bot does what it may not."""
    board = board_called(match.board)
    kinds = [kind_called(match.bot if s == seat else match.against) for s in range(match.seats)]
    random.seed(f"{match.seed} {deal} {seat}")  # what a bot asks of it is the same each time, too
    bots = [bot_for(kind, board.described, Random(f"{match.seed} {deal} {s}"))
            for s, kind in enumerate(kinds)]
    seconds: list[list[float]] = [[] for _ in bots]
    end = play_out(_dealt(match, board, deal, seat), bots, lambda s, took: seconds[s].append(took))
    return Played(deal, seat, [result["total"] for result in end.results],
                  [result["rank"] for result in end.results], end.version - 1, seconds[seat])


def play_out(state: State, bots: Sequence[Any],
             watch: Callable[[int, float], object] = lambda seat, seconds: None) -> State:
    """Return the end of a game that bots play, one for each seat; raise Fault when one does what it
    may not. ``watch`` is told who has decided, and in how many seconds."""
    while deciding := state.deciding():
        seat = deciding[0][0]
        state = one_on(state, seat, bots[seat], watch)
    return state


def one_on(state: State, seat: int, bot: Any, watch: Callable[[int, float], object]) -> State:
    """Return the state after what a bot chooses, which is shown what the API would show it."""
    seen = orjson.loads(orjson.dumps(view(state, seat)))
    where = f"{state.id}, seat {seat} ({type(bot).__name__}), version {state.version}"
    start = time.perf_counter()
    action = choice_of(bot, seen, where)
    watch(seat, time.perf_counter() - start)
    return _after(state, seat, action, where)


def summary(match: Match, games: list[Played], seconds: float) -> dict:
    """Return what a match has shown, for people and programs; it took so many seconds."""
    wins, count = sum(game.won for game in games), len(games)
    mine = [game.totals[game.seat] for game in games]
    others = [total for game in games for seat, total in enumerate(game.totals)
              if seat != game.seat]
    thinking = [second for game in games for second in game.seconds]
    low, high = wilson(wins, count)
    return {
        "bot": match.bot, "against": match.against, "board": match.board, "seats": match.seats,
        "seed": match.seed, "games": count, "wins": round(wins, 3),
        "win_share": round(wins / count, 4), "interval": [round(low, 4), round(high, 4)],
        "mean_total": round(mean(mine), 1), "mean_total_against": round(mean(others), 1),
        "decisions": len(thinking), "ms_per_decision": round(mean(thinking) * 1000, 3),
        "slowest_ms": round(max(thinking) * 1000, 1), "actions": sum(g.actions for g in games),
        "games_per_second": round(count / seconds, 2),
    }


def _after(state: State, seat: int, action: dict, where: str) -> State:
    try:
        return play(state, seat, action_from_json(action))[1]
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise Fault(where, f"this is no action: {error}", json.dumps(action)) from error
    except Refused as refused:
        raise Fault(where, f"illegal action ({refused.code}, rule {refused.rule}): {refused}",
                    json.dumps(action)) from refused


def _dealt(match: Match, board: Board, deal: int, seat: int) -> State:
    """Return a new game; what its players are called is as the service would show it."""
    bot = match.against if match.against in BOTS else None
    seats = tuple((Player("p_me", match.bot.rpartition(":")[2]) if s == seat else
                   Player(f"bot_{match.against}_{s}", match.against, bot), None)
                  for s in range(match.seats))
    return new_game(board, seats, deal, match.seed)


def new_game(board: Board, seats: tuple, deal: int, seed: int) -> State:
    """Return a new game whose decks are those of a deal, whoever sits where; seat 0 begins."""
    decks = Random(f"{seed} {deal}").randbytes(32)
    return create(board, CreateGame(f"deal-{deal}", "p_me", seats, decks, first_seat=0))


def kind_called(name: str) -> type:
    """Return the class of a built-in bot, or of one's own. ``name@1.5`` is one that is given 1.5
    seconds for each decision, if it asks for ``seconds``."""
    name, at, level = name.partition("@")
    if name in BOTS:
        kind = BOTS[name]
    elif ":" in name:
        kind = bot_class(name)
    else:
        raise NoBot(f"{name} is neither a built-in bot ({', '.join(BOTS)}) nor module:Class")
    return _timed(kind, name, level) if at else kind


def _timed(kind: type, name: str, level: str) -> type:
    """Return the class whose bots have so many seconds for a decision."""
    try:
        seconds = float(level)
    except ValueError:
        seconds = 0
    if not 0 < seconds < float("inf"):
        raise NoBot(f"{name}@{level}: the level is a number of seconds, such as {name}@0.5")
    if [*inspect.signature(kind).parameters][:3] != ["board", "rng", "seconds"]:
        raise NoBot(f"{name} has no levels: it is not made from (board, rng, seconds)")

    def __init__(self, board: dict, rng: Random):
        kind.__init__(self, board, rng, seconds)

    return type(kind.__name__, (kind,), {"__init__": __init__})


@cache
def board_called(name: str) -> Board:
    """Return a board of Fogg's, or that of a file."""
    if name.endswith(".json"):
        return load(Path(name))
    boards = load_folder()
    if name not in boards:
        raise NoBoard(f"there is no board {name}; boards are {', '.join(boards)}, or a file .json")
    return boards[name]
