"""A Redis Cluster on this machine: three masters, each with a replica, on the loopback.

with Cluster(folder) as cluster:
    client = connect(cluster.url)
    cluster.nodes[0].kill()
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

from redis import Redis, RedisError

from service.processes import Child
from service.redis.connection import server_binary
from tools.ports import free_ports

SLOTS = 16_384
NODE_TIMEOUT = 1_000  # milliseconds of silence after which a node is taken for dead


class Node:
    """One server of a cluster, which can be killed and started again on its data."""

    def __init__(self, directory: Path, port: int, bus: int):
        self.directory, self.port, self._bus = directory, port, bus
        self.client = Redis(port=port, socket_timeout=2)
        self.process: Child | None = None

    def start(self) -> None:
        """Start the server; return once it answers."""
        self.directory.mkdir(parents=True, exist_ok=True)
        settings = {
            "port": self.port,
            "cluster-port": self._bus,
            "bind": "127.0.0.1",
            "dir": self.directory,
            "cluster-enabled": "yes",
            "cluster-config-file": "nodes.conf",
            "cluster-node-timeout": NODE_TIMEOUT,
            "appendonly": "yes",
            "appendfsync": "always",
            "save": "",
            "repl-diskless-sync-delay": 0,
            "repl-ping-replica-period": 1,
            "maxmemory-policy": "noeviction",
        }
        command = [server_binary()]
        for name, value in settings.items():
            command += [f"--{name}", str(value)]
        with (self.directory / "redis.log").open("ab") as log:
            self.process = Child(command, output=log, cwd=self.directory, env={"LC_ALL": "C"})
        _wait(self._answers, f"{self.directory} does not answer")

    def kill(self) -> None:
        """End the server as a crash would."""
        if self.process:
            self.process.kill()
            self.process = None

    def stop(self) -> None:
        if self.process:
            self.process.stop()
            self.process = None

    @property
    def id(self) -> bytes:
        return self.client.execute_command("CLUSTER MYID")

    @property
    def is_master(self) -> bool:
        return self.process is not None and self.client.execute_command("ROLE")[0] == b"master"

    def _answers(self) -> bool:
        assert self.process is not None
        if not self.process.is_running:
            raise OSError(f"{self.directory}/redis.log says why it has ended")
        with suppress(RedisError, OSError):
            return bool(self.client.ping())
        return False


class Cluster:
    """Three masters and three replicas; a context manager that leaves nothing running."""

    def __init__(self, directory: Path, masters: int = 3):
        ports = free_ports(4 * masters)
        self.masters = masters
        self.nodes = [
            Node(Path(directory) / f"node{n}", ports[2 * n], ports[2 * n + 1])
            for n in range(2 * masters)
        ]
        self._buses = ports[1::2]

    @property
    def url(self) -> str:
        """The FOGG_REDIS_URL of it, with every node."""
        return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)

    def __enter__(self) -> Cluster:
        try:
            for node in self.nodes:
                node.start()
            self._join()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    def stop(self) -> None:
        for node in self.nodes:
            node.kill()
            node.client.close()

    def _join(self) -> None:
        masters, replicas = self.nodes[: self.masters], self.nodes[self.masters :]
        for number, node in enumerate(self.nodes):
            node.client.execute_command("CLUSTER SET-CONFIG-EPOCH", number + 1)
        for number, node in enumerate(masters):
            first, end = (SLOTS * n // self.masters for n in (number, number + 1))
            node.client.execute_command("CLUSTER ADDSLOTSRANGE", first, end - 1)
        for node, bus in zip(self.nodes[1:], self._buses[1:], strict=True):
            self.nodes[0].client.execute_command("CLUSTER MEET", "127.0.0.1", node.port, bus)
        _wait(
            lambda: all(
                _info(node)["cluster_known_nodes"] == str(len(self.nodes)) for node in self.nodes
            ),
            "the nodes do not find each other",
        )
        for master, replica in zip(masters, replicas, strict=True):
            replica.client.execute_command("CLUSTER REPLICATE", master.id)
        self.wait_until_whole()

    def wait_until_whole(self, timeout: float = 30) -> None:
        """Return once all slots are served, and every master that should has its replica."""

        def is_whole() -> bool:
            with suppress(RedisError, OSError):
                running = [node for node in self.nodes if node.process]
                roles = [node.client.execute_command("ROLE") for node in running]
                linked = sum(role[0] == b"slave" and role[3] == b"connected" for role in roles)
                return (
                    all(_info(node)["cluster_state"] == "ok" for node in running)
                    and sum(role[0] == b"master" for role in roles) == self.masters
                    and linked == len(running) - self.masters
                )
            return False

        _wait(is_whole, "the cluster does not become whole", timeout)

    def master_of(self, key: str) -> Node:
        for node in self.nodes:
            if node.process and node.is_master:
                slot = node.client.execute_command("CLUSTER KEYSLOT", key)
                for first, last, (_, port, *_), *_ in node.client.execute_command("CLUSTER SLOTS"):
                    if first <= slot <= last:
                        return next(node for node in self.nodes if node.port == port)
        raise LookupError(key)

    def replica_of(self, master: Node) -> Node:
        return next(
            node
            for node in self.nodes
            if node.process
            and not node.is_master
            and node.client.execute_command("ROLE")[2] == master.port
        )


def _info(node: Node) -> dict[str, str]:
    raw = node.client.execute_command("CLUSTER INFO")
    if isinstance(raw, dict):
        return raw
    return dict(line.split(":", 1) for line in raw.decode().split("\r\n") if ":" in line)


def _wait(is_so, otherwise: str, timeout: float = 30) -> None:
    end = time.monotonic() + timeout
    while not is_so():
        if time.monotonic() > end:
            raise TimeoutError(otherwise)
        time.sleep(0.05)
