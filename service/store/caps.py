"""How much one may have at a time, and how much there may be in all: FOGG_CAPS.

``player:ID:open:KIND``  what an account and its bots have created of a kind that ends, by when;
                         some of it may be over
``player:ID:full:KIND``  there while it is known that none of them is
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable
from functools import cache, partial
from typing import Any

from domain.errors import Refused
from domain.game.state import FINISHED
from service.store import holds
from service.store.histories import Histories
from service.store.numbers import BadSetting
from service.store.steps import Steps

# Kind -> how many: enough for whoever tries the service, and never all that there is for one. Who
# serves the world sets them lower (deploy/compose.yaml).
KINDS = {
    "connections": 10_000,  # in a web process
    "address_connections": 5_000,  # of them by one address, unless it is a proxy's
    "unread": 256_000_000,  # bytes of large answers that clients of a web process have yet to read
    "streams": 1_000,  # of an account and its bots in a web process
    "address_streams": 3_000,
    "games": 5_000,  # not over, created by an account and its bots
    "bot_games": 1_000,  # of these, such as seat built-in bots
    "tournaments": 200,  # not over; whose bots take turns with all others' (service.games.workers)
    "offers": 100,  # seeks and challenges that are open, of an account and its bots
    "bots": 1_000,  # of an account
    "tokens": 500,
}
NAMES = {"bot_games": "games with built-in bots that are not over"}  # of what is no plural itself
MINUTE, MONTH = 60, 30 * 86_400  # seconds
AT_ONCE = 500  # that are looked at, whether they are over

# KEYS what somebody holds. ARGV what is to be held, the time, for how many seconds to keep the key.
# Returns whether it was not held before, and how many are held then.
HOLD = """
local is_new = redis.call('ZADD', KEYS[1], 'NX', ARGV[2], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return {is_new, redis.call('ZCARD', KEYS[1])}
"""


def most(kind: str) -> int:
    """Return how many there may be of a kind."""
    return settings(os.environ.get("FOGG_CAPS", ""))[kind]


@cache
def settings(text: str) -> dict[str, int]:
    """Return the caps, some of which FOGG_CAPS may set otherwise: ``games=100 streams=50`` say."""
    found = dict(KINDS)
    for word in text.split():
        match = re.fullmatch(r"(\w+)=([1-9][0-9]{0,8})", word)
        if not match or match[1] not in KINDS:
            raise BadSetting(f"FOGG_CAPS has {word!r}; it should be KIND=NUMBER, the kinds being "
                             f"{', '.join(KINDS)}")
        found[match[1]] = int(match[2])
    return found


def refuse_more(kind: str, count: int, what_to_do: str) -> None:
    """Raise Refused unless somebody who has so many of a kind may have one more."""
    if count >= most(kind):
        raise Refused(f"too-many-{kind.replace('_', '-')}", None,
                      f"one may have {most(kind)} {NAMES.get(kind, kind)} at a time; {what_to_do}")


def hold(store: Histories, kind: str, who: str, some_id: str) -> None:
    """Count what is about to be created as one more that its creator holds until it is over; raise
    Refused if there are as many as may be."""
    hold_all(store, (kind,), who, some_id, Steps(store.redis))


def hold_all(
    store: Histories, kinds: Iterable[str], who: str, some_id: str, steps: Steps
) -> list[Any]:
    """Count it as one more of each of these kinds; return the answers to ``steps``, which are
    executed with that."""
    held: dict[str, tuple[int, int]] = {}
    for kind in kinds:
        steps.run(HOLD, [_held(who, kind)], [some_id, repr(time.time()), MONTH],
                  partial(held.__setitem__, kind))
    answers = steps.execute()
    try:
        for kind, (is_new, count) in held.items():
            if is_new and count > most(kind):
                _refuse_unless_some_are_over(store, kind, who, count)
    except Refused:
        for kind, (is_new, _) in held.items():
            if is_new:
                store.redis.zrem(_held(who, kind), some_id)
        raise
    return answers


def _refuse_unless_some_are_over(store: Histories, kind: str, who: str, count: int) -> None:
    held, full = _held(who, kind), f"player:{who}:full:{kind}"
    # to look at so many takes a while, so that who asks too often is told what was true just now
    if holds.hold(store.redis, full, count) and (over := _over(store, held)):
        store.redis.zrem(held, *over)
        store.redis.delete(full)
        count -= len(over)
    refuse_more(kind, count - 1, "play some of them to the end, or call them off")


def _held(who: str, kind: str) -> str:
    return f"player:{who}:open:{kind}"


def _over(store: Histories, held: str) -> list[str]:
    """Return which of those that somebody holds are over, or have never come to be."""
    rows = [(raw.decode(), at) for raw, at in store.redis.zrange(held, 0, -1, withscores=True)]
    found, never = [], time.time() - MINUTE
    for start in range(0, len(rows), AT_ONCE):
        some = rows[start:start + AT_ONCE]
        for (some_id, at), head in zip(some, store.heads([i for i, _ in some]), strict=True):
            if head["status"] == FINISHED if head else at < never:
                found.append(some_id)
    return found
