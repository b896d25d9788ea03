"""The file of a SQLite database: its address, and who may read it."""

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from service.records import copying
from service.records.database import Database, sqlite_url
from service.records.tables import metadata

ROOT = Path(__file__).parents[3]
# text that means something in a URL, in a pattern of configparser, or in a shell
NAMES = (
    "a?b",
    "a%41b",
    "100%",
    "%(here)s",
    "a#b",
    "a&b=c",
    "a@b:c",
    "a'b\"c",
    "a b+c",
    "ü ☃",
    "a\nb",
)


@pytest.fixture
def files(tmp_path):
    """The path of a SQLite database, in a folder of its own. Everybody may read new files."""
    before = os.umask(0)
    yield tmp_path / "records" / "records.sqlite3"
    os.umask(before)


def rights(file: Path) -> dict[str, int]:
    """Return the rights of a database's files, by name."""
    return {part.name: part.stat().st_mode & 0o777 for part in file.parent.iterdir()}


@pytest.mark.parametrize("name", NAMES)
def test_a_database_is_in_the_folder_that_it_was_given(tmp_path, name):
    file = tmp_path / name / "records.sqlite3"
    with closing(Database(sqlite_url(file))) as database:
        assert database.file == file
        database.migrate()
    assert [*tmp_path.rglob("*")] == [file.parent, file]


@pytest.mark.parametrize("name", NAMES)
def test_tables_are_made_by_a_service_in_any_folder(tmp_path, name):
    """A branch's workspace is called ``feature%2Fa``."""
    (tmp_path / name).mkdir()
    for package in ("domain", "service"):
        (tmp_path / name / package).symlink_to(ROOT / package)
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            "from service.records import migrations as m; print(m.revisions(), m.__file__)",
        ],
        cwd=tmp_path / name,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said.startswith("['0001'")
    assert str(tmp_path / name) in said


def test_only_the_owner_reads_what_sqlite_writes(files):
    with closing(Database(sqlite_url(files))) as database:
        for _ in range(2):
            database.migrate()
            with database.writing() as db:
                db.execute(metadata.tables["player"].insert().values(id="p_1"))
                assert len(rights(files)) > 1
                assert {*rights(files).values()} == {0o600}
            for part in files.parent.iterdir():
                part.unlink()


def test_files_that_everybody_could_read_become_private(files):
    with closing(Database(sqlite_url(files))) as database:
        database.migrate()
        with database.reading():
            for part in files.parent.iterdir():
                part.chmod(0o644)
            database.migrate()
            assert {*rights(files).values()} == {0o600}


def test_only_the_owner_reads_what_was_restored(files, tmp_path):
    with closing(Database(sqlite_url(tmp_path / "old.sqlite3"))) as database:
        database.migrate()
    with closing(Database(sqlite_url(files))) as database:
        copying.restore(tmp_path / "old.sqlite3", database, lambda _count: None)
        assert {*rights(files).values()} == {0o600}
