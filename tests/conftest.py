"""Fixtures that every test may ask for."""

import gc
import os
from contextlib import suppress
from itertools import groupby
from random import Random, randrange

import pytest
from fogg_client.client import Client, Problem
from fogg_client.playing import Host
from hypothesis import settings as hypothesis
from redis import backoff, cluster

from cli.offline.classes import host_of
from service import app, settings
from service.operation.stack import Stack
from service.records.database import Database, sqlite_url
from service.records.tables import metadata
from service.redis.connection import EmbeddedRedis, connect
from service.redis.news import News
from tests import leftovers
from tools.postgresql import NoPostgreSQL, PostgreSQL
from workers import queue

# Threads that listen to a Redis draw how long to wait before they try again. Were that from the one
# generator that all share, Hypothesis would take it for a test that is different each time.
backoff.random = cluster.random = Random()
LONG = {  # modules that take long
    "test_bots",
    "test_conformance",
    "test_expert",
    "test_observing",
    "test_play",
    "test_stack",
}
# Random games are the same in every run, so that a failure is one for everybody. How long one takes
# says nothing on a busy machine.
hypothesis.register_profile("fogg", derandomize=True, deadline=None, max_examples=25)
hypothesis.load_profile("fogg")
ORDER = pytest.StashKey[int]()  # the seed of the order of the tests


def pytest_xdist_auto_num_workers() -> int:
    """Two processes for each core: tests of a running service mostly wait."""
    return 2 * (os.cpu_count() or 1)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seed", type=int, help="repeats an order of the tests, and varies deep ones")


def pytest_configure(config: pytest.Config) -> None:
    """Draw the order of tests; check what each test leaves behind."""
    config.pluginmanager.register(leftovers)
    given = getattr(config, "workerinput", {})  # by the process that started this one
    config.stash[ORDER] = given.get("order") or config.option.seed or randrange(1, 2**32)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node) -> None:
    """Give each process the same order."""
    node.workerinput["order"] = node.config.stash[ORDER]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle the modules, and the tests of each. Long modules begin, so that no process is left
    with one when the others are done."""
    random = Random(config.stash[ORDER])
    modules = [[*tests] for _, tests in groupby(items, lambda item: item.path)]
    for tests in modules:
        random.shuffle(tests)
    random.shuffle(modules)
    items[:] = [test for tests in modules for test in tests]
    items.sort(key=lambda item: item.path.stem not in LONG)


def pytest_terminal_summary(config: pytest.Config, terminalreporter) -> None:
    terminalreporter.write_line(f"--seed={config.stash[ORDER]} repeats this order")


def pytest_collection_finish() -> None:
    """Exclude modules and collected tests from later collections of garbage, and collect more
    rarely. Going through all of them again and again took a tenth of a run, and freed nothing."""
    gc.freeze()
    gc.set_threshold(5_000, 20, 50)


@pytest.fixture(autouse=True)
def ended_news(monkeypatch):
    """End the threads that listen to a Redis for the applications that a test has made."""
    opened = []

    def open_news(redis) -> News:
        opened.append(News(redis))
        return opened[-1]

    monkeypatch.setattr(app, "News", open_news)
    yield
    for news in opened:
        news.close()


@pytest.fixture(scope="module", autouse=True)
def hosts():
    """End the processes that play classes for commands in this process."""
    started, start = [], Host.start

    def noted(host, *words):
        start(host, *words)
        started.append(host)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Host, "start", noted)
        yield
    host_of.cache_clear()
    for host in started:
        host.shutdown()


@pytest.fixture(scope="session")
def seed(pytestconfig):
    """The seed of deep tests: the same in every run, unless one is given."""
    return pytestconfig.option.seed or 1


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory):
    """A real Redis, the same one for all tests of a run."""
    with EmbeddedRedis(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def worker_queue(redis, monkeypatch):
    """Let what runs here as in a worker take jobs of the Redis of the test."""
    monkeypatch.setattr(queue, "redis", lambda: redis)
    queue._script.cache_clear()
    yield
    queue._script.cache_clear()


@pytest.fixture(scope="session")
def database(tmp_path_factory):
    """The database of the records that services in this process use, the same one for all tests."""
    database = Database(sqlite_url(tmp_path_factory.mktemp("records") / "records.sqlite3"))
    database.migrate()
    # not in the environment, as whole stacks, which tests start too, have one of their own
    app.Database = lambda url: Database(database.url if url == settings.DATABASE.default else url)
    return database


@pytest.fixture
def empty_records(database):
    """The same database, empty when the test begins."""
    with database.writing() as db:
        for table in reversed(metadata.sorted_tables):
            db.execute(table.delete())
    return database


@pytest.fixture
def redis(redis_server, empty_records):
    """A client of `redis_server`, whose data is empty when the test begins, as the records are."""
    with connect(redis_server.url) as client:
        client.flushall()
        yield client


@pytest.fixture(scope="session")
def postgresql_server():
    """A real PostgreSQL, the same one for all tests of a run in one process."""
    try:
        server = PostgreSQL()
    except NoPostgreSQL as error:
        pytest.skip(str(error))
    with server:
        yield server


@pytest.fixture
def postgresql_url(postgresql_server):
    """The URL of a database of PostgreSQL that is empty when the test begins."""
    with postgresql_server.database() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.deep)])
def database_url(request, tmp_path):
    """The URL of an empty database: the test runs once with each of the two kinds."""
    if request.param == "postgresql":
        return request.getfixturevalue("postgresql_url")
    return sqlite_url(tmp_path / "records.sqlite3")


@pytest.fixture(scope="session")
def stack(tmp_path_factory):
    """The whole service in real processes, the same one for all tests of a run that neither stop
    one of them nor look at all that there is; other modules have a `stack` of their own."""
    with Stack(tmp_path_factory.mktemp("stack")) as running:
        yield running


@pytest.fixture
def no_open_seats(stack):
    """Takes the open seats that other tests have left: a bot that takes any would wait in these
    games for ever."""
    anybody = Client(stack.url)
    for _ in range(5):  # at most so many seats of a game are open
        for game in anybody.get("/v1/games", status="lobby")["items"]:
            with suppress(Problem):  # a seat may be kept for somebody
                Client(stack.url).sign_up("Filler").post(f"/v1/games/{game['id']}/seats", {})
