"""Connections to PostgreSQL: their settings, how long a web process waits, what is refused.

All processes give their connections the same settings. So a pooler may hand the connection of one
to another, between two transactions.
"""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gevent
import psycopg
import sqlalchemy as sa
from psycopg.errors import LockNotAvailable, QueryCanceled

from service.settings import BadSetting

WAIT_S = 10  # for a connection, where nobody waits for the answer of a web process
# when a host that does not answer counts as gone, in seconds and milliseconds
GONE = {"connect_timeout": WAIT_S, "tcp_user_timeout": 2 * WAIT_S * 1000}
CONNECTIONS = 4  # of each process: 20 web processes stay below PostgreSQL's 100
STATEMENT_MS = 1_000  # after which PostgreSQL cancels a statement that may not take long
LOCK_MS = 900  # after which it cancels one that waits for a lock
ANSWER_S = 1.25  # after which a web process gives up, as a frozen server cancels nothing
SILENT_S = 1.0  # for which it asks nothing then
SETTINGS = {
    # PostgreSQL plans for a player with an average number of games: it would read and sort all
    # games of one who has thousands, instead of reading the first along an index
    "enable_sort": "off",
    "jit": "off",  # it would compile each plan with a sort, as that now seems to cost so much
    "extra_float_digits": 1,  # a number is read as it was written
    "statement_timeout": STATEMENT_MS,
    "lock_timeout": LOCK_MS,
}
FITNESS = sa.text(
    "SELECT current_setting('server_encoding'), to_regclass('alembic_version') IS NOT NULL"
    " OR has_schema_privilege(current_schema(), 'CREATE')"
)


class NoAnswer(QueryCanceled):
    """The server did not answer in time."""


class Patience:
    """How long this web process waits for its database: once it did so in vain, not at all for a
    while, as one request may ask several times, and many may ask at once."""

    def __init__(self) -> None:
        self._silent_until = 0.0

    def forget(self) -> None:
        self._silent_until = 0.0

    def check(self) -> None:
        if time.monotonic() < self._silent_until:
            raise sa.exc.TimeoutError("it did not answer in time, and is asked again soon")

    @contextmanager
    def limit(self, error: Exception) -> Iterator[None]:
        """Raise the error if the block waits for too long."""
        try:
            with gevent.Timeout(ANSWER_S, error):
                yield
        except (NoAnswer, LockNotAvailable, sa.exc.TimeoutError):  # not: a statement that is slow
            self._silent_until = time.monotonic() + SILENT_S
            raise


PATIENCE = Patience()


class LimitedConnection(psycopg.Connection[Any]):
    """A connection of a web process, closed when its server does not answer in time."""

    def wait(self, *args: Any, **options: Any) -> Any:
        try:
            with PATIENCE.limit(NoAnswer(f"it did not answer within {ANSWER_S} s")):
                return super().wait(*args, **options)
        except (NoAnswer, sa.exc.TimeoutError):
            self.close()
            raise


class LimitedPool(sa.QueuePool):
    """The connections of a web process. ``connect`` also waits for one that is free."""

    def connect(self) -> sa.PoolProxiedConnection:
        PATIENCE.check()
        with PATIENCE.limit(sa.exc.TimeoutError(f"no connection within {ANSWER_S} s")):
            connection = super().connect()
        try:
            PATIENCE.check()  # it may have waited together with others
        except sa.exc.TimeoutError:
            connection.close()
            raise
        return connection


def engine(url: str, *, is_limited: bool) -> sa.Engine:
    """Return the engine of a database; with ``is_limited``, one that never waits for long."""
    address = sa.make_url(url)
    options: dict[str, Any] = {**GONE, "client_encoding": "utf8"}
    if threshold := address.query.get("prepare_threshold"):
        options["prepare_threshold"] = _threshold(str(threshold))
    created = sa.create_engine(
        address,
        poolclass=LimitedPool if is_limited else sa.QueuePool,
        pool_size=CONNECTIONS,
        max_overflow=0,
        pool_pre_ping=True,
        pool_timeout=WAIT_S,
        connect_args=options,
    )

    @sa.event.listens_for(created, "connect")
    def set_up(connection: Any, _record: object) -> None:
        for name, value in SETTINGS.items():
            connection.execute(f"SET {name} = {value}")
        connection.commit()

    if is_limited:
        PATIENCE.forget()

        @sa.event.listens_for(created, "do_connect")
        def connect(_dialect: object, _record: object, args: Any, options: Any) -> Any:
            return LimitedConnection.connect(*args, **options)

    return created


def _threshold(text: str) -> int | None:
    """Return how often a statement is run before psycopg prepares it, None for never."""
    if text == "none":
        return None
    if not re.fullmatch("[0-9]{1,9}", text):
        raise BadSetting(
            f"the database's address has the prepare_threshold {text!r}; it should be a whole "
            "number or none"
        )
    return int(text)


def refuse_unfit(db: sa.Connection) -> None:
    """Raise BadSetting if a database has the wrong encoding, or has no tables and its user may make
    none."""
    encoding, is_usable = db.execute(FITNESS).one()
    if encoding != "UTF8":
        raise BadSetting(
            f"the database of the records has the encoding {encoding}; it should be UTF8 (CREATE "
            "DATABASE ... ENCODING 'UTF8' TEMPLATE template0)"
        )
    if not is_usable:
        raise BadSetting(
            "the user of the database of the records may not make tables in it; it should be the "
            "database's owner, or have CREATE on its schema"
        )
