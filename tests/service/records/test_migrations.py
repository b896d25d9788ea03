"""Migrations: the tables are those of the metadata, and a revision only adds."""

from contextlib import closing

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from service.errors import RecordsUnavailable
from service.records import migrations
from service.records.database import Database
from service.records.tables import game, metadata


@pytest.fixture
def database(database_url):
    """An empty database, without tables."""
    with closing(Database(database_url)) as database:
        database.make_file()
        yield database


def columns(db: sa.Connection) -> set[tuple[str, str, str, bool]]:
    """Return all columns of all tables: table, name, type and whether it can be left out."""
    seen = sa.inspect(db)
    return {
        (table, row["name"], str(row["type"]), row["nullable"] or bool(row["default"]))
        for table in seen.get_table_names()
        for row in seen.get_columns(table)
    }


def test_migrations_make_the_tables_of_the_metadata(database):
    database.migrate()
    database.migrate()
    with database.reading() as db:
        differences = compare_metadata(
            MigrationContext.configure(
                db,
                opts={
                    "compare_type": True,
                    "include_name": lambda name, kind, _: (
                        kind != "table" or name in metadata.tables
                    ),
                },
            ),
            metadata,
        )
    assert [row for row in differences if "comment" not in str(row[0])] == [], (
        "write a revision; before the first release, python -m tools.generators.first_tables"
    )


def test_a_revision_only_adds(database):
    """Processes of the version before go on reading: no table or column goes or changes, and they
    can write without the new columns."""
    before: set[tuple[str, str, str, bool]] = set()
    for revision in migrations.revisions():
        with database.writing(is_migration=True) as db:
            migrations.upgrade(db, revision)
        with database.reading() as db:
            after = columns(db)
        tables = {table for table, *_ in before}
        assert before <= after
        assert all(
            can_be_left_out for table, *_, can_be_left_out in after - before if table in tables
        )
        before = after


def test_a_database_without_tables_is_said_to_be_unavailable(database):
    with pytest.raises(RecordsUnavailable, match="not made yet"), database.reading() as db:
        db.execute(sa.select(game.c.id)).all()


def test_a_database_of_a_later_version_is_read_and_not_written(database):
    database.migrate()
    with database.writing() as db:
        db.exec_driver_sql("ALTER TABLE game ADD COLUMN later TEXT")
        db.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with database.reading() as db:
        assert db.execute(sa.select(game)).all() == []
    with pytest.raises(RecordsUnavailable, match="a later version"):
        database.migrate()
