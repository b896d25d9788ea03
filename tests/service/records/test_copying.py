"""Copies of the database: to another one, and to a file that is restored."""

from contextlib import closing
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa

from service.api import wiring
from service.records import copying
from service.records.games import histories
from service.records.recorder import Recorder
from service.store.sql.database import Database
from service.store.sql.tables import game, metadata
from tests.games import store_random_game


def rows(database: Database) -> dict[str, list]:
    """Return all rows of all tables."""
    with database.reading() as db:
        return {table.name: sorted(db.execute(sa.select(table)).all(), key=repr)
                for table in metadata.sorted_tables}


def record(redis, database: Database, *numbers: int) -> list[str]:
    """Record some games; return their ids."""
    games = wiring.services(redis).games
    ids = [store_random_game(games.store, games.store.boards["london"], 2, Random(number)).id
           for number in numbers]
    assert Recorder(games, database).run() == len(ids)
    return ids


@pytest.fixture
def filled(redis, database_url):
    """A database with three games."""
    with closing(Database(database_url)) as database:
        database.migrate()
        record(redis, database, 1, 2, 3)
        yield database


@pytest.fixture(params=["sqlite", "postgresql"])
def target(request, tmp_path):
    """Another database, without tables."""
    url = f"sqlite:///{tmp_path}/there/records.sqlite3"
    if request.param == "postgresql":
        with (request.getfixturevalue("postgresql_server").database() as url,
              closing(Database(url)) as database):
            yield database
        return
    with closing(Database(url)) as database:
        yield database


def quiet(_count: int) -> None:
    """Show no progress."""


def test_a_database_moves_to_another_which_goes_on_counting(redis, filled, target):
    before = rows(filled)
    assert copying.copy(filled, target, quiet) == sum(map(len, before.values()))
    assert rows(target) == before
    [new] = record(redis, target, 4)
    with target.reading() as db:
        assert db.scalar(sa.select(sa.func.max(game.c.n))) == 4
        assert histories(db, [new])
    with pytest.raises(copying.CannotCopy, match="not empty"):
        copying.copy(filled, target, quiet)


def test_a_file_is_restored(filled, target, tmp_path):
    part = copying.part_of(tmp_path / "fogg-20260102-030405.gz", filled.kind)
    copying.write(filled, part)
    assert part.stat().st_mode & 0o077 == 0
    assert [*tmp_path.glob("*.new")] == []
    if target.is_sqlite and not filled.is_sqlite:
        with pytest.raises(copying.CannotCopy, match="is of a PostgreSQL"):
            copying.restore(part, filled.kind, target, quiet)
        return
    copying.restore(part, filled.kind, target, quiet)
    assert rows(target) == rows(filled)
    with pytest.raises(copying.CannotCopy, match="not empty"):
        copying.restore(part, filled.kind, target, quiet)


def test_a_file_that_is_missing_damaged_or_of_a_later_version_is_refused(filled, tmp_path):
    file = tmp_path / "fogg-20260102-030405.gz"
    header, part = copying.about(filled), copying.part_of(file, filled.kind)
    with pytest.raises(copying.CannotCopy, match="is missing"):
        copying.check_part(file, header)
    copying.write(filled, part)
    assert copying.check_part(file, header) == part
    with pytest.raises(copying.CannotCopy, match="by a later version"):
        copying.check_part(file, header | {"revision": "9999"})
    whole = part.read_bytes()
    for harm in (whole[: len(whole) // 2], b"", b"no database"):
        part.write_bytes(harm)
        with pytest.raises(copying.CannotCopy):
            copying.check_part(file, header)


def test_programs_that_are_missing_are_named(postgresql_url, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(copying.CannotCopy, match="there is no pg_dump here"):
        copying.write(Database(postgresql_url), tmp_path / "all.pgdump")


def test_a_password_is_in_a_file_that_is_gone_afterwards(tmp_path):
    url = "postgresql+psycopg://fogg:a%3Ab%5C@localhost/fogg"
    with copying.address_of(Database(url)) as address:
        file = Path(str(sa.make_url(address.removeprefix("--dbname=")).query["passfile"]))
        assert "a:b" not in address
        assert file.read_text() == "*:*:*:*:a\\:b\\\\"
    assert not file.exists()
