"""Pictures of boards. The layout of a board that is not shipped is computed once for all processes,
since a large one takes seconds of CPU time.

Keys: ``layout:LAYOUT``, a computed layout, for a month. LAYOUT is its name in
``domain/drawing/layout.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import orjson
from gevent.lock import Semaphore
from redis import Redis
from redis.exceptions import RedisError

from domain.board.board import Board
from domain.codec import Json
from domain.drawing.layout import is_at_hand, keep, name_of, written
from domain.drawing.springs import settle
from service.api.answers import aside

MONTH = 30 * 86_400  # seconds
SECONDS = 15.0  # that an animation takes
_animating = Semaphore()  # one at a time, too: it takes up to a second
_laying = Semaphore()  # one layout at a time, so that this process can still answer other requests


def drawn(redis: Redis, make: Callable, board: Board, *more):
    """Return ``make(board, *more)``, after the board's layout was computed."""
    if not is_at_hand(board):
        with _laying:
            if not is_at_hand(board):
                keep(board, orjson.loads(_cached_layout(redis, board)))
    return aside(make, board, *more)


def animation(redis: Redis, board: Board, views: list[Json]) -> str:
    """Return the animation of a game, given its public views in order."""
    from domain.drawing.animation import animated  # few need it, and its parser of XML

    with _animating:
        return drawn(redis, animated, board, views, SECONDS)


def _cached_layout(redis: Redis, board: Board) -> bytes:
    """Return the cached layout; else compute it, and cache it if Redis has room."""
    key = f"layout:{name_of(board)}"
    if found := redis.get(key):
        return found
    found = orjson.dumps(written(aside(settle, board.locations, board.routes)))
    with suppress(RedisError):
        redis.set(key, found, ex=MONTH)
    return found
