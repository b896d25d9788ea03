"""The store of games for commands that access it directly, not through the service."""

from __future__ import annotations

from service.games.boards import all_boards
from service.operation.redis import connect
from service.store.games import GameStore


def game_store(url: str | None = None) -> GameStore:
    """Return the games in the Redis at a URL, by default the one at FOGG_REDIS_URL."""
    return GameStore(connect(url), all_boards())
