"""The client of a Redis Cluster, which waits until a replica has taken over.

redis-py follows keys that have moved, but tries a failed node again without a pause. So it gives up
within milliseconds, while a replica needs seconds to take over.
"""

from collections.abc import Sequence
from typing import Any, Self
from urllib.parse import urlsplit, urlunsplit

from redis import ConnectionError, RedisCluster
from redis.backoff import AbstractBackoff, NoBackoff
from redis.cluster import ClusterNode
from redis.commands import CoreCommands
from redis.exceptions import ClusterDownError, RedisClusterException
from redis.retry import Retry

from service.redis.gathering import current_group
from service.redis.idle_connections import Command

PASSING = (ConnectionError, ClusterDownError, RedisClusterException)  # while a replica takes over


class ClusterClient(RedisCluster):
    """A client that retries commands with backoff during a failover."""

    ERRORS_ALLOW_RETRY = ()  # redis-py itself retries nothing

    def __init__(self, patience: Retry, **settings: Any):
        self._patience = patience
        super().__init__(retry=Retry(NoBackoff(), 0), **settings)

    def execute_command(self, *args: Any, **kwargs: Any) -> Any:
        if group := current_group():
            return group.answers(self, [(args, kwargs)])[0]
        run = super().execute_command
        return self._patience.call_with_retry(lambda: run(*args, **kwargs), _again)

    def answers_to(self, commands: Sequence[Command], raise_on_error: bool = False) -> list[Any]:
        """Send commands together and return the answers; a failed command answers with its error,
        unless ``raise_on_error``."""
        new_pipeline = super().pipeline

        def send() -> list[Any]:
            pipe = new_pipeline()
            for words, options in commands:
                pipe.execute_command(*words, **options)
            return pipe.execute(raise_on_error)

        return self._patience.call_with_retry(send, _again)

    def pipeline(self, transaction: Any = None, shard_hint: Any = None) -> "ClusterPipe":
        """Return a pipeline, which is never a transaction."""
        return ClusterPipe(self)


class ClusterPipe(CoreCommands):
    """Commands to send together, each to the node that has its key."""

    def __init__(self, client: ClusterClient):
        self._client = client
        self._commands: list[Command] = []

    def __len__(self) -> int:
        return len(self._commands)

    def execute_command(self, *args: Any, **options: Any) -> Self:
        self._commands.append((args, options))
        return self

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        """Send the commands, with those of the group if there is one; return the answers."""
        commands, self._commands = self._commands, []
        if not commands:
            return []
        if group := current_group():
            return group.answers(self._client, commands, raise_on_error)
        return self._client.answers_to(commands, raise_on_error)


def _again(_error: Exception) -> None:
    """Do nothing between two attempts: redis-py has already asked for the nodes of the keys."""


def connect(url: str, backoff: AbstractBackoff, retries: int, **settings: Any) -> ClusterClient:
    """Return a client of the cluster at ``redis://NODE,NODE,.../`` or ``rediss://``. One living
    node of the cluster is enough; name several. A command that fails is tried ``retries`` more
    times, with ``backoff`` between."""
    parts = urlsplit(url)
    login, at, nodes = parts.netloc.rpartition("@")
    first, *others = nodes.split(",")
    patience = Retry(backoff, retries, PASSING)
    return patience.call_with_retry(
        lambda: ClusterClient(
            patience,
            url=urlunsplit(parts._replace(netloc=f"{login}{at}{first}")),
            startup_nodes=[_node(other) for other in others],
            require_full_coverage=False,
            **settings,
        ),
        _again,
    )


def _node(address: str) -> ClusterNode:
    parts = urlsplit(f"//{address}")
    return ClusterNode(parts.hostname, parts.port or 6379)
