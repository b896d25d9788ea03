"""Fixtures of several tests of records."""

from contextlib import closing

import pytest

from service.records.database import Database


@pytest.fixture
def records(database_url):
    """An empty database of records, of either kind."""
    with closing(Database(database_url)) as database:
        database.migrate()
        yield database
