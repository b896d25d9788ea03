"""Pictures of boards. One that is not shipped is laid out once, for all processes, as a large one
takes seconds of a processor.

Keys: ``layout:LAYOUT``, where everything is, for a month; LAYOUT is its name in
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
from domain.drawing.layout import is_at_hand, keep, name_of, written
from domain.drawing.springs import settle
from service.api.answers import aside

MONTH = 30 * 86_400  # seconds
_laying = Semaphore()  # one at a time: others in the process are to be answered meanwhile


def drawn(redis: Redis, make: Callable, board: Board, *more):
    """Return what is made of a board, which is laid out before."""
    if not is_at_hand(board):
        with _laying:
            if not is_at_hand(board):
                keep(board, orjson.loads(_found(redis, board)))
    return aside(make, board, *more)


def _found(redis: Redis, board: Board) -> bytes:
    """Return the layout that is kept, or find it, and keep it if there is room."""
    key = f"layout:{name_of(board)}"
    if found := redis.get(key):
        return found
    found = orjson.dumps(written(aside(settle, board.locations, board.routes)))
    with suppress(RedisError):
        redis.set(key, found, ex=MONTH)
    return found
