"""Random games, for tests and benchmarks, and a way to store one as the service would."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Iterator
from random import Random

from domain.board.board import Board
from domain.entry import IdempotencyKey
from domain.game.commands import Command, CreateGame, Player
from domain.game.events import Event
from domain.game.fold import play
from domain.game.legal import legal_actions
from domain.game.state import State
from service.eventlog.idempotency import idempotency_key
from service.eventlog.store import NewEntry
from service.games import listing
from service.games.store import GameStore, LoadedGame
from service.redis.secret import new_id

Step = tuple[int | None, Command | None, list[Event], State]


def random_game(board: Board, create: CreateGame, rng: Random) -> Iterator[Step]:
    """Yield (seat, action, events, state) for every entry of a game, the creation first."""
    events, state = play(State(board), None, create)
    yield None, None, events, state
    while deciding := state.deciding():
        seat = deciding[0][0]
        action = rng.choice(legal_actions(state, seat))
        events, state = play(state, seat, action)
        yield seat, action, events, state


def create_command(seats: int, seed: bytes | None = None) -> CreateGame:
    """Return the command that creates a game in which every seat is taken."""
    players = [Player(new_id("p"), f"player {seat}") for seat in range(seats)]
    return CreateGame(
        new_id("g"),
        players[0].id,
        tuple((player, None) for player in players),
        seed or secrets.token_bytes(32),
    )


def _once(state: State, seat: int | None, action: Command | None) -> IdempotencyKey | None:
    """Return a new idempotency key for an action, in the form that the service stores."""
    if seat is None or action is None:
        return None
    player = state.players[seat]
    return idempotency_key(player.id if player else "", uuid.uuid4().hex, "action", action.json)


def store_random_game(
    store: GameStore, board: Board, seats: int, rng: Random, create: CreateGame | None = None
) -> State:
    """Store a whole random game as the service would; return its final state."""
    game, create = LoadedGame(State(board)), create or create_command(seats)
    for seat, action, events, state in random_game(board, create, rng):
        was, once = game.state, _once(game.state, seat, action)
        game, _ = store.append(game, NewEntry(events, state, seat, action, once=once))
        if action is None or state.status != was.status:
            listing.project(store, game, was=was)
    return game.state
