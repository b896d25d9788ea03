"""Fixtures that every test may ask for."""

import pytest

from service.operation.redis import EmbeddedRedis, connect


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory):
    """A real Redis, the same one for all tests of a run."""
    with EmbeddedRedis(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def redis(redis_server):
    """A client of `redis_server`, whose data is empty when the test begins."""
    with connect(redis_server.url) as client:
        client.flushall()
        yield client
