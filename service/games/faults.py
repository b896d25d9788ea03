"""Counters of refused actions, which are not in any history.

``player:ID:faults``  how many of an account
``{g:ID}:faults``  of a game in which a bot is tested: account -> how many
"""

from redis import Redis

from service.games.games import Games
from service.games.visibility import seat_of

KEEP_S = 30 * 86_400  # seconds
# codes that a correct client may get: it repeats a request, or the game has just moved on
NO_FAULT = {
    "not-your-turn",
    "game-finished",
    "seat-left",
    "out-of-time",
    "too-busy",
    "version-ahead",
    "history-lost",
    "history-broken",
}


def note(games: Games, game_id: str, account_id: str | None, code: str) -> None:
    """Count that an action was refused with a problem of this code, for the game and the account;
    raise a FoggError if the game does not exist."""
    if code in NO_FAULT:
        return
    state = games.get(game_id).state
    if seat_of(state, account_id) is None:
        return
    games.redis.incr(f"player:{account_id}:faults")
    if state.terms.pool and state.terms.pool.get("test"):
        games.redis.hincrby(_key(game_id), str(account_id))
        games.redis.expire(_key(game_id), KEEP_S)


def count_of_all(redis: Redis, account_id: str) -> int:
    """Return how many actions of an account were refused in all its games."""
    return int(redis.get(f"player:{account_id}:faults") or 0)


def count_of(redis: Redis, game_id: str, account_id: str) -> int:
    """Return how many actions of an account were refused in a game."""
    return int(redis.hget(_key(game_id), account_id) or 0)


def _key(game_id: str) -> str:
    return f"{{g:{game_id}}}:faults"
