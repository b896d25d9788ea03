"""Quotas: how many games and other things an account may have at a time (FOGG_CAPS).

``player:ID:open:KIND``  ids of the items of a kind that an account and its bots have created,
                         by time of creation; some may be over
``player:ID:full:KIND``  exists for a few seconds after a check has found none of them over
"""

import time
from collections.abc import Callable, Iterable
from functools import partial

from domain.errors import Refused
from domain.game.state import FINISHED
from service import settings
from service.eventlog.histories import Histories
from service.eventlog.steps import Steps
from service.redis import locks
from service.redis.scripts import Script

# kind -> words for it in a message, where the kind is not the plural of a word
NAMES = {
    "bot_games": "games with built-in bots that are not over",
    "analyses": "analyses under way",
}
CREATION_S = 60  # an item that was counted and still does not exist was never created
KEEP_S = 30 * 86_400  # for which Redis keeps the ids of an account
BATCH_SIZE = 500  # heads that are read at a time
RESERVE = Script(__file__, "reserve.lua")


def refuse_more(kind: str, count: int, what_to_do: str) -> None:
    """Raise Refused if ``count`` items of a kind reach the cap."""
    most = settings.CAPS.value()[kind]
    if count >= most:
        raise Refused(
            f"too-many-{kind.replace('_', '-')}",
            None,
            f"one may have {most} {NAMES.get(kind, kind)} at a time; {what_to_do}",
        )


def count_in(
    steps: Steps, held: str, some_id: str, on_answer: Callable[[tuple[int, int]], None]
) -> None:
    """Count an id in a sorted set. The answer is whether it is new there, and how many there are
    now."""
    now = repr(time.time())
    steps.run(RESERVE, on_answer, held=held, id=some_id, now=now, seconds=KEEP_S)


def reserve(store: Histories, kind: str, who: str, some_id: str) -> None:
    """Count a new item for its creator until it is over; raise Refused if they have too many."""
    reserve_all(store, (kind,), who, some_id, Steps(store.redis))


def reserve_all(
    store: Histories, kinds: Iterable[str], who: str, some_id: str, steps: Steps
) -> None:
    """Count a new item under each of these kinds, in the same round trips as ``steps``. Raise
    Refused if one kind has too many items."""
    held: dict[str, tuple[int, int]] = {}
    for kind in kinds:
        count_in(steps, _held(who, kind), some_id, partial(held.__setitem__, kind))
    steps.execute()
    caps = settings.CAPS.value()
    try:
        for kind, (is_new, count) in held.items():
            if is_new and count > caps[kind]:
                _refuse_unless_some_are_over(store, kind, who, count)
    except Refused:
        for kind, (is_new, _) in held.items():
            if is_new:
                store.redis.zrem(_held(who, kind), some_id)
        raise


def _refuse_unless_some_are_over(store: Histories, kind: str, who: str, count: int) -> None:
    held, full = _held(who, kind), f"player:{who}:full:{kind}"
    # reading so many heads takes a while, so the result holds for some seconds
    if locks.try_lock(store.redis, full, count) and (over := _over(store, held)):
        store.redis.zrem(held, *over)
        store.redis.delete(full)
        count -= len(over)
    refuse_more(kind, count - 1, "play some of them to the end, or call them off")


def _held(who: str, kind: str) -> str:
    return f"player:{who}:open:{kind}"


def _over(store: Histories, held: str) -> list[str]:
    """Return the ids of the counted items that are over or were never created."""
    rows = [(raw.decode(), at) for raw, at in store.redis.zrange(held, 0, -1, withscores=True)]
    over, never = [], time.time() - CREATION_S
    for start in range(0, len(rows), BATCH_SIZE):
        some = rows[start : start + BATCH_SIZE]
        for (some_id, at), head in zip(some, store.live_heads([i for i, _ in some]), strict=True):
            if head["status"] == FINISHED if head else at < never:
                over.append(some_id)
    return over
