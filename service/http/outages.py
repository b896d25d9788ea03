"""Recognise errors of a Redis that is starting, failing over, full or away, as opposed to errors of
the caller."""

from __future__ import annotations

import re

from redis import exceptions as redis

AWAY = "the store does not answer"
FULL = "the store has no room for more; what is in it can be read"

PASSING = (
    redis.ConnectionError, redis.TimeoutError, redis.ReadOnlyError, redis.ClusterError,
    redis.RedisClusterException, redis.TryAgainError, redis.AskError, redis.InvalidResponse,
    redis.NoScriptError, redis.ExecAbortError, redis.NoPermissionError)
BUGS = (redis.CrossSlotTransactionError, redis.InvalidPipelineStack)
# first word of an error reply -> message; in a pipeline the command precedes that word
WORDS = {"MISCONF": FULL, "OOM": FULL, "BUSY": AWAY, "UNKILLABLE": AWAY, "NOREPLICAS": AWAY,
         "LOADING": AWAY, "NOAUTH": AWAY}
SAID = re.compile(rf"(?:^|caused error: )({'|'.join(WORDS)})\b")


def outage(error: Exception) -> str | None:
    """Return the message for an error that ends once Redis is back; None for any other error."""
    if isinstance(error, redis.OutOfMemoryError):
        return FULL
    if isinstance(error, PASSING) and not isinstance(error, BUGS):
        return AWAY
    if isinstance(error, redis.ResponseError) and (match := SAID.search(str(error))):
        return WORDS[match[1]]
    return None
