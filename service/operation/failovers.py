"""Finding out what was lost as another Redis took over, also of games that nobody looks at."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from redis import Redis, RedisCluster

from service.store.store import Store


class Failovers:
    """Looks again at all that a process keeps whenever a Redis has started, or taken over; does
    what is to be done ``after`` that."""

    def __init__(
        self, redis: Redis, stores: Sequence[Store], after: Callable[[], object] = lambda: None
    ):
        self._redis, self._stores, self._after = redis, stores, after
        self._runs: frozenset[str] = frozenset()  # what each Redis calls its own life

    def look(self) -> None:
        """Find out whether that is so."""
        runs = self._found_runs()
        if self._runs and runs - self._runs:
            for store in self._stores:
                store.look_again()
            self._after()
        self._runs = runs

    def _found_runs(self) -> frozenset[str]:
        if not isinstance(self._redis, RedisCluster):
            return frozenset([self._redis.info("server")["run_id"]])
        found = self._redis.info("server", target_nodes=RedisCluster.PRIMARIES)
        rows = [found] if "run_id" in found else found.values()
        return frozenset(row["run_id"] for row in rows)
