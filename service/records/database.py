"""The database of the records: SQLite in a file, or PostgreSQL, by FOGG_DATABASE.

Web processes read. One process writes (``service.records.recorder``); commands that write take its
lock. Each write is one transaction, which is on disk when it ends.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from service.errors import RecordsUnavailable
from service.settings import BadSetting

SQLITE, POSTGRESQL = "sqlite", "postgresql"
WAIT_S = 10  # seconds that a writer waits for another one, on SQLite
NOT_MADE = ("42P01", "42703")  # PostgreSQL's codes of a missing table and a missing column
NO_RIGHT = "42501"  # PostgreSQL's code of a right that its user lacks
NO_TABLES = "its tables are not made yet: start the recorder (python -m service.recorder)"
# on PostgreSQL, for the rest of a transaction
TAKE_LONG = (
    "SELECT set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)"
)
REVISION = sa.text("SELECT version_num FROM alembic_version")
LOCK = 0x466F6767  # the key of the lock under which PostgreSQL writes: "Fogg"
# A full sync: what was committed survives a power cut. Readers are never kept waiting in WAL mode.
PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    f"busy_timeout={WAIT_S}000",
    "journal_size_limit=67108864",  # bytes that the file -wal keeps after a long reader has gone
)

ENDS = ("", "-wal", "-shm", "-journal")  # of the names of a SQLite database's files

# errors of statements, not of the database; "not a database" of SQLite is a plain DatabaseError
OUR_ERRORS = (
    sa.exc.DataError,
    sa.exc.IntegrityError,
    sa.exc.ProgrammingError,
    sa.exc.NotSupportedError,
)

Rows = Sequence[Mapping[str, Any]]


def sqlite_url(file: Path) -> str:
    """Return the address of a SQLite database in a file, whose name may have any character."""
    return sa.URL.create(SQLITE, database=str(file)).render_as_string()


class Database:
    """A database of records. It connects on first use."""

    def __init__(self, url: str):
        self.url = url
        self.is_limited = False  # set it if somebody waits for each answer, as in a web process

    @cached_property
    def engine(self) -> sa.Engine:
        if not self.is_sqlite:
            from service.records import postgresql  # its driver need not be there otherwise

            return postgresql.engine(self.url, is_limited=self.is_limited)
        engine = sa.create_engine(self.url)

        @sa.event.listens_for(engine, "do_connect")
        def refuse_a_missing_file(*_: object) -> None:  # SQLite would make one
            if (file := self.file) and not file.exists():
                raise RecordsUnavailable(f"there is no {file}")

        @sa.event.listens_for(engine, "connect")
        def set_up(connection: Any, record: Any) -> None:
            connection.isolation_level = None  # SQLAlchemy's BEGIN below is the only one
            for pragma in PRAGMAS:
                connection.execute(f"PRAGMA {pragma}")
            record.info["file"] = self._number_of_file()

        @sa.event.listens_for(engine, "checkout")
        def check_file(_connection: object, record: Any, _proxy: object) -> None:
            if record.info["file"] != self._number_of_file():  # it would write into a deleted file
                raise sa.exc.DisconnectionError("the file was removed or replaced")

        return engine

    def _number_of_file(self) -> int | None:
        file = self.file
        return file.stat().st_ino if file and file.exists() else None

    def refuse_unfit(self) -> None:
        """Raise BadSetting if this is a PostgreSQL that cannot hold records. One that does not
        answer counts as fit."""
        if self.is_sqlite:
            return
        from service.records import postgresql

        try:
            with suppress(RecordsUnavailable), self.reading() as db:
                postgresql.refuse_unfit(db)
        except sa.exc.ProgrammingError as error:  # an option that PostgreSQL does not have
            raise BadSetting(f"the database's address cannot be used: {error.orig}") from error

    def make_file(self) -> None:
        """Make the file of a SQLite database and its folder, unless they are there."""
        if file := self.file:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not file.exists():
                file.touch(0o600)

    def _keep_private(self) -> None:
        """Let only the owner read the file of a SQLite database, and what SQLite puts next to it:
        they have games that are not public. SQLite gives new files the rights of the first."""
        for end in ENDS if self.file else ():
            part = Path(f"{self.file}{end}")
            with suppress(OSError):  # it is not there, or another user's
                part.chmod(part.stat().st_mode & 0o700)

    def migrate(self, *, create: bool = True) -> None:
        """Bring the tables up to date. Raise RecordsUnavailable if a later version changed them or,
        without ``create``, if there are none."""
        from service.records import migrations

        self.refuse_unfit()
        if create:
            with unavailable_if_it_fails():
                self.make_file()
        with self.reading() as db:
            revision = migrations.revision_of(db)
        if not (revision or create):
            raise RecordsUnavailable(NO_TABLES)
        self._keep_private()
        if revision == self._revisions[-1]:
            return
        self._refuse_later(revision)
        with self.writing(is_migration=True) as db:
            migrations.upgrade(db)

    @cached_property
    def _revisions(self) -> list[str]:
        from service.records import migrations

        return migrations.revisions()

    def _refuse_later(self, revision: str | None) -> None:
        if revision and revision not in self._revisions:
            raise RecordsUnavailable(
                f"a later version has changed this database (revision {revision}, this version "
                f"knows {self._revisions[-1]}): start that one, or restore a backup"
            )

    @property
    def kind(self) -> str:
        return SQLITE if self.is_sqlite else POSTGRESQL

    @property
    def is_sqlite(self) -> bool:
        return self.url.startswith(SQLITE)

    @property
    def file(self) -> Path | None:
        """The file of a SQLite database, None for another one."""
        name = sa.make_url(self.url).database if self.is_sqlite else None
        return Path(name) if name else None

    @property
    def place(self) -> str:
        """Where it is, without a user and a password."""
        if file := self.file:
            return str(file.resolve())
        url = sa.make_url(self.url)
        host = url.host or url.query.get("host") or "localhost"
        port = f":{url.port}" if url.port else ""
        return f"{POSTGRESQL}://{host}{port}/{url.database}"

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Yield a connection that sees one state of the database. Raise RecordsUnavailable if the
        database does not answer."""
        with unavailable_if_it_fails(), self.engine.connect() as connection:
            if not self.is_sqlite:
                connection.execution_options(
                    isolation_level="REPEATABLE READ", postgresql_readonly=True
                )
                if not self.is_limited:
                    connection.exec_driver_sql(TAKE_LONG)
            else:
                connection.exec_driver_sql("BEGIN")
            yield connection

    @contextmanager
    def writing(self, *, is_migration: bool = False) -> Iterator[sa.Connection]:
        """Yield the connection of a transaction that no other writer is in. It is committed, and on
        disk, when the block ends; an error undoes it. Raise RecordsUnavailable if a later version
        has changed the tables."""
        with unavailable_if_it_fails(), self.engine.connect() as connection:
            if self.is_sqlite:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            else:
                connection.exec_driver_sql(TAKE_LONG)
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
            if not is_migration:
                self._refuse_later(connection.scalar(REVISION))
            yield connection
            connection.commit()

    def has(self, table: sa.Table, some_id: str) -> bool:
        """Return whether a table has a row with an id. Each creation under an idempotency key asks
        this, so it uses the driver alone, which takes a fifth of the calls."""
        mark = "?" if self.is_sqlite else "%s"
        try:
            with closing(self.engine.raw_connection()) as connection:
                cursor = connection.cursor()
                cursor.execute(f"SELECT 1 FROM {table.name} WHERE id = {mark}", (some_id,))
                return cursor.fetchone() is not None
        except (sa.exc.TimeoutError, self.engine.dialect.loaded_dbapi.Error) as error:
            raise RecordsUnavailable(str(error).partition("\n")[0]) from error

    def answers(self) -> bool:
        try:
            with self.reading() as db:
                return bool(db.scalar(sa.select(1)))
        except RecordsUnavailable:
            return False

    def close(self) -> None:
        if "engine" in self.__dict__:
            self.engine.dispose()


@contextmanager
def unavailable_if_it_fails() -> Iterator[None]:
    """Raise RecordsUnavailable for an error of the database, and while it has no tables, or not yet
    those of this version. Errors of our own statements are errors of the program, and stay as they
    are."""
    try:
        yield
    except (sa.exc.DatabaseError, sa.exc.InterfaceError, sa.exc.TimeoutError) as error:
        orig = getattr(error, "orig", None)
        why, state = str(orig or error).partition("\n")[0], getattr(orig, "sqlstate", "")
        if why.startswith(("no such table", "no such column")) or state in NOT_MADE:
            why = NO_TABLES
        elif isinstance(error, OUR_ERRORS) and state != NO_RIGHT:
            raise
        raise RecordsUnavailable(why) from error
    except OSError as error:
        raise RecordsUnavailable(str(error)) from error


def add_one(db: sa.Connection, table: sa.Table, row: Mapping[str, Any]) -> int | None:
    """Insert a row; return its number, None if its key is there already."""
    return db.execute(_adding_one(db.dialect.name, table), row).scalar()


def add(db: sa.Connection, table: sa.Table, rows: Rows) -> None:
    """Insert rows; leave out those whose key is there already."""
    if rows:
        db.execute(_adding(db.dialect.name, table), rows)


def put(db: sa.Connection, table: sa.Table, rows: Rows) -> None:
    """Insert rows, or replace those that are there under the same key."""
    if rows:
        db.execute(_replacing(db.dialect.name, table, tuple(rows[0]), is_sum=False), rows)


def add_up(db: sa.Connection, table: sa.Table, rows: Rows) -> None:
    """Add the numbers in these rows to the existing rows with the same keys, or insert them."""
    if rows:
        db.execute(_replacing(db.dialect.name, table, tuple(rows[0]), is_sum=True), rows)


# Statements that are used again, as it takes longer to make one than to run it


def _insert(dialect: str, table: sa.Table) -> Any:
    return (sqlite if dialect == SQLITE else postgresql).insert(table)


@cache
def _adding_one(dialect: str, table: sa.Table) -> Any:
    return _adding(dialect, table).returning(table.c.n)


@cache
def _adding(dialect: str, table: sa.Table) -> Any:
    return _insert(dialect, table).on_conflict_do_nothing()


@cache
def _replacing(dialect: str, table: sa.Table, names: tuple[str, ...], *, is_sum: bool) -> Any:
    new, keys = _insert(dialect, table), [column.name for column in table.primary_key]
    return new.on_conflict_do_update(
        index_elements=keys,
        set_={
            name: table.c[name] + new.excluded[name] if is_sum else new.excluded[name]
            for name in names
            if name not in keys
        },
    )
