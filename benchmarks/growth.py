"""Measures requests as the number of stored games grows.

The yardstick is the same service with the fewest games. Processor time of the web process and Redis
is compared, as the time of the disk varies.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle, islice
from random import Random
from typing import Annotated

import orjson

from benchmarks.http import GAMES, Couple
from benchmarks.runner import Clients, Rounds, Seconds, by_turns, command, ratio
from benchmarks.services import processor_seconds, service
from benchmarks.wire import drive, get
from domain.board.board import Board
from domain.boards import load_folder
from domain.entry import SALT_BYTES, canonical, hash_after, new_entry
from domain.game.commands import Resign
from domain.game.fold import play
from domain.game.state import State
from service.operation.redis import connect
from service.operation.stack import Stack
from service.projections import projecting
from service.store.games import GameStore, LoadedGame
from service.times import as_time, now_in_ms
from tests import processes
from tests.games import Step, create_command, random_game

AT_MOST = 1.2
IDLE = "doing nothing"
IDLE_SECONDS = 10
JOINS = 40  # for each connection and turn
SETTLE = 5  # seconds in which the service indexes new games
ENTRIES = 12  # of a stored game: 100,000 such games fit into memory
INTERVAL_MS = 50  # between the creations of two stored games
PLAYERS = 2_000


def measure(
    sizes: Annotated[str, "Numbers of stored games, separated by commas."] = "1000,10000,100000",
    rounds: Rounds = 3, seconds: Seconds = 2.0, clients: Clients = 8,
) -> dict:
    """Return the processor time of requests with each number of stored games, compared with the
    fewest."""
    board, numbers = load_folder()["usa"], [int(size) for size in sizes.split(",")]
    rows, figures = [], {}
    with service() as few, service() as many:
        _fill(few, board, 0, numbers[0])
        old, new = (Requests(stack, board, seconds, clients) for stack in (few, many))
        stored = 0
        for size in numbers:
            memory = _fill(many, board, stored, size)
            stored = size
            figures[f"{size:,} games, Redis' memory, MB"] = memory / 1e6
            for what in old.kinds:
                ours, yardstick = by_turns(rounds, partial(new.cost, what), partial(old.cost, what))
                unit = "ms a second" if what == IDLE else "ms a request"
                rows.append(ratio(f"{what}, {size:,} games", unit, ours, yardstick,
                                  at_most=AT_MOST))
    return {"benchmark": "growth", "yardstick": f"the same with {numbers[0]:,} games",
            "ratios": rows, "figures": figures}


class Requests:
    """Several kinds of requests to one service."""

    def __init__(self, stack: Stack, board: Board, seconds: float, clients: int):
        self._stack, self._seconds = stack, seconds
        players, visitors, readers = (
            [Couple(stack.url, board) for _ in range(clients)] for _ in range(3))
        for couple in readers:
            couple.requests(1)  # a game in which it is their turn
        self._tokens = [couple.tokens[0] for couple in readers]
        self.kinds: dict[str, Callable[[], list[Iterable[bytes]]]] = {
            "an action": lambda: [couple.requests(GAMES) for couple in players],
            "joining": lambda: [couple.joins(JOINS) for couple in visitors],
            "a page of games": lambda: self._always("/v1/games"),
            "a page of lobbies": lambda: self._always("/v1/games?status=lobby"),
            "a page of a player's games": lambda: self._always("/v1/games?player=me"),
            "the notices of an account": lambda: self._always("/v1/me/events"),
            IDLE: list,
        }

    def cost(self, what: str) -> float:
        """Return the milliseconds of processor time for a request, or for an idle second."""
        scripts, before = self.kinds[what](), self._used()
        if not scripts:
            time.sleep(IDLE_SECONDS)
            return 1000 * (self._used() - before) / IDLE_SECONDS
        answers = len(drive(self._stack.url, scripts, self._seconds).latencies)
        return 1000 * (self._used() - before) / answers

    def _always(self, path: str) -> list[Iterable[bytes]]:
        return [cycle([get(path, Authorization=f"Bearer {token}")]) for token in self._tokens]

    def _used(self) -> float:
        return processor_seconds(self._stack) + processes.processor_seconds(self._stack.redis.pid)


def _fill(stack: Stack, board: Board, start: int, end: int) -> int:
    """Store the games numbered from ``start`` up to ``end``; return the memory of Redis in bytes.

    A tenth of the games are lobbies, a tenth are being played; the others are finished.
    """
    with connect(stack.redis.url) as redis:
        redis.config_set("appendfsync", "no")  # faster, and the same is stored
        store = GameStore(redis, {board.id: board})
        store.keep_table(board)
        lobby, playing, finished = _originals(board)
        begun = now_in_ms() - end * INTERVAL_MS
        for number in range(start, end):
            original = {0: lobby, 1: playing}.get(number % 10, finished)
            _put(store, original, number, begun + number * INTERVAL_MS)
        redis.config_set("appendfsync", "always")
        redis.bgrewriteaof()  # it would start by itself during a turn
        time.sleep(SETTLE)
        while redis.info("persistence")["aof_rewrite_in_progress"]:
            time.sleep(1)
        return redis.info("memory")["used_memory"]


@dataclass(frozen=True)
class Original:
    """A game to copy: its last state and its entries."""

    state: State
    entries: list[dict]


def _put(store: GameStore, original: Original, number: int, at: int) -> None:
    """Store and index a copy of a game under another id, with other players."""
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
    game = LoadedGame(state, last, created=time, updated=time)
    if not store.put(game, history):
        raise ValueError(f"{state.id} is stored already")
    projecting.project(store.redis, game)


def _originals(board: Board) -> tuple[Original, Original, Original]:
    """Return a lobby, a game that is being played and a finished game."""
    command = create_command(2)
    ann, _ = command.seats[0]
    lobby = next(random_game(board, replace(command, seats=((ann, None), None)), Random(1)))
    steps = list(islice(random_game(board, command, Random(1)), ENTRIES))
    resign = Resign()
    finished = [*steps, (0, resign, *play(steps[-1][3], 0, resign))]
    return tuple(map(_original, ([lobby], steps, finished)))


def _original(steps: list[Step]) -> Original:
    return Original(steps[-1][3], [
        orjson.loads(canonical(new_entry(
            state.version, as_time(0), events, seat=seat, action=action and action.json,
            salt=secrets.token_hex(SALT_BYTES))))
        for seat, action, events, state in steps])


if __name__ == "__main__":
    command(measure)()
