"""Games of two bots through the rules alone, without the service."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

from cli.offline.games import played, seen_by
from domain.board.board import Board
from domain.game.commands import CreateGame, Player
from domain.game.fold import create
from domain.game.state import State
from domain.game.view import view
from workers.bots import BOTS


class Checked:
    """A bot that is caught when it chooses an action that is not listed."""

    def __init__(self, board: Board, name: str, seed: int = 0, **options: Any):
        self.bot = BOTS[name](json.loads(json.dumps(board.described)), Random(seed), **options)

    def choose(self, view: dict) -> dict:
        action = self.bot.choose(view)
        assert action in view["you"]["legal_actions"]
        return action


def choice(bot: Checked, state: State, seat: int = 0) -> dict:
    return bot.choose(json.loads(json.dumps(view(state, seat, sealed=False))))


def new_game(board: Board, seats: tuple, deal: int, seed: int) -> State:
    """Return a new game, in which seat 0 begins, on a deal of the arena with this seed."""
    decks = Random(f"{seed} {deal}").randbytes(32)
    return create(board, CreateGame("g", "p_me", seats, decks, first_seat=0))


def play_out(state: State, bots: Sequence[Any]) -> State:
    """Return the end of a game played by bots, one for each seat."""
    while deciding := state.deciding():
        seat = deciding[0][0]
        state = played(state, seat, bots[seat].choose(seen_by(state, seat)), "here")[2]
    return state


def seat_bots(board: Board, bots: Sequence[Any], seed: int) -> State:
    """Return a new game with a seat for each bot; the first seat begins."""
    seats = tuple((Player(f"p{seat}", f"bot {seat}"), None) for seat in range(len(bots)))
    return new_game(board, seats, deal=0, seed=seed)


def match(board: Board, one: Any, other: Any, games: int, seed: int = 0) -> list[tuple[int, int]]:
    """Return the totals of two bots in each game; each deal is played twice, with seats changed."""
    totals = []
    for game in range(games):
        first = game % 2
        bots = [other, one] if first else [one, other]
        end = play_out(seat_bots(board, bots, seed + game // 2), bots)
        totals.append((end.results[first]["total"], end.results[1 - first]["total"]))
    return totals


def wins(totals: list[tuple[int, int]]) -> float:
    """Return how many games the first of two has won; a tie counts half."""
    return sum((a > b) + (a == b) / 2 for a, b in totals)
