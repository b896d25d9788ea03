"""Copies of the database: to another one, and to a file that is restored."""

from contextlib import closing
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from cli.commands.backups import backup
from cli.commands.store import check, rebuild
from service import settings
from service.app import build_services
from service.records import copying
from service.records.database import Database, sqlite_url
from service.records.games import histories
from service.records.recorder import Recorder
from service.records.tables import game, metadata
from tools.games import store_random_game


def rows(database: Database) -> dict[str, list]:
    """Return all rows of all tables."""
    with database.reading() as db:
        return {
            table.name: sorted(db.execute(sa.select(table)).all(), key=repr)
            for table in metadata.sorted_tables
        }


def record(redis, database: Database, *numbers: int) -> list[str]:
    """Record some games; return their ids."""
    games = build_services(redis).games
    ids = [
        store_random_game(games.store, games.store.boards["london"], 2, Random(number)).id
        for number in numbers
    ]
    assert Recorder(games, database).run() == len(ids)
    return ids


@pytest.fixture
def filled(redis, database_url):
    """A database with three games."""
    with closing(Database(database_url)) as database:
        database.migrate()
        record(redis, database, 1, 2, 3)
        yield database


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.deep)])
def target(request, tmp_path):
    """Another database, without tables."""
    url = sqlite_url(tmp_path / "there/records.sqlite3")
    if request.param == "postgresql":
        with (
            request.getfixturevalue("postgresql_server").database() as url,
            closing(Database(url)) as database,
        ):
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


FILE = "fogg-20260102-030405.gz"


def part_of(filled, folder: Path) -> tuple[Path, dict]:
    """Return the file with the database of a backup in a folder, and the backup's header."""
    header = copying.about(filled)
    return copying.part_of(folder / FILE, header), header


def test_a_file_is_restored(filled, target, tmp_path):
    part, header = part_of(filled, tmp_path)
    copying.write(filled, part)
    assert part.stat().st_mode & 0o077 == 0
    assert [*tmp_path.glob("*.new")] == []
    if target.is_sqlite and not filled.is_sqlite:
        with pytest.raises(copying.CannotCopy, match="is of a PostgreSQL"):
            copying.check_part(part, header, target)
        return
    copying.check_part(part, header, target)
    copying.restore(part, target, quiet)
    assert rows(target) == rows(filled)
    with pytest.raises(copying.CannotCopy, match="not empty"):
        copying.check_part(part, header, target)


def test_a_file_that_is_missing_damaged_or_of_a_later_version_is_refused(filled, tmp_path):
    part, header = part_of(filled, tmp_path)
    with pytest.raises(copying.CannotCopy, match="is missing"):
        copying.check_part(part, header, filled)
    copying.write(filled, part)
    with pytest.raises(copying.CannotCopy, match="by a later version"):
        copying.check_part(part, header | {"revision": "9999"}, filled)
    whole = part.read_bytes()
    for harm in (whole[: len(whole) // 2], b"", b"no database"):
        part.write_bytes(harm)
        with pytest.raises(copying.CannotCopy) as refused:
            copying.check_part(part, header, filled)
        assert "not empty" not in str(refused.value)


def test_a_command_takes_no_other_database_than_the_service(
    redis, redis_server, filled, tmp_path, monkeypatch
):
    """After a move, the old file is still in the data folder."""
    data, file = tmp_path / "data", tmp_path / "backup.gz"
    old = Database(f"sqlite:///{data}/records.sqlite3")
    with closing(old):
        old.migrate()
        copying.copy(filled, old, lambda rows: None)
    Recorder(build_services(redis).games, filled).begin()
    monkeypatch.setenv("FOGG_REDIS_URL", redis_server.url)
    for command in (backup, check, rebuild):
        words = [str(file)] * (command is backup) + ["--data", str(data)]
        refused = CliRunner().invoke(command, words)
        assert (refused.exit_code, f"the database {filled.place}" in refused.output) == (1, True)
        assert not file.exists()
    with settings.DATABASE.set_to(filled.url):
        done = CliRunner().invoke(backup, [str(file), "--data", str(data)])
        assert done.exit_code == 0, done.output
    file.unlink()
    Recorder(build_services(redis).games, old).begin()  # the service moves back
    assert CliRunner().invoke(backup, [str(file), "--data", str(data)]).exit_code == 0
    old.close()


def test_programs_that_are_missing_are_named(postgresql_url, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(copying.CannotCopy, match="there is no pg_dump here"):
        copying.write(Database(postgresql_url), tmp_path / "all.pgdump")


def test_a_password_is_given_to_a_program_in_its_environment_only(tmp_path, monkeypatch):
    program = tmp_path / "pg_dump"
    program.write_text('#!/bin/sh\necho "$PGPASSWORD $*" >&2; exit 1\n')
    program.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    url = "postgresql+psycopg://fogg:a%3Ab%5C@localhost/fogg?sslmode=require"
    with pytest.raises(copying.CannotCopy) as said:
        copying.write(Database(url), tmp_path / "all.pgdump")
    password, address, *_ = str(said.value).split()
    assert (password, address) == (
        "a:b\\",
        "--dbname=postgresql://fogg@localhost/fogg?sslmode=require",
    )
