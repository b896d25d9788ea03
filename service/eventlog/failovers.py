"""Detect failovers of Redis, so that lost entries are found also in games that nobody watches."""

from collections.abc import Callable, Sequence

from redis import Redis, RedisCluster

from service.eventlog.store import Store


class Failovers:
    """Notices restarts and failovers of Redis by its run ids. Then it makes each store compare this
    process's cache with Redis, and calls ``after``."""

    def __init__(
        self, redis: Redis, stores: Sequence[Store], after: Callable[[], object] = lambda: None
    ):
        self._redis, self._stores, self._after = redis, stores, after
        self._runs: frozenset[str] = frozenset()  # run_id of each server

    def check(self) -> None:
        """Read the run ids and compare them with the last ones."""
        runs = self._run_ids()
        if self._runs and runs - self._runs:
            for store in self._stores:
                store.check_all()
            self._after()
        self._runs = runs

    def _run_ids(self) -> frozenset[str]:
        if not isinstance(self._redis, RedisCluster):
            return frozenset([self._redis.info("server")["run_id"]])
        info = self._redis.info("server", target_nodes=RedisCluster.PRIMARIES)
        rows = [info] if "run_id" in info else info.values()
        return frozenset(row["run_id"] for row in rows)
