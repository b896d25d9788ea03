"""Looking after games: whatever a crash left undone is done within seconds."""

from __future__ import annotations

import os

from domain.game.commands import Player
from domain.game.state import LOBBY, PLAYING
from service.games import lobby, workers
from service.games.games import Games
from service.records import filing, ratings
from service.store.games import GameHead
from service.times import in_ms, now_in_ms

FORGOTTEN = 60_000  # milliseconds after which what was announced and never created is forgotten


def sweep(games: Games) -> None:
    """File unfinished games where they belong, call a worker for bots nobody plays, and rate the
    games that are over, whatever is wrong with the others."""
    try:
        _look_after(games)
    finally:
        ratings.catch_up(games.store)


def _look_after(games: Games) -> None:
    redis = games.store.redis
    for status in (LOBBY, PLAYING):
        ids = [member.decode() for member, _ in redis.zscan_iter(f"games:{status}")]
        for game_id, head in zip(ids, games.store.heads(ids), strict=True):
            if head is None:  # announced, but never created
                announced = redis.zscore(f"games:{status}", game_id) or 0
                if now_in_ms() - announced > FORGOTTEN:
                    redis.zrem(f"games:{status}", game_id)
            elif head["status"] != status:
                filing.file(redis, games.get(game_id))
            elif status == LOBBY and _is_abandoned(head):
                lobby.expire(games, game_id)
            elif (due := _due(head)) and games.store.lease(game_id, workers.LEASE):
                workers.call(games.queue, game_id, due)


def _is_abandoned(head: GameHead) -> bool:
    hours = float(os.environ.get("FOGG_LOBBY_HOURS", 24))
    return now_in_ms() - in_ms(head["updated"]) > hours * 3_600_000


def _due(head: GameHead) -> str | None:
    """Return the account of a built-in bot that a game waits for, None if there is none."""
    for seat in head["deciding"]:
        player = Player(**head["seats"][seat]["player"])
        if player.is_built_in:
            return player.id
    return None
