"""Calling the workers that play built-in bots.

A worker speaks for a game's bots by a lease, which it keeps by acting, and which expires should it
die (``service.store.games``).
"""

from __future__ import annotations

import logging

from redis import RedisError
from rq import Queue

from domain.game.state import State

QUEUE = "bots"
JOB = "workers.play.play"
TAKE = "take"  # how a lease is taken by whom it was free for
LEASE = 5_000  # milliseconds a worker may be silent before its game's bots are called again

log = logging.getLogger(__name__)


def call(queue: Queue, game_id: str, account_id: str) -> None:
    """Ask a worker to play a game's bots, that with this account first, for as long as the game
    waits for one. Should the queue not answer, the sweep asks again within seconds."""
    _, bot, number = account_id.split("_")
    try:
        queue.enqueue(JOB, game_id, int(number), bot, result_ttl=0, failure_ttl=86_400,
                      job_timeout=-1)
    except (RedisError, OSError) as error:
        log.warning("no worker could be called for %s: %r", game_id, error)


def bots_to_play(state: State) -> list[int]:
    """Return the seats of built-in bots that the game waits for."""
    return [seat for seat, _ in state.deciding() if state.players[seat].is_built_in]


def lease(state: State, seat: int | None) -> tuple[str, int] | None:
    """Return how, and for how many milliseconds, the bots of a game are spoken for after an action
    of a seat; None if it waits for none."""
    if not bots_to_play(state):
        return None
    by_bot = seat is not None and state.players[seat].is_built_in
    return "refresh" if by_bot else TAKE, LEASE
