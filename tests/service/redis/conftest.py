"""Fixtures of several tests of operation."""

import pytest

from service.redis.connection import connect


@pytest.fixture
def client(server):
    with connect(server.url) as client:
        yield client
