"""While the database of finished games does not answer, games under way go on. Requests that need
it get a 503 with a reason, and games that end meanwhile are recorded later."""

import re

import pytest
import sqlalchemy as sa

from service import settings
from service.app import build_services
from service.http.serving import serve, services
from service.recorder import Jobs
from service.records import keeping
from service.records.database import sqlite_url
from service.records.tables import metadata
from tests.service.callers import begin, won
from tests.service.looks import sweep
from tools.postgresql import NoPostgreSQL, PostgreSQL


class SQLiteFile:
    """A file of SQLite that cannot be read for a while."""

    def __init__(self, folder):
        self.file = folder / "records.sqlite3"

    def url(self, _name: str) -> str:
        return sqlite_url(self.file)

    def go_away(self) -> None:
        for part in self.file.parent.glob(f"{self.file.name}*"):
            part.rename(part.with_name(f"kept-{part.name}"))
        self.file.write_text("no database")

    def come_back(self) -> None:
        for part in self.file.parent.glob(f"kept-{self.file.name}*"):
            part.rename(part.with_name(part.name.removeprefix("kept-")))


class Server(PostgreSQL):
    """A PostgreSQL that is stopped for a while."""

    go_away, come_back = PostgreSQL.stop, PostgreSQL.start


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.deep)])
def records(request, tmp_path):
    """A database that can go away and come back."""
    if request.param == "sqlite":
        yield SQLiteFile(tmp_path)
        return
    try:
        server = Server()
    except NoPostgreSQL as error:
        pytest.skip(str(error))
    with server:
        server.execute("CREATE DATABASE fogg1")
        yield server


@pytest.fixture
def app(redis, connection, routed, records, monkeypatch):
    """The application over this database."""
    monkeypatch.setenv(settings.DATABASE.name, records.url("fogg1"))
    serve(routed, build_services(connection))
    services(routed).games.database.migrate()
    yield routed
    services(routed).games.database.close()


NEEDED = (
    "/v1/games?status=finished",
    "/v1/games?player=me",
    "/v1/histories",
    "/v1/decisions",
    "/v1/log",
    "/v1/stats/boards/usa",
    "/v1/stats/bots",
    "/v1/leaderboards",
    "/v1/leaderboards/overall",
    "/v1/players/{player}/opponents",
    "/v1/tournaments",
    "/v1/players/{player}/ratings",
    "/v1/games/g_00000000000000000000",
)


def test_games_go_on_while_the_database_is_away(app, records, ada, grace, is_problem, caplog):
    service = services(app)
    recorder = Jobs(service)
    before = won(ada, grace)
    recorder.run()
    assert keeping.waiting(service.games)[0] == 0
    records.go_away()
    service.games.database.close()
    game = begin(ada, grace, first_seat=None)
    assert ada.view(game)["status"] == "playing"
    assert ada.get("/v1/games?status=playing").json["items"]
    over = won(ada, grace)
    assert ada.view(over)["status"] == "finished"
    assert ada.view(before)["status"] == "finished"  # from Redis
    assert ada.get(f"/v1/games/{over}/history").status_code == 200
    sweep(service.games)
    for path in NEEDED:
        problem = is_problem(ada.get(path.format(player=ada.id)), 503, "records-unavailable")
        assert "games under way go on" in problem["detail"], path
    for path in ("/healthz", "/v1/me", "/v1/boards", "/v1/pool", f"/v1/games/{game}/board.svg"):
        assert ada.get(path).status_code == 200, path
    metrics = ada.get("/metrics").text
    assert "fogg_records_up 0.0" in metrics
    assert "fogg_records_waiting 1.0" in metrics
    for _ in range(3):
        recorder.run()
    assert caplog.text.count("games that are over wait") == 1
    assert keeping.waiting(service.games)[0] == 1
    records.come_back()
    service.games.database.close()
    recorder.run()
    assert caplog.text.count("games that are over are recorded again") == 1
    assert keeping.waiting(service.games)[0] == 0
    assert {row["id"] for row in ada.get("/v1/games?status=finished").json["items"]} == {
        before,
        over,
    }
    assert "fogg_records_up 1.0" in ada.get("/metrics").text


def test_the_recorder_waits_and_goes_on(app, records, ada, grace, caplog):
    service = services(app)
    jobs = Jobs(service)
    won(ada, grace)
    records.go_away()
    service.games.database.close()
    for _ in range(3):
        jobs.run()
    assert caplog.text.count("games that are over wait") == 1
    records.come_back()
    service.games.database.close()
    jobs.run()
    assert caplog.text.count("games that are over are recorded again") == 1
    assert keeping.waiting(service.games)[0] == 0


def test_rows_that_the_database_lost_in_an_outage_are_recorded_again(app, records, ada, grace):
    """A replica that takes over, or a backup, may lack the last games; Redis still has them."""
    service = services(app)
    jobs = Jobs(service)
    game = won(ada, grace)
    jobs.run()
    records.go_away()
    service.games.database.close()
    jobs.run()
    records.come_back()
    with service.games.database.writing() as db:
        for table in reversed(metadata.sorted_tables):
            db.execute(table.delete())
    jobs.run()
    jobs.run()
    assert [line["game"] for line in ada.get("/v1/log").json["items"]] == [game]


def test_rows_that_the_database_lost_without_an_outage_are_recorded_again(
    app, records, ada, grace, caplog
):
    """Another PostgreSQL took over between two questions of the recorder."""
    service = services(app)
    jobs = Jobs(service)
    games = [won(ada, grace) for _ in range(2)]
    jobs.run()
    with service.games.database.writing() as db:
        for table in reversed(metadata.sorted_tables):
            db.execute(table.delete())
    assert ("records-differ", games[0]) in {
        (one.code, one.where) for one in keeping.findings(service.games)
    }
    for _ in range(3):
        jobs.run()
    assert {line["game"] for line in ada.get("/v1/log").json["items"]} == {*games}
    assert caplog.text.count("the database has lost rows") == 1


def test_an_old_recorder_writes_nothing_once_the_tables_are_newer(app, records, ada, grace, caplog):
    service = services(app)
    jobs = Jobs(service)
    won(ada, grace)
    jobs.run()
    set_revision = "UPDATE alembic_version SET version_num = '{}'"
    with service.games.database.writing() as db:
        revision = db.scalar(sa.text("SELECT version_num FROM alembic_version"))
        db.exec_driver_sql(set_revision.format("9999"))
    won(ada, grace)
    for _ in range(3):
        jobs.run()
    assert keeping.waiting(service.games)[0] == 1
    assert caplog.text.count("a later version has changed this database") == 1
    with service.games.database.writing(is_migration=True) as db:
        db.exec_driver_sql(set_revision.format(revision))
    jobs.run()
    assert keeping.waiting(service.games)[0] == 0


@pytest.mark.parametrize("records", ["sqlite"], indirect=True)
def test_a_long_reader_lets_the_file_of_sqlite_grow_until_it_ends(app, records, ada):
    database = services(app).games.database

    def wal_bytes() -> float:
        return float(re.search(r"^fogg_records_wal_bytes (.+)$", ada.get("/metrics").text, re.M)[1])

    def write(size: int) -> None:
        with database.writing() as db:
            db.exec_driver_sql(f"INSERT INTO big VALUES (zeroblob({size}))")

    with database.writing() as db:
        db.exec_driver_sql("CREATE TABLE big (bytes)")
    with database.reading() as db:
        db.exec_driver_sql("SELECT * FROM big").all()
        write(70_000_000)
        assert wal_bytes() > 70_000_000
    for _ in range(3):  # the first one copies all into the database, the next one begins anew
        write(1)
    assert wal_bytes() < 70_000_000


@pytest.mark.parametrize("records", ["sqlite"], indirect=True)
def test_nothing_is_recorded_in_a_file_that_was_removed(app, records, ada, grace):
    service = services(app)
    jobs = Jobs(service)
    games = [won(ada, grace)]
    jobs.run()
    for part in records.file.parent.glob(f"{records.file.name}*"):
        part.unlink()
    games.append(won(ada, grace))
    for _ in range(3):
        jobs.run()
    service.games.database.close()
    assert {line["game"] for line in ada.get("/v1/log").json["items"]} == {*games}


def test_an_inviting_account_is_a_stranger_while_the_database_is_away(
    app, records, ada, grace, mary, is_problem
):
    wish = {"board": "usa", "seats": [{"player": "me"}, {"invite": grace.id}]}
    grace.patch("/v1/me", {"invitations": {"open": 1}})
    assert mary.post("/v1/games", wish).status_code == 201
    records.go_away()
    services(app).games.database.close()
    is_problem(ada.post("/v1/games", wish), 409, "invitation-refused")
