"""Games of players who play anything, for the benchmarks that need some."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from random import Random

from domain.board.board import Board
from domain.entry import Once
from domain.game.commands import Command, CreateGame, Player
from domain.game.events import Event
from domain.game.fold import play
from domain.game.legal import legal_actions
from domain.game.state import State
from service.games import index
from service.records import filing
from service.store.games import GameStore, KnownGame
from service.store.secret import new_id

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
    """Return the command for a game with so many players, all seated."""
    players = [Player(new_id("p"), f"player {seat}") for seat in range(seats)]
    return CreateGame(new_id("g"), players[0].id, tuple((player, None) for player in players),
                      seed or secrets.token_bytes(32))


def store_random_game(store: GameStore, board: Board, seats: int, rng: Random) -> State:
    """Play a whole game into a store, as the service would; return its end."""
    game = KnownGame(State(board))
    for seat, action, events, state in random_game(board, create_command(seats), rng):
        if action is None:
            index.announce(store.redis, state)
        was, once = game.state, Once(secrets.token_hex(16), secrets.token_hex(8))
        game, _ = store.append(game, events, state, seat=seat, action=action,
                               once=action and once)
        if action is None or state.status != was.status:
            filing.file(store.redis, game, was=was)
    return game.state
