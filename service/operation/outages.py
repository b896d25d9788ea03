"""What a Redis answers that is starting, failing over, full or gone, as against one that was asked
something wrong."""

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
# the first words of other answers; in a pipeline the command stands before them
WORDS = {"MISCONF": FULL, "OOM": FULL, "BUSY": AWAY, "UNKILLABLE": AWAY, "NOREPLICAS": AWAY,
         "LOADING": AWAY, "NOAUTH": AWAY}
SAID = re.compile(rf"(?:^|caused error: )({'|'.join(WORDS)})\b")


def outage(error: Exception) -> str | None:
    """Return what is to be said of an error that passes once Redis is well, None if it is of
    another kind."""
    if isinstance(error, redis.OutOfMemoryError):
        return FULL
    if isinstance(error, PASSING) and not isinstance(error, BUGS):
        return AWAY
    if isinstance(error, redis.ResponseError) and (found := SAID.search(str(error))):
        return WORDS[found[1]]
    return None
