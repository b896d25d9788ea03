"""What bots did that they may not: actions that were refused, counted where that matters.

``{g:ID}:faults``  of a game in which a bot is tested: account -> how many
"""

from __future__ import annotations

from redis import Redis

from service.games.games import Games
from service.games.sight import seat_of

KEPT = 30 * 86_400  # seconds
# what happens to whoever repeats a request, or is slow to hear that the game has moved on
NO_FAULT = {"not-your-turn", "game-finished", "seat-left", "out-of-time", "too-busy",
            "version-ahead", "history-lost", "history-broken"}


def note(games: Games, game_id: str, account_id: str | None, code: str) -> None:
    """Count that an action of an account was refused with a problem of this code; raise a FoggError
    if there is no such game."""
    if code in NO_FAULT:
        return
    state = games.get(game_id).state
    if state.pool and state.pool.get("test") and seat_of(state, account_id) is not None:
        games.redis.hincrby(_key(game_id), str(account_id))
        games.redis.expire(_key(game_id), KEPT)


def count_of(redis: Redis, game_id: str, account_id: str) -> int:
    """Return how many actions of an account were refused in a game."""
    return int(redis.hget(_key(game_id), account_id) or 0)


def _key(game_id: str) -> str:
    return f"{{g:{game_id}}}:faults"
