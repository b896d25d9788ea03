"""Copies of the whole database: to another one, and to a file for a backup.

The file is a SQLite database, made by SQLite's own backup function, or what ``pg_dump`` writes.
"""

import os
import sqlite3
import subprocess
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa

from service.eventlog.backup import NOT_EMPTY, CannotCopy
from service.records import migrations
from service.records.database import POSTGRESQL, SQLITE, Database, sqlite_url
from service.records.tables import metadata
from service.redis.batches import batches_of

BATCH_SIZE = 500  # rows that are copied together
SUFFIXES = {SQLITE: ".sqlite3", POSTGRESQL: ".pgdump"}  # of the file, by the kind of database

Progress = Callable[[int], object]


def is_empty(database: Database) -> bool:
    """Return whether a database has no rows, or no tables."""
    if database.file and not database.file.exists():
        return True
    with database.reading() as db:
        return _has_no_rows(db)


def _has_no_rows(db: sa.Connection) -> bool:
    return migrations.revision_of(db) is None or not any(
        db.execute(sa.select(sa.literal(1)).select_from(table).limit(1)).first()
        for table in metadata.sorted_tables
    )


def copy(source: Database, target: Database, progress: Progress) -> int:
    """Copy all rows to an empty database, while nobody writes to either; return their number. Rows
    keep their numbers. Raise CannotCopy if the target is not empty."""
    source.migrate(create=False)
    target.migrate()
    done = 0
    with source.writing() as db, target.writing() as there:
        if not _has_no_rows(there):
            raise CannotCopy("the database to copy to is not empty")
        for table in metadata.sorted_tables:
            rows = db.execute(sa.select(table), execution_options={"yield_per": BATCH_SIZE})
            for some in batches_of(BATCH_SIZE, rows.mappings()):
                there.execute(sa.insert(table), [dict(row) for row in some])
                progress(done := done + len(some))
        _set_sequences(there)
    return done


def _set_sequences(db: sa.Connection) -> None:
    """Set PostgreSQL's sequences, so that new rows get higher numbers than the copied ones."""
    for table in metadata.sorted_tables if db.dialect.name == POSTGRESQL else ():
        column = table.autoincrement_column
        if column is not None:
            db.execute(
                sa.select(
                    sa.func.setval(
                        sa.func.pg_get_serial_sequence(table.name, column.name),
                        sa.select(sa.func.coalesce(sa.func.max(column), 0) + 1).scalar_subquery(),
                        False,
                    )
                )
            )


def about(database: Database) -> dict[str, str]:
    """Return the header's description of the database in a backup, empty if there are no rows."""
    with database.reading() as db:
        if _has_no_rows(db):
            return {}
        return {"records": database.kind, "revision": str(migrations.revision_of(db))}


def part_of(file: Path, header: Mapping[str, str]) -> Path | None:
    """Return the file with the database that belongs to a backup, None if there is none."""
    return file.with_suffix(SUFFIXES[header["records"]]) if "records" in header else None


def check_part(part: Path, header: Mapping[str, str], target: Database) -> None:
    """Raise CannotCopy if the file with the database is missing, damaged or of a later version, or
    if it cannot be restored into the target."""
    if not part.exists():
        raise CannotCopy(
            f"{part} is missing, which belongs to this backup: it has the games that are over"
        )
    if header["revision"] not in migrations.revisions():
        raise CannotCopy(
            f"{part} was written by a later version (revision {header['revision']}): "
            "restore it by that one"
        )
    if header["records"] == POSTGRESQL and target.is_sqlite:
        raise CannotCopy(f"{part} is of a PostgreSQL: name one by FOGG_DATABASE to restore it into")
    check(part, header["records"])
    if not is_empty(target):
        raise CannotCopy(NOT_EMPTY.format("this database"))


def write(database: Database, file: Path) -> None:
    """Copy a database to a file that only its owner may read, while it is in use. The file gets its
    name once it is complete."""
    new = file.with_name(file.name + ".new")
    new.unlink(missing_ok=True)
    new.touch(0o600)
    try:
        if database.file:
            _copy_sqlite(database.file, new)
        else:
            _run("pg_dump", "--format=custom", "--no-owner", f"--file={new}", database=database)
        check(new, database.kind)
        with new.open("rb+") as raw:
            os.fsync(raw.fileno())
        new.replace(file)
    finally:
        new.unlink(missing_ok=True)


def check(file: Path, kind: str) -> None:
    """Raise CannotCopy unless a file is a whole copy of a database."""
    if kind == POSTGRESQL:
        _run("pg_restore", f"--file={os.devnull}", str(file))
        return
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as db:
            db.execute("SELECT n FROM game LIMIT 1")
            [[said]] = db.execute("PRAGMA integrity_check(1)")
    except sqlite3.Error as error:
        said = str(error)
    if said != "ok":
        raise CannotCopy(f"{file} is damaged: {said}")


def restore(file: Path, database: Database, progress: Progress) -> None:
    """Restore a file that ``check_part`` has checked into an empty database. A pg_dump goes into
    PostgreSQL only, a SQLite file into either. Bring its tables up to date."""
    if file.suffix == SUFFIXES[POSTGRESQL]:
        _run(
            "pg_restore",
            "--no-owner",
            "--clean",
            "--if-exists",
            "--exit-on-error",
            "--single-transaction",
            str(file),
            database=database,
        )
    elif database.file:
        database.make_file()
        _copy_sqlite(file, database.file)
    else:
        with TemporaryDirectory() as folder:
            scratch = Path(folder) / "records.sqlite3"
            _copy_sqlite(file, scratch)
            with closing(Database(sqlite_url(scratch))) as source:
                copy(source, database, progress)
    database.migrate()


def _copy_sqlite(file: Path, to: Path) -> None:
    """Copy one state of a SQLite database. In WAL mode, writers do not wait."""
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(to)) as target:
        source.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")  # so that it is one file


def _run(program: str, *words: str, database: Database | None = None) -> None:
    """Run a program of PostgreSQL's. A password is in its environment, as everybody on this machine
    may read a program's options."""
    env = dict(os.environ)
    if database:
        url = sa.make_url(database.url).difference_update_query(["prepare_threshold"])
        address = sa.URL.create(
            POSTGRESQL, url.username, None, url.host, url.port, url.database, url.query
        )
        words = (f"--dbname={address.render_as_string()}", *words)
        if url.password:
            env["PGPASSWORD"] = str(url.password)
    try:
        subprocess.run([program, *words], check=True, capture_output=True, text=True, env=env)
    except FileNotFoundError as error:
        raise CannotCopy(
            f"there is no {program} here: install PostgreSQL's client programs, of "
            "the server's version or a later one"
        ) from error
    except subprocess.CalledProcessError as error:
        raise CannotCopy(error.stderr.strip().partition("\n")[0]) from error
