"""The store of games for commands that access it directly, not through the service."""

from __future__ import annotations

from service.games.boards import all_boards
from service.operation.redis import connect
from service.store.games import GameStore


def game_store() -> GameStore:
    """Return the games in the Redis at FOGG_REDIS_URL."""
    return GameStore(connect(), all_boards())
