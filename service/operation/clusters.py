"""The client of a Redis Cluster, which waits a little where a cluster is about to mend itself.

redis-py follows keys that have moved, but tries a node that is gone again without a pause, and so
gives up in milliseconds where a replica takes over in seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from redis import ConnectionError, RedisCluster
from redis.backoff import AbstractBackoff, NoBackoff
from redis.cluster import ClusterNode, ClusterPipeline, PipelineStrategy
from redis.exceptions import ClusterDownError, RedisClusterException
from redis.retry import Retry

from service.store.lines import Command
from service.store.side_by_side import group_here, pipelined

PASSING = (ConnectionError, ClusterDownError, RedisClusterException)  # while a replica takes over


class ClusterClient(RedisCluster):
    """A client that tries again, after pauses, what a failover has broken."""

    ERRORS_ALLOW_RETRY = ()  # nothing is tried again but here

    def __init__(self, patience: Retry, **settings):
        self._patience = patience
        super().__init__(retry=Retry(NoBackoff(), 0), **settings)

    def execute_command(self, *args, **kwargs):
        """Return the answer to a command."""
        if group := group_here():
            return group.answers(self, [(args, kwargs)])[0]
        run = super().execute_command
        return self._patience.call_with_retry(lambda: run(*args, **kwargs), _again)

    def answers_to(self, commands: Sequence[Command]) -> list[Any]:
        """Return the answers to commands that are sent together, of those that fail the errors."""
        return pipelined(self.pipeline(), commands)

    def pipeline(self, transaction=None, shard_hint=None) -> ClusterPipeline:
        """Return a pipeline that tries again likewise."""
        pipe = super().pipeline(transaction, shard_hint)
        pipe._execution_strategy = _Patient(pipe, self, self._patience)
        return pipe


class _Patient(PipelineStrategy):
    def __init__(self, pipe: ClusterPipeline, client: ClusterClient, patience: Retry):
        super().__init__(pipe)
        self._client, self._patience = client, patience

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        """Return the answers to the commands."""
        group = group_here()
        if group is None:
            return super().execute(raise_on_error)
        commands = [(each.args, each.options) for each in self._command_queue]
        self.reset()
        return group.answers(self._client, commands, raise_on_error) if commands else []

    def send_cluster_commands(self, stack, raise_on_error=True, allow_redirections=True):
        send = super().send_cluster_commands
        return self._patience.call_with_retry(
            lambda: send(stack, raise_on_error, allow_redirections), _again)


def _again(_error: Exception) -> None:
    """Do nothing between two tries: redis-py has asked already who serves what."""


def connect(url: str, backoff: AbstractBackoff, retries: int, **settings) -> ClusterClient:
    """Return a client of the cluster at ``redis://NODE,NODE,.../`` or ``rediss://``: any of its
    nodes will do, and several are more likely to have one that lives. What breaks is tried again
    so often, after pauses."""
    parts = urlsplit(url)
    login, at, nodes = parts.netloc.rpartition("@")
    first, *others = nodes.split(",")
    patience = Retry(backoff, retries, PASSING)
    return patience.call_with_retry(lambda: ClusterClient(
        patience, url=urlunsplit(parts._replace(netloc=f"{login}{at}{first}")),
        startup_nodes=[_node(other) for other in others], require_full_coverage=False, **settings),
        _again)


def _node(address: str) -> ClusterNode:
    parts = urlsplit(f"//{address}")
    return ClusterNode(parts.hostname, parts.port or 6379)
