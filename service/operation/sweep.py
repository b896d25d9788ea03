"""Looking after games: whatever a crash left undone is done within seconds."""

from __future__ import annotations

import os
import time

from service.games import index, lobby, workers
from service.games.games import Games
from service.records import filing, ratings
from service.times import in_ms


def sweep(games: Games) -> None:
    """File unfinished games where they belong, call a worker for bots nobody plays, and rate the
    games that are over, whatever is wrong with the others."""
    try:
        _look_after(games)
    finally:
        ratings.catch_up(games.store)


def _look_after(games: Games) -> None:
    redis = games.store.redis
    for status in (index.LOBBY, index.PLAYING):
        ids = [member.decode() for member, _ in redis.zscan_iter(f"games:{status}")]
        for game_id, head in zip(ids, games.store.heads(ids), strict=True):
            if head is None:  # announced, but never created
                if time.time() - redis.zscore(f"games:{status}", game_id) > 60:
                    redis.zrem(f"games:{status}", game_id)
            elif head["status"] != status:
                game = games.get(game_id)
                filing.file(redis, game)
            elif status == index.LOBBY and _is_abandoned(head):
                lobby.expire(games, game_id)
            elif (due := _due(head)) and games.store.lease(game_id, workers.LEASE):
                workers.call(games.queue, game_id, due)


def _is_abandoned(head: dict) -> bool:
    hours = float(os.environ.get("FOGG_LOBBY_HOURS", 24))
    return time.time() * 1000 - in_ms(head["updated"]) > hours * 3_600_000


def _due(head: dict) -> str | None:
    """Return the account of a built-in bot that a game waits for, None if there is none."""
    for seat in head["deciding"]:
        player = head["seats"][seat]["player"]
        if "bot" in player and "owner" not in player:
            return player["id"]
    return None
