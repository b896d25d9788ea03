"""Playing bots without a service: through the rules alone, seeing just what the API would show."""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import mean

import orjson

from domain.board import Board, load, load_folder
from domain.commands import CreateGame, Player, action_from_json
from domain.errors import Refused
from domain.game import create, play
from domain.state import State
from domain.view import view
from workers.bot import Fault, NoBot, chosen, find, seated
from workers.bots import BOTS

Z = 1.96  # of the normal distribution: 95 % lie within


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
    board = _board(match.board)
    _dealt(match, board, 0, 0)
    for name in (match.bot, match.against):
        seated(_kind(name), board.described)


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
    board = _board(match.board)
    kinds = [_kind(match.bot if s == seat else match.against) for s in range(match.seats)]
    random.seed(f"{match.seed} {deal} {seat}")  # what a bot asks of it is the same each time, too
    bots = [seated(kind, board.described, Random(f"{match.seed} {deal} {s}"))
            for s, kind in enumerate(kinds)]
    state, seconds = _dealt(match, board, deal, seat), []
    while deciding := state.deciding():
        turn = deciding[0][0]
        seen = orjson.loads(orjson.dumps(view(state, turn)))
        where = f"deal {deal}, seat {turn} ({kinds[turn].__name__}), version {state.version}"
        start = time.perf_counter()
        action = chosen(bots[turn], seen, where)
        if turn == seat:
            seconds.append(time.perf_counter() - start)
        state = _after(state, turn, action, where)
    return Played(deal, seat, [result["total"] for result in state.results],
                  [result["rank"] for result in state.results], state.version - 1, seconds)


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


def wilson(wins: float, games: int) -> tuple[float, float]:
    """Return the bounds between which the true share of wins lies, with a probability of 95 %
    (Wilson's interval)."""
    share, spread = wins / games, Z * Z / games
    middle = (share + spread / 2) / (1 + spread)
    reach = Z * math.sqrt(share * (1 - share) / games + spread / games / 4) / (1 + spread)
    return max(0.0, middle - reach), min(1.0, middle + reach)


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
    seed = Random(f"{match.seed} {deal}").randbytes(32)
    return create(board, CreateGame(f"deal-{deal}", "p_me", seats, seed, first_seat=0))


def _kind(name: str) -> type:
    """Return the class of a built-in bot, or of one's own."""
    if name in BOTS:
        return BOTS[name]
    if ":" not in name:
        raise NoBot(f"{name} is neither a built-in bot ({', '.join(BOTS)}) nor module:Class")
    return find(name)


@cache
def _board(name: str) -> Board:
    """Return a board of Fogg's, or that of a file."""
    if name.endswith(".json"):
        return load(Path(name))
    boards = load_folder()
    if name not in boards:
        raise NoBoard(f"there is no board {name}; boards are {', '.join(boards)}, or a file .json")
    return boards[name]
