"""Views of the records: they hold the same as the tables that ``fogg export --sqlite`` makes."""

import sqlite3
from contextlib import closing
from random import Random

import pytest

from cli.export.tables import TableFile
from domain.boards import load_folder
from service import settings
from service.app import build_services
from service.http.serving import serve
from service.records.recorder import Recorder
from service.records.views import VIEWS
from tests.service.callers import Caller
from tools.games import store_random_game
from tools.generators.readme import BLOCK, ROOT

QUESTIONS = [
    text
    for language, text in BLOCK.findall((ROOT / "docs/research.md").read_text())
    if language == "sql"
]
GAMES = [("usa", 2), ("usa", 3), ("europe", 2), ("paris", 4)]


@pytest.fixture
def games(redis, connection, routed, database_url, monkeypatch):
    """The games of a service whose records are in SQLite or PostgreSQL."""
    monkeypatch.setenv(settings.DATABASE.name, database_url)
    served = build_services(connection)
    with closing(served.games.database) as database:
        database.migrate()
        serve(routed, served)
        yield served.games


@pytest.fixture
def file(games, routed, tmp_path):
    """A file as ``fogg export --sqlite`` makes it, from random games that were recorded."""
    for number, (board, seats) in enumerate(GAMES * 2):
        store_random_game(games.store, load_folder()[board], seats, Random(number))
    assert Recorder(games, games.database).run() == len(GAMES) * 2
    path = tmp_path / "games.sqlite3"
    made = TableFile(path, client=None)
    for line in Caller(routed).get("/v1/histories").get_data().splitlines():
        made.write(line)
    made.close()
    with closing(sqlite3.connect(path)) as db:
        yield db


def test_a_file_and_the_records_hold_the_same_and_answer_the_same(games, file):
    with games.database.reading() as db:
        for name, view in VIEWS.items():
            statement = f"SELECT * FROM {name} ORDER BY {view.key}"
            told = db.exec_driver_sql(statement)
            assert list(told.keys()) == [column.name for column in view.columns]
            rows = list(map(tuple, told))
            assert rows == file.execute(statement).fetchall(), name
            assert name == "ratings" or rows
        assert len(QUESTIONS) == 8
        for question in QUESTIONS:
            told = numbers(db.exec_driver_sql(question))
            assert told == numbers(file.execute(question)), question


def numbers(rows) -> list[list]:
    """Rows with numbers of one type, as PostgreSQL answers means as decimals."""
    return [
        [value if isinstance(value, str | None) else float(value) for value in row] for row in rows
    ]
