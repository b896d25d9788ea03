"""The service in real processes, as ``fogg up`` runs it, with links that can be cut between it, its
clients and its Redis.

``Machine`` has the embedded Redis; ``tools.faults.replicas`` has those with several. Linux only.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.request
from contextlib import ExitStack, suppress
from pathlib import Path

import libfaketime
from redis import Redis

from service import settings
from service.processes import Child
from service.records.database import Database, sqlite_url
from service.redis.connection import connect, server_binary
from tools.faults.links import Link
from tools.ports import free_port

FOGG = [sys.executable, "-m", "cli"]
MEGABYTES = 128  # of a disk that can be full
STARTS = 60  # seconds
# The embedded Redis listens next to the address that clients use, where the link is. Of
# two options of one name the last counts.
BESIDE = """#!/bin/sh
case "$PWD" in
  */redis) exec {server} "$@" --unixsocket "$PWD/beside.sock" ;;
  *) exec {server} "$@" ;;
esac
"""
CLOCK = Path(libfaketime.__file__).parent / "vendor/libfaketime/src/libfaketime.so.1"


class World:
    """The service, two web processes and a worker, watched over by ``fogg up``; a context manager.

    ``url`` is where clients find it, over the link ``clients``; ``direct`` is its own address. The
    processes' output goes to files in ``data``.
    """

    redis_link: Link | None = None

    def __init__(self, data: Path):
        self.data = data
        self.clock = data / "clock"  # how many seconds the service's clock is wrong
        self.ends: list[str] = []  # when ``fogg up`` ended by itself, its last words
        self._open = ExitStack()

    def __enter__(self) -> World:
        self.data.mkdir(parents=True, exist_ok=True)
        self.set_clock(0)
        port = free_port()
        self.direct = f"http://127.0.0.1:{port}"
        try:
            self._env = self.begin()
            self.clients = self._open.enter_context(Link(("127.0.0.1", 0), ("127.0.0.1", port)))
            self.url = f"http://127.0.0.1:{self.clients.listens[1]}"
            self.up = self._start()
            self.wait_until_ready()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        if hasattr(self, "up"):
            self.up.stop(20)
        self._open.close()

    def begin(self) -> dict[str, str]:
        """Start what the service needs; return the settings that it finds it by."""
        raise NotImplementedError

    def store(self) -> Redis:
        """Return a client of the Redis that counts, over no link."""
        raise NotImplementedError

    def settle(self) -> None:
        """Make whole again what does not mend by itself after a fault."""

    def is_hit(self, game: str) -> bool:
        """Return whether a game may not go on because of the last fault."""
        return True

    def set_clock(self, seconds: float) -> None:
        """Set the clocks of all processes wrong by so much; they check once a second."""
        self.clock.write_text(f"{seconds:+g}\n")

    def mend(self) -> None:
        """Start ``fogg up`` again if it has ended."""
        if not self.up.is_running:
            self.ends.append(self._log.read_text(errors="replace")[-1500:])
            self.up.kill()
            self.up = self._start()

    def crash(self) -> None:
        """Kill everything at once, as if the machine had lost power, and start it again."""
        processes = [self.up.pid, *self.pids("all")]
        signal_all(processes[:1], "STOP")  # it would start again what dies first
        signal_all([*processes[1:], *processes[:1]], "KILL")
        self.up.kill()
        self.up = self._start()

    def pids(self, what: str) -> list[int]:
        """Return the processes that ``fogg up`` has started: those of one kind, or all."""
        rows = _processes()
        below = _below(self.up.pid, rows)
        masters = [
            pid for pid in below if rows[pid][0] == self.up.pid and "service.web" in rows[pid][1]
        ]
        webs = [pid for pid in below if rows[pid][0] in masters]
        return {
            "all": below,
            "web": webs,
            "master": masters,
            "web all": masters + webs,
            "worker": [pid for pid in below if rows[pid][1].endswith(" -m workers")],
            "recorder": [pid for pid in below if rows[pid][1].endswith(" -m service.recorder")],
            "deliveries": [pid for pid in below if rows[pid][1].endswith(" workers deliveries")],
            "redis": [pid for pid in below if _folder(pid) == self.data / "redis"],
            "queue": [pid for pid in below if _folder(pid) == self.data / "queue"],
        }[what]

    @property
    def records(self) -> Database:
        return Database(
            os.environ.get(settings.DATABASE.name) or sqlite_url(self.data / "records.sqlite3")
        )

    def is_ready(self) -> bool:
        with suppress(OSError), urllib.request.urlopen(f"{self.direct}/readyz", timeout=2):
            return True
        return False

    def wait_until_ready(self) -> None:
        end = time.monotonic() + STARTS
        while not self.is_ready():
            if time.monotonic() > end or not self.up.is_running:
                raise RuntimeError(f"fogg up is not ready: {self._log.read_text()[-3000:]}")
            time.sleep(0.05)

    @property
    def _log(self) -> Path:
        return self.data / "up.log"

    def _start(self) -> Child:
        with self._log.open("ab") as output:
            return Child(
                [
                    *FOGG,
                    "up",
                    "--port",
                    self.direct.rpartition(":")[2],
                    "--web",
                    "2",
                    "--data",
                    str(self.data),
                    "--json",
                ],
                env=self._env,
                output=output,
            )

    def _clock_settings(self) -> dict[str, str]:
        return {
            "LD_PRELOAD": str(CLOCK),
            "FAKETIME_TIMESTAMP_FILE": str(self.clock),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_DISABLE_SHM": "1",
        }


class Machine(World):
    """One machine: ``fogg up`` with its own Redis, whose disk can be full if ``own_disk``."""

    def __init__(self, data: Path, *, own_disk: bool = False, own_clock: bool = False):
        super().__init__(data)
        self._has_own_disk, self._has_own_clock = own_disk, own_clock

    def begin(self) -> dict[str, str]:
        folder = self.data / "redis"
        folder.mkdir(mode=0o700)
        if self._has_own_disk:
            subprocess.run(
                ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m,mode=700", "tmpfs", folder],
                check=True,
            )
            self._open.callback(subprocess.run, ["umount", "--lazy", folder], check=True)
        if self._has_own_clock:
            self._open.callback(forget_clocks)
        beside = self.data / "redis-server"
        beside.write_text(BESIDE.format(server=server_binary()))
        beside.chmod(0o700)
        self.redis_link = self._open.enter_context(
            Link(folder / "redis.sock", folder / "beside.sock")
        )
        return {"FOGG_REDIS_SERVER": str(beside)} | (
            self._clock_settings() if self._has_own_clock else {}
        )

    def store(self) -> Redis:
        return connect(f"unix://{self.data}/redis/beside.sock", retry=False)

    def tear(self, size: int) -> None:
        """Kill Redis, and cut so many bytes off the end of its file."""
        signal_all([self.up.pid], "STOP")  # it would start Redis again at once
        try:
            signal_all(self.pids("redis"), "KILL")
            files = sorted(
                (self.data / "redis" / "appendonlydir").glob("*.incr.aof"),
                key=lambda path: path.stat().st_mtime_ns,
            )
            os.truncate(files[-1], max(0, files[-1].stat().st_size - size))
        finally:
            signal_all([self.up.pid], "CONT")

    def fill_disk(self) -> None:
        room = os.statvfs(self.data / "redis")
        with (self.data / "redis" / "ballast").open("wb") as ballast, suppress(OSError):
            os.posix_fallocate(ballast.fileno(), 0, room.f_bavail * room.f_bsize)

    def free_disk(self) -> None:
        (self.data / "redis" / "ballast").unlink(missing_ok=True)


def forget_clocks() -> None:
    """Remove what processes with a clock of their own have left in memory that are killed."""
    for path in Path("/dev/shm").glob("*faketime_*"):
        if not Path("/proc", path.name.rpartition("_")[2]).exists():
            path.unlink(missing_ok=True)


def signal_all(pids: list[int], name: str) -> None:
    """Send a signal to processes, those that still are."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, getattr(signal, f"SIG{name}"))


def _processes() -> dict[int, tuple[int, str]]:
    """Return the parent and the command line of every process."""
    processes = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            words = (folder / "cmdline").read_bytes().rstrip(b"\0").replace(b"\0", b" ")
            processes[int(folder.name)] = parent, words.decode(errors="replace")
    return processes


def _below(pid: int, rows: dict[int, tuple[int, str]]) -> list[int]:
    children = [child for child, (parent, _) in rows.items() if parent == pid]
    return children + [below for child in children for below in _below(child, rows)]


def _folder(pid: int) -> Path | None:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cwd").readlink()
    return None
