"""Rollbacks: games that have lost their last entries because Redis lost them.

``{g:ID}:lost``         the last rollback, as JSON, for a month: the ``version`` that is left, the
                        ``previous_version``, and the time ``at`` which it was found
``player:ID:lost``      game id -> the same, for a player's games
``{g:ID}:told``         account -> the request that was refused because its version may be lost
``{TAG:ID}:lost:HASH``  exists once the loss of the entry with this hash was reported
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import orjson

from domain.errors import FoggError
from service.errors import Ahead, HistoryLost
from service.eventlog.loaded import Rollback
from service.eventlog.store import Store
from service.games.games import LOST_MS, Games
from service.games.store import GameStore, LoadedGame
from service.times import in_ms, now, now_in_ms

KEEP_S = 30 * 86_400  # seconds for which a rollback is remembered

log = logging.getLogger(__name__)


@contextmanager
def reported(store: Store[Any], rollback: Rollback[Any]) -> Iterator[bool]:
    """Log a rollback, and yield True if this process is the first to find it. If the ``with`` block
    fails, the next process that finds the rollback counts as the first again."""
    some_id, (previous, mark) = rollback.was.state.id, rollback.last
    log.error(
        "%s has gone back from version %d to %d: Redis has lost %d of its entries",
        some_id,
        previous,
        rollback.version,
        rollback.entries,
    )
    key = store.key(some_id, f"lost:{mark}")
    is_news = bool(store.redis.set(key, 1, nx=True, ex=KEEP_S))
    try:
        yield is_news
    except BaseException:
        store.redis.delete(key)
        raise


def note(games: Games, rollback: Rollback[LoadedGame]) -> None:
    """Store a game's rollback, correct its deadline, and notify its players."""
    game_id, redis = rollback.was.state.id, games.redis
    raw = orjson.dumps(
        {"version": rollback.version, "previous_version": _most(games, rollback), "at": now()}
    )
    redis.set(GameStore.key(game_id, "lost"), raw, ex=KEEP_S)
    redis.delete(GameStore.key(game_id, "told"))
    games.recent_rollbacks.note()
    players = {
        player.id
        for known in (rollback.was, rollback.now)
        if known
        for player in known.state.players
        if player
    }
    for player in players:
        redis.hset(f"player:{player}:lost", game_id, raw)
        redis.expire(f"player:{player}:lost", KEEP_S)
    if rollback.now:
        games.clocks.schedule(rollback.now, games.clocks.deadlines(rollback.now), is_checked=True)
    games.news.publish(game_id, *players)


def _most(games: Games, rollback: Rollback[LoadedGame]) -> int:
    """Return the latest version that is known to be lost, by this process or another."""
    latest, noted = rollback.last[0], _noted(games, rollback.was.state.id)
    if noted and noted["previous_version"] > rollback.version:
        return max(latest, noted["previous_version"])
    return latest


def _noted(games: Games, game_id: str) -> dict[str, Any] | None:
    raw = games.redis.get(GameStore.key(game_id, "lost"))
    return orjson.loads(raw) if raw else None


def rollbacks_of(games: Games, player: str) -> dict[str, dict[str, Any]]:
    """Return the rollbacks of an account's games, by game."""
    rows = games.redis.hgetall(f"player:{player}:lost")
    return {game_id.decode(): orjson.loads(raw) for game_id, raw in rows.items()}


def all_rollbacks(games: Games) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the games that were rolled back in the last month, each with its rollback."""
    for game_id in games.store.ids("lost"):
        if rollback := _noted(games, game_id):
            yield game_id, rollback


def version_error(games: Games, game: LoadedGame, asked: int) -> FoggError:
    """Return the error for a version that a game has not: it was lost, or never existed."""
    rollback, version = _noted(games, game.state.id), game.state.version
    if rollback and asked <= rollback["previous_version"]:
        return HistoryLost(min(rollback["version"], version), rollback["previous_version"])
    return Ahead(asked, version)


def confirmed_version(games: Games, game_id: str, after: int) -> int:
    """Return the last version that a reader who has read up to ``after`` shares with the game for
    certain. It is less than ``after`` if that version was lost in the last minutes: the reader may
    have the lost entry or the new one."""
    rollback = _noted(games, game_id) if after else None
    if (
        rollback
        and rollback["version"] < after <= rollback["previous_version"]
        and (now_in_ms() - in_ms(rollback["at"]) < LOST_MS)
    ):
        return rollback["version"]
    return after


def rollback_error(
    games: Games, game_id: str, account: str, after: int, request: str = ""
) -> HistoryLost | None:
    """Return the error for an account whose version existed before a rollback and may exist again
    since: only the account knows which of the two it means. None if the version is certain. The
    error is returned once; for a ``request`` with an idempotency key, also each time that it is
    repeated."""
    stands = confirmed_version(games, game_id, after) if games.recent_rollbacks.has_lost else after
    if stands == after:
        return None
    key = GameStore.key(game_id, "told")
    is_new = games.redis.hsetnx(key, account, request)
    games.redis.expire(key, KEEP_S)
    if is_new or (request and games.redis.hget(key, account) == request.encode()):
        return HistoryLost(stands, after)
    return None


def refuse_if_rolled_back(was: LoadedGame, game: LoadedGame) -> None:
    """Raise HistoryLost if a game does not continue an earlier state of it."""
    stands = game.version_shared_with(was)
    if stands < was.state.version:
        raise HistoryLost(stands, was.state.version)
