"""Pictures of boards and games. The layout of a board that is not shipped is computed once for all
processes, since a large one takes seconds of CPU time. The card of a game is drawn once by each
process that is asked for it.

Keys: ``layout:LAYOUT``, a computed layout, for a month. LAYOUT is its name in
``domain/drawing/layout.py``.
"""

import subprocess
import sys
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress

import orjson
from gevent.event import AsyncResult
from gevent.lock import BoundedSemaphore, Semaphore
from redis import Redis
from redis.exceptions import RedisError

from domain.board.board import Board
from domain.codec import Json
from domain.drawing.card import card
from domain.drawing.layout import is_at_hand, keep, name_of, written
from domain.drawing.picture import draw
from domain.drawing.springs import settle
from service.errors import TooMany
from service.http.answers import aside

MONTH = 30 * 86_400  # seconds
MAX_CARDS = 32  # that a process keeps, of about 200 kB each
WAIT_S = 5  # seconds that a request waits for others' cards
TIMEOUT_S = 30
RASTERIZE = """
import os, sys
os.nice(19)
import font_lato, resvg_py
svg = sys.stdin.buffer.read().decode()
sys.stdout.buffer.write(resvg_py.svg_to_bytes(
    svg_string=svg, font_files=[font_lato.font_files["LatoBold"]]))
"""
_laying = Semaphore()  # one layout at a time, so that this process can still answer other requests
_cards: OrderedDict[bytes, AsyncResult] = OrderedDict()  # the least recently used one first
_turn = BoundedSemaphore()


def aside_with_layout(redis: Redis, make: Callable, board: Board, *more):
    """Return ``make(board, *more)``, which runs in a thread once the board's layout is computed."""
    if not is_at_hand(board):
        with _laying:
            if not is_at_hand(board):
                keep(board, orjson.loads(_cached_layout(redis, board)))
    return aside(make, board, *more)


def drawn(redis: Redis, board: Board, view: Json | None = None) -> str:
    """Return the map of a board, or of a game on it in its public view, as SVG."""
    return aside_with_layout(redis, draw, board, view)


def game_card(redis: Redis, board: Board, view: Json) -> bytes:
    """Return the card of a game in its public view, as PNG; raise TooMany if too many others wait.

    It is drawn once for a view, whose version is part of it: later requests get the same card, and
    requests that come meanwhile wait for it. A game that was rolled back, or a player whose account
    was deleted, has another view, and so another card."""
    key = orjson.dumps([board.digest, view])
    if kept := _cards.get(key):
        _cards.move_to_end(key)
        made: bytes = kept.get()
        return made
    result = _cards[key] = AsyncResult()
    while len(_cards) > MAX_CARDS:
        _cards.popitem(last=False)
    try:
        result.set(png(aside_with_layout(redis, card, board, view)))
    except BaseException as error:
        _cards.pop(key, None)
        result.set_exception(error)
        raise
    return result.get()


def png(svg: str) -> bytes:
    """Return an SVG picture as PNG, for sites and apps that show no SVG; raise TooMany if too many
    others wait.

    It takes a quarter of a second of CPU time, during which the library does not let other Python
    code run. So a process of its own does it, with the lowest priority, one picture at a time."""
    if not _turn.acquire(timeout=WAIT_S):
        raise TooMany("pictures that are drawn at the moment", WAIT_S)
    try:
        return subprocess.run(
            [sys.executable, "-I", "-c", RASTERIZE],
            input=svg.encode(),
            capture_output=True,
            check=True,
            timeout=TIMEOUT_S,
        ).stdout
    finally:
        _turn.release()


def _cached_layout(redis: Redis, board: Board) -> bytes:
    """Return the cached layout; else compute it, and cache it if Redis has room."""
    key = f"layout:{name_of(board)}"
    if settled := redis.get(key):
        return settled
    settled = orjson.dumps(written(aside(settle, board.locations, board.routes)))
    with suppress(RedisError):
        redis.set(key, settled, ex=MONTH)
    return settled
