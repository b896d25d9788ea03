"""PostgreSQL: one that does not fit is refused, one that hangs keeps nobody waiting."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager

import pytest
import sqlalchemy as sa
import urllib3
from fogg_client.client import Client

from service.errors import RecordsUnavailable
from service.records import copying
from service.records.database import Database
from service.records.tables import player
from service.settings import BadSetting
from tests.servers import WebService
from tests.waiting import until

pytestmark = pytest.mark.deep
WITHIN_S = 4.0  # two seconds for the service, and two for a busy machine
READERS = 12  # at once: more than there are connections
GAME = {"board": "london", "seats": [{"player": "me"}, {"open": True}]}
OTHER_ENCODING = "TEMPLATE template0 LOCALE_PROVIDER libc ENCODING"
STARTS = (
    ["-m", "cli", "up", "--port", "0", "--workers", "0"],
    ["-m", "cli", "check"],
    ["-m", "service.web"],
    ["-m", "service.recorder"],
)


@pytest.fixture
def database(postgresql_url):
    with closing(Database(postgresql_url)) as database:
        database.migrate()
        yield database


def connected(url: str) -> sa.Connection:
    """Return a connection without any of the service's settings."""
    return sa.create_engine(url, poolclass=sa.NullPool, isolation_level="AUTOCOMMIT").connect()


# a database that hangs


@contextmanager
def locked(url: str):
    """Lock the table of games, as VACUUM FULL does."""
    with connected(url) as other:
        other.exec_driver_sql("BEGIN; LOCK TABLE game IN ACCESS EXCLUSIVE MODE")
        yield


@pytest.mark.parametrize("fault", ["frozen", "locked"])
def test_a_database_that_hangs_keeps_nobody_waiting(
    database, postgresql_server, redis, redis_server, fault
):
    with WebService(redis_server.url, database.url, "service.app:create_app()") as service:
        account = {"Authorization": f"Bearer {Client(service.url).sign_up('Ada').token}"}

        def ask(method: str, path: str, **options) -> tuple[int, bytes]:
            address = service.url + path
            answer = urllib3.request(method, address, timeout=WITHIN_S, retries=False, **options)
            return answer.status, answer.data

        def create(**key: str) -> tuple[int, bytes]:
            return ask("POST", "/v1/games", json=GAME, headers=account | key)

        def finished(_number: int = 0) -> int:
            return ask("GET", "/v1/games?status=finished")[0]

        assert finished() == 200
        with postgresql_server.frozen() if fault == "frozen" else locked(database.url):
            assert create()[0] == 201
            game = create(**{"Idempotency-Key": "once"})
            assert game[0] == 201
            assert create(**{"Idempotency-Key": "once"}) == game
            with ThreadPoolExecutor(READERS) as readers:
                assert {*readers.map(finished, range(READERS))} == {503}
            status, metrics = ask("GET", "/metrics")
            assert (status, b"fogg_records_up 0.0" in metrics) == (200, True)
            assert ask("GET", "/v1/games/g_00000000000000000000")[0] == 503
        until(lambda: finished() == 200)


def test_work_in_which_nobody_waits_may_take_long(database):
    for block in (database.reading, database.writing):
        with block() as db:
            assert db.exec_driver_sql("SHOW statement_timeout").scalar() == "0"
    database.close()
    database.is_limited = True
    with database.reading() as db, pytest.raises(sa.exc.OperationalError, match="timeout"):
        db.exec_driver_sql("SELECT pg_sleep(60)")


# settings of a connection


@pytest.mark.parametrize("setting", ["client_encoding = 'LATIN1'", "extra_float_digits = 0"])
def test_texts_and_numbers_are_read_as_they_were_written(postgresql_server, setting):
    with postgresql_server.database() as url:
        name = sa.make_url(url).database
        postgresql_server.execute(f"ALTER DATABASE {name} SET {setting}")
        with closing(Database(url)) as database, database.reading() as db:
            row = db.exec_driver_sql("SELECT chr(9731), 0.1::float8 + 0.2::float8")
            assert [*row] == [("☃", 0.1 + 0.2)]


def test_no_plan_is_compiled(database):
    """A disabled sort seems to cost so much that PostgreSQL would compile each plan with one."""
    query = "EXPLAIN ANALYZE SELECT id FROM game ORDER BY head"
    with connected(database.url) as other:
        if not other.exec_driver_sql("SELECT pg_jit_available()").scalar():
            pytest.skip("this PostgreSQL compiles no plans: it was built without LLVM")
        other.exec_driver_sql("SET enable_sort = off")
        assert "JIT:" in str(other.exec_driver_sql(query).all())
    with database.reading() as db:
        assert "JIT:" not in str(db.exec_driver_sql(query).all())


@pytest.mark.parametrize("threshold", ["0", "5", "none"])
def test_an_address_says_when_statements_are_prepared(database, tmp_path, threshold):
    with closing(Database(f"{database.url}&prepare_threshold={threshold}")) as other:
        other.migrate()
        assert not other.has(player, "p_1")
        with other.reading() as db:
            for _ in range(7):
                assert db.execute(sa.select(player.c.id)).all() == []
            count = db.exec_driver_sql("SELECT count(*) FROM pg_prepared_statements").scalar()
        assert (count > 0) == (threshold != "none")
        copying.write(other, tmp_path / "all.pgdump")


# a database that does not fit


@pytest.mark.parametrize("command", STARTS, ids=lambda words: words[1:3][-1])
def test_every_start_with_another_encoding_ends_with_a_sentence(
    postgresql_server, redis, redis_server, tmp_path, command
):
    with postgresql_server.database(f"{OTHER_ENCODING} 'LATIN1'") as url:
        done = subprocess.run(
            [sys.executable, *command],
            capture_output=True,
            text=True,
            timeout=60,
            env=os.environ | {"FOGG_REDIS_URL": redis_server.url, "FOGG_DATABASE": url},
            cwd=tmp_path,
        )
    assert done.returncode == 1
    assert "has the encoding LATIN1; it should be UTF8" in done.stderr
    assert "Traceback" not in done.stderr


def refusal(url: str) -> str:
    """Return the sentence that refuses a database."""
    with closing(Database(url)) as database, pytest.raises(BadSetting) as refused:
        database.migrate()
    return str(refused.value)


def test_a_database_that_does_not_fit_is_refused(postgresql_server, postgresql_url):
    with postgresql_server.database(f"{OTHER_ENCODING} 'SQL_ASCII'") as url:
        assert "has the encoding SQL_ASCII" in refusal(url)
    for option in ("prepare_threshold=few", "colour=1"):
        assert "the database's address" in refusal(f"{postgresql_url}&{option}")


def test_a_user_needs_the_right_to_make_tables_until_there_are_some(database):
    theirs = sa.make_url(database.url).set(username="reader").render_as_string()
    with connected(database.url) as db:
        db.exec_driver_sql("CREATE ROLE reader LOGIN")
        db.exec_driver_sql("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
        with closing(Database(theirs)) as other:
            other.refuse_unfit()
            with (
                pytest.raises(RecordsUnavailable, match="permission denied"),
                other.reading() as reading,
            ):
                reading.execute(sa.select(player.c.id))
        db.exec_driver_sql("DROP TABLE alembic_version")
        assert "may not make tables" in refusal(theirs)
