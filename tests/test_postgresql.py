"""The databases that other tests ask for."""

import pytest
from sqlalchemy import NullPool, create_engine, text

from tests.postgresql import NoPostgreSQL, PostgreSQL, programs


def rows(url: str, *statements: str) -> list[tuple]:
    """Run statements in one transaction; return the rows of the last one."""
    with create_engine(url, poolclass=NullPool).begin() as connection:
        for statement in statements[:-1]:
            connection.execute(text(statement))
        return [tuple(row) for row in connection.execute(text(statements[-1]))]


@pytest.mark.parametrize("turn", [1, 2])
def test_each_database_is_empty_and_sorts_by_bytes(database_url, turn):
    order = "BINARY" if database_url.startswith("sqlite") else '"C"'
    assert rows(database_url, "CREATE TABLE name (name TEXT)",
                "INSERT INTO name VALUES ('a'), ('B'), ('é'), ('Z')",
                f"SELECT name FROM name ORDER BY name COLLATE {order}") == [
        ("B",), ("Z",), ("a",), ("é",)]


def test_crash_of_the_server_loses_nothing_that_was_committed():
    try:
        programs()
    except NoPostgreSQL as error:
        pytest.skip(str(error))
    with PostgreSQL() as server, server.database() as url:
        rows(url, "CREATE TABLE number (n INT)", "INSERT INTO number VALUES (1)", "SELECT 1")
        server.kill()
        server.start()
        assert rows(url, "SELECT n FROM number") == [(1,)]
    assert not server.directory.exists()
