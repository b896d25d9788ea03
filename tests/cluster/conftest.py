"""The service over a Redis Cluster: what other tests say of one server, said again of it."""

import pytest
from redis import Redis

from service.app import build_services, create_app
from service.http.serving import serve, services
from service.ratings import present
from service.redis.connection import EmbeddedRedis, connect
from tests import leftovers
from tests.service.conftest import *  # noqa: F403 (the same people, over another Redis)
from tools.clusters import Cluster


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    with Cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@pytest.fixture(scope="module", autouse=True)
def nodes(cluster):
    """Tests start nodes of the cluster again: these stay."""
    yield
    leftovers.keep_processes({node.process.pid for node in cluster.nodes if node.process})


@pytest.fixture(scope="session")
def queue(tmp_path_factory):
    """A Redis for the queue alone, as a cluster takes."""
    with EmbeddedRedis(tmp_path_factory.mktemp("queue"), durable=False) as server:
        yield server


@pytest.fixture(scope="session")
def connection(cluster):
    """A client that stays open: an application reads the news on it for as long as it lives."""
    return connect(cluster.url)


@pytest.fixture(scope="session")
def routed(connection, queue):
    """An application whose routes are compiled once, for all tests that leave them as they are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FOGG_QUEUE_URL", queue.url)
        return create_app(connection)


@pytest.fixture
def redis(connection, empty_records):
    """A client of the cluster, whose data is empty when the test begins, as the records are."""
    connection.flushall()
    return connection


@pytest.fixture
def app(redis, queue, routed, monkeypatch):
    """The application over an empty cluster. Its caches are new, so that nothing of other tests is
    left."""
    monkeypatch.setenv("FOGG_QUEUE_URL", queue.url)
    with Redis.from_url(queue.url) as client:
        client.flushall()
    serve(routed, build_services(redis))
    present.copy(redis, services(routed).games.database)  # as the recorder does when it starts
    return routed


@pytest.fixture
def url(cluster):
    return cluster.url
