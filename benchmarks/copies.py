"""Many stored games, made soon: copies of a few histories under other names.

What is stored is what the service would have written, chains and indexes included. The games are
short, so that a hundred thousand of them fit into memory: two choose their tickets and draw some
cards, then one resigns.
"""

from __future__ import annotations

import secrets
from copy import copy
from dataclasses import dataclass, replace
from itertools import islice
from random import Random

import orjson

from benchmarks.games import Step, create_command, random_game
from domain.board.board import Board
from domain.entry import SALT_BYTES, canonical, hash_after, new_entry
from domain.game.commands import Resign
from domain.game.fold import play
from domain.game.state import State
from service.projections import projecting
from service.store.games import GameStore, KnownGame
from service.times import as_time, now_in_ms

TURNS = 12  # entries of a game that is played
APART = 50  # milliseconds between the creations of two games
PLAYERS = 2_000  # who play them all
# of so many games one each: waits for players, is played; the others are over
EACH = 10


@dataclass(frozen=True)
class Original:
    """A game to be copied: its state at the end, and its entries."""

    state: State
    entries: list[dict]


def fill(store: GameStore, board: Board, start: int, end: int) -> None:
    """Store games with the numbers from ``start`` up to ``end``, not included. A tenth of them
    waits for players, a tenth waits for a player's turn; the others are over."""
    waits, goes_on, is_over = _originals(board)
    store.keep_table(board)
    begun = now_in_ms() - end * APART
    for number in range(start, end):
        original = {0: waits, 1: goes_on}.get(number % EACH, is_over)
        _put(store, original, number, begun + number * APART)


def _put(store: GameStore, original: Original, number: int, at: int) -> None:
    """Store a copy of a game, and file it where the service looks."""
    names = {original.state.id: f"g_{number:020x}"} | {
        player.id: f"p_{(2 * number + place) % PLAYERS:020x}"
        for place, player in enumerate(filter(None, original.state.players))}
    history, last, time = [], "", as_time(at)
    for entry in original.entries:
        text = canonical(entry | {"at": time})
        for old, new in names.items():
            text = text.replace(old.encode(), new.encode())
        last = hash_after(last, text)
        history.append((text, last))
    state = copy(original.state)
    state.id = names[state.id]
    state.players = tuple(player and replace(player, id=names[player.id])
                          for player in state.players)
    game = KnownGame(state, last, created=time, updated=time)
    if not store.put(game, history):
        raise ValueError(f"{state.id} is there already")
    projecting.project(store.redis, game)


def _originals(board: Board) -> tuple[Original, Original, Original]:
    """Return a game that waits for a player, one that is played and one that is over."""
    command = create_command(2)
    ann, _ = command.seats[0]
    waits = next(random_game(board, replace(command, seats=((ann, None), None)), Random(1)))
    steps = list(islice(random_game(board, command, Random(1)), TURNS))
    resign = Resign()
    is_over = [*steps, (0, resign, *play(steps[-1][3], 0, resign))]
    return tuple(map(_original, ([waits], steps, is_over)))


def _original(steps: list[Step]) -> Original:
    return Original(steps[-1][3], [
        orjson.loads(canonical(new_entry(
            state.version, as_time(0), events, seat=seat, action=action and action.json,
            salt=secrets.token_hex(SALT_BYTES))))
        for seat, action, events, state in steps])
