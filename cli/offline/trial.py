"""A bot tried offline against other bots of one kind."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from statistics import mean
from typing import Any

from fogg_client.bot import bot_for

from cli.offline.games import new_game, play_out
from cli.offline.named import board_called, bot_class_called, check_boards, policies_among
from cli.offline.strength import wilson
from cli.processes import results_of
from domain.board.board import Board
from domain.game.commands import Player
from domain.game.state import State
from workers.bots import BOTS


@dataclass(frozen=True)
class Match:
    """The settings of a trial: a bot against others of one kind. Each deal is played from each
    seat, so that neither cards nor the order of play favour a bot."""

    bot: str
    against: str = "planner"
    board: str = "usa"
    seats: int = 2
    deals: int = 50
    seed: int = 0

    @cached_property
    def policies(self) -> Mapping[str, Any]:
        """The policies in files, by the names of their bots, read once for all games."""
        return policies_among({self.bot, self.against})

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for other processes, with the policies."""
        return vars(self) | {"policies": self.policies}

    def games(self) -> list[tuple[int, int]]:
        """Return (deal, the bot's seat) of each game."""
        return [(deal, seat) for deal in range(self.deals) for seat in range(self.seats)]


@dataclass(frozen=True)
class TrialGame:
    """A game that was played to its end; ``seconds`` are the bot's own."""

    deal: int
    seat: int
    totals: list[int]
    ranks: list[int]
    actions: int
    seconds: list[float]

    @property
    def won(self) -> float:
        """The bot's share of the victory: 1, 0, or a part of a shared one."""
        return (self.ranks[self.seat] == 1) / self.ranks.count(1)


def check(match: Match) -> None:
    """Raise NoBot, NoBoard, BrokenTable or Refused if a match cannot be played."""
    board = board_called(match.board)
    _beginning(match, board, 0, 0)
    check_boards((match.bot, match.against), [board])
    for name in (match.bot, match.against):
        bot_for(bot_class_called(name, policies=match.policies), board.described)


def trial_games(match: Match, jobs: int = 1) -> Iterator[TrialGame]:
    """Return the games of a match as they end; the same seed gives the same games."""
    return results_of(play_game, ((match, *game) for game in match.games()), jobs)


def play_game(match: Match, deal: int, seat: int) -> TrialGame:
    """Play one game; raise Fault if a bot acts illegally."""
    board = board_called(match.board)
    names = [match.bot if s == seat else match.against for s in range(match.seats)]
    random.seed(f"{match.seed} {deal} {seat}")  # bots that use the global generator repeat, too
    kinds = [bot_class_called(name, policies=match.policies) for name in names]
    bots = [bot_for(kind, board.described, Random(f"{match.seed} {deal} {s}"))
            for s, kind in enumerate(kinds)]
    seconds: list[list[float]] = [[] for _ in bots]
    end = play_out(_beginning(match, board, deal, seat), bots,
                   lambda s, took: seconds[s].append(took))
    return TrialGame(deal, seat, [result["total"] for result in end.results],
                     [result["rank"] for result in end.results], end.version - 1, seconds[seat])


def summary(match: Match, games: list[TrialGame], seconds: float) -> dict:
    """Return the result of a match as JSON members; ``seconds`` is the time that it took."""
    wins, count = sum(game.won for game in games), len(games)
    mine = [game.totals[game.seat] for game in games]
    others = [total for game in games for seat, total in enumerate(game.totals)
              if seat != game.seat]
    thinking = [second for game in games for second in game.seconds]
    low, high = wilson(wins, count)
    return {
        "bot": match.bot, "against": match.against, "board": match.board, "seats": match.seats,
        "seed": match.seed, "games": count, "complete": count == len(match.games()),
        "wins": round(wins, 3),
        "win_share": round(wins / count, 4), "interval": [round(low, 4), round(high, 4)],
        "mean_total": round(mean(mine), 1), "mean_total_against": round(mean(others), 1),
        "decisions": len(thinking), "ms_per_decision": round(mean(thinking) * 1000, 3),
        "slowest_ms": round(max(thinking) * 1000, 1), "actions": sum(g.actions for g in games),
        "games_per_second": round(count / seconds, 2),
    }


def _beginning(match: Match, board: Board, deal: int, seat: int) -> State:
    """Return a new game; players have the names that the service would show."""
    bot = match.against if match.against in BOTS else None
    seats = tuple((Player("p_me", match.bot.rpartition(":")[2]) if s == seat else
                   Player(f"bot_{match.against}_{s}", match.against, bot), None)
                  for s in range(match.seats))
    return new_game(board, seats, deal, match.seed)


