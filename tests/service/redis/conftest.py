"""Fixtures of several tests of operation."""

import pytest

from service.redis.connection import EmbeddedRedis, connect


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A Redis of the tests of a module alone."""
    with EmbeddedRedis(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def client(server):
    with connect(server.url) as client:
        yield client
