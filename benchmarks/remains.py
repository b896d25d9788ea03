"""Measures what a finished game leaves in Redis once it is archived, by pattern of keys.

The yardstick is the same for a game that is still in Redis. Players come again, so that data which
is kept for each player or each pair of players is paid once.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from random import Random
from typing import Annotated

from redis import Redis

from benchmarks.runner import command, ratio
from benchmarks.services import redis as temporary_redis
from domain.board.board import Board
from domain.boards import load_folder
from domain.game.commands import CreateGame, Player, Resign
from domain.game.fold import play
from domain.game.legal import legal_actions
from domain.game.state import PLAYING, State
from service.projections import archiving, projecting
from service.store.archive import Archive
from service.store.games import GameStore, LoadedGame
from service.store.store import NewEntry
from service.store.vaults import Folder

PARTS = ((r"g_[0-9a-f]{20}", "ID"), (r"games:\d+", "games:N"), (r"p_[0-9a-f]{20}", "ID"),
         (r"table:.*", "table:DIGEST"))
ACTIONS = 12  # that are played before all but one resign: what remains does not depend on them
ALSO = 2  # of three games, so many are rated; the others' players chose the seed


def measure(
    games: Annotated[int, "Finished games, after as many others."] = 2000,
    players: Annotated[int, "Players, who come again."] = 30,
) -> dict:
    """Return how many bytes of Redis one more finished game takes before and after it is archived,
    and for each pattern of keys."""
    boards, chance = load_folder(), Random(1)
    people = [Player(f"p_{number:020x}", f"Player {number}") for number in range(players)]
    with temporary_redis() as redis, tempfile.TemporaryDirectory() as folder:
        store = GameStore(redis, boards, Archive(Folder(folder)))
        sizes: list[Counter[str]] = []
        for half in range(2):
            for number in range(half * games, (half + 1) * games):
                board = [*boards.values()][number % len(boards)]
                finish_game(store, board, people, chance, number)
            projecting.catch_up(store)
            whole = bytes_by_pattern(redis)
            archiving.run(store, days=0)
            sizes.append(bytes_by_pattern(redis))
        before = (whole - sizes[0]).total() / games
        after = {name: (sizes[1][name] - sizes[0][name]) / games for name in sizes[1]}
        total = sum(after.values())
        return {
            "benchmark": "remains", "yardstick": "a game that is not archived",
            "ratios": [ratio("Redis for one more game", "bytes", [total], [before], at_most=0.3)],
            "figures": {"bytes of Redis for one more archived game": total} | {
                name: size for name, size in sorted(after.items(), key=lambda row: -row[1])
                if round(size)}}


def finish_game(
    store: GameStore, board: Board, players: list[Player], chance: Random, number: int
) -> None:
    """Store a game of two to four of these players that ends when all but one have resigned."""
    seats = chance.sample(players, 2 + number % 3)
    game = LoadedGame(State(board))
    seed = chance.randbytes(32)
    create = CreateGame(f"g_{number:020x}", seats[0].id, tuple((seat, None) for seat in seats),
                        seed, seed_known=number % 3 >= ALSO)
    _append(store, game, None, create)
    game = store.load(create.game)
    for _ in range(ACTIONS):
        seat = game.state.deciding()[0][0]
        game = _append(store, game, seat, chance.choice(legal_actions(game.state, seat)))
    while game.state.status == PLAYING:
        game = _append(store, game, game.state.deciding()[0][0], Resign())


def _append(store: GameStore, game: LoadedGame, seat: int | None, action) -> LoadedGame:
    was = game.state
    done = None if seat is None else action
    game, _ = store.append(game, NewEntry(*play(was, seat, action), seat, done))
    if game.state.status != was.status:
        projecting.project(store.redis, game, was)
    return game


def bytes_by_pattern(redis: Redis) -> Counter[str]:
    """Return the bytes that Redis uses for all keys of each pattern."""
    found: Counter[str] = Counter()
    for key in redis.scan_iter(count=1000):
        name = key.decode()
        for part, word in PARTS:
            name = re.sub(part, word, name)
        found[name] += redis.memory_usage(key, samples=0)
    return found


if __name__ == "__main__":
    command(measure)()
