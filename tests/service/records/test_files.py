"""The file of a SQLite database: its address, and who may read it."""

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from service.records import copying
from service.records.database import Database, sqlite_url
from service.records.tables import player

ROOT = Path(__file__).parents[3]
# text that means something in a URL, or in configparser
NAMES = ("a?b", "feature%2Fa", "100%", "%(here)s", "a#b&c=d@e:1", 'it\'s "ü"\n')


@pytest.fixture
def files(tmp_path):
    """The path of a SQLite database, in a folder of its own. Everybody may read new files."""
    before = os.umask(0)
    yield tmp_path / "records" / "records.sqlite3"
    os.umask(before)


def rights(file: Path) -> list[int]:
    """Return the rights of a database's files."""
    return [part.stat().st_mode & 0o777 for part in file.parent.iterdir()]


@pytest.mark.parametrize("name", NAMES)
def test_a_database_is_in_the_folder_that_it_was_given(tmp_path, name):
    file = tmp_path / name / "records.sqlite3"
    with closing(Database(sqlite_url(file))) as database:
        assert database.file == file
        database.migrate()
    assert [*tmp_path.rglob("*")] == [file.parent, file]


@pytest.mark.parametrize("name", NAMES)
def test_a_service_in_any_folder_finds_its_migrations(tmp_path, name):
    (tmp_path / name).mkdir()
    for package in ("domain", "service"):
        (tmp_path / name / package).symlink_to(ROOT / package)
    call = "from service.records import migrations; print(migrations.revisions())"
    done = subprocess.run([sys.executable, "-c", call], cwd=tmp_path / name, capture_output=True)
    assert done.stdout.startswith(b"['0001'"), done.stderr


def test_only_the_owner_reads_a_database(files, tmp_path):
    old = tmp_path / "old.sqlite3"
    with closing(Database(sqlite_url(old))) as database:
        database.migrate()
    with closing(Database(sqlite_url(files))) as database:
        for make in (database.migrate, lambda: copying.restore(old, database, print)):
            make()
            assert {*rights(files)} == {0o600}
            with database.writing() as db:
                db.execute(player.insert().values(id="p_1"))
                assert rights(files) == [0o600] * 3
                for part in files.parent.iterdir():
                    part.chmod(0o644)
            database.migrate()
            assert rights(files) == [0o600] * 3
            for part in files.parent.iterdir():  # while it is in use
                part.unlink()
