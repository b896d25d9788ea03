"""The service over a Redis with a replica, and over a cluster of three masters with theirs."""

from __future__ import annotations

import time
from pathlib import Path

from redis import Redis
from redis.crc import key_slot

from service.games.store import GameStore
from service.redis.connection import EmbeddedRedis, connect
from tools.clusters import SLOTS, Cluster, Node
from tools.faults.links import Link
from tools.faults.worlds import STARTS, World
from tools.ports import free_port


class Pair(World):
    """A Redis with a replica, one of which the service finds at a link."""

    def begin(self) -> dict[str, str]:
        self.primary, self.replica = (
            self._open.enter_context(EmbeddedRedis(self.data / name)) for name in ("one", "two")
        )
        queue = self._open.enter_context(EmbeddedRedis(self.data / "queue", durable=False))
        self.replication = self._open.enter_context(
            Link(("127.0.0.1", 0), _reachable(self.primary))
        )
        self.redis_link = self._open.enter_context(
            Link(self.data / "redis.sock", _socket_of(self.primary))
        )
        self._follow()
        return {"FOGG_REDIS_URL": f"unix://{self.data}/redis.sock", "FOGG_QUEUE_URL": queue.url}

    def store(self) -> Redis:
        return connect(self.primary.url, retry=False)

    def fail_over(self) -> None:
        """Kill the primary; the replica takes over."""
        self.primary.kill()
        self.primary, self.replica = self.replica, self.primary
        with connect(self.primary.url) as client:
            client.replicaof("NO", "ONE")
        self.redis_link.lead_to(_socket_of(self.primary))

    def settle(self) -> None:
        """Make the former primary a replica of the new one."""
        self.replication.lead_to(_reachable(self.primary))
        self.replication.silence(False)
        self.replica.start()
        self._follow()

    def _follow(self) -> None:
        with connect(self.replica.url) as client:
            client.replicaof("127.0.0.1", self.replication.listens[1])
            end = time.monotonic() + STARTS
            while client.info("replication").get("master_link_status") != "up":
                if time.monotonic() > end:
                    raise RuntimeError("the replica does not follow")
                time.sleep(0.02)


class Six(World):
    """A cluster of three masters and three replicas."""

    _hit: tuple[range, ...] | list[range] = (range(SLOTS),)  # slots of the last node that was hit

    def begin(self) -> dict[str, str]:
        self.cluster = self._open.enter_context(Cluster(self.data / "cluster"))
        queue = self._open.enter_context(EmbeddedRedis(self.data / "queue", durable=False))
        return {"FOGG_REDIS_URL": self.cluster.url, "FOGG_QUEUE_URL": queue.url}

    def store(self) -> Redis:
        return connect(self.cluster.url)

    def choose(self, chance: int) -> Node:
        """Return a random master as the target."""
        masters = [node for node in self.cluster.nodes if node.process and node.is_master]
        node = masters[chance % len(masters)]
        rows = node.client.execute_command("CLUSTER SLOTS")
        self._hit = [
            range(first, last + 1) for first, last, (_, port, *_), *_ in rows if port == node.port
        ]
        return node

    def is_hit(self, game: str) -> bool:
        slot = key_slot(GameStore.key(game, "log").encode())
        return any(slot in slots for slots in self._hit)

    def settle(self) -> None:
        """Start again what is dead, and wait until every master has its replica."""
        for node in self.cluster.nodes:
            if not node.process:
                node.start()
        self.cluster.wait_until_whole(STARTS)


def _reachable(server: EmbeddedRedis) -> tuple[str, int]:
    """Make an embedded server listen on a port of this machine; return its address."""
    port = free_port()
    with connect(server.url) as client:
        client.config_set("bind", "127.0.0.1")
        client.config_set("port", port)
        client.config_set("repl-diskless-sync-delay", 0)
    return "127.0.0.1", port


def _socket_of(server: EmbeddedRedis) -> Path:
    return Path(server.url.removeprefix("unix://"))
