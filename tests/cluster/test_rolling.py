"""The whole service on a cluster under load, while masters die and everything restarts: clients
that retry notice nothing."""

import os
import signal
import threading
import time
from itertools import cycle

import pytest
from fogg_client.client import Client
from fogg_client.problems import Problem
from redis import Redis

from service.operation.stack import Stack
from service.redis.connection import EmbeddedRedis
from tools.clusters import Cluster

pytestmark = pytest.mark.deep

TABLES = 3


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A cluster whose nodes are ended."""
    with Cluster(tmp_path_factory.mktemp("rolling")) as running:
        yield running


@pytest.fixture(scope="module")
def queue(tmp_path_factory):
    """A queue that nobody else empties."""
    with EmbeddedRedis(tmp_path_factory.mktemp("queue"), durable=False) as server:
        yield server


@pytest.fixture(scope="module")
def stack(own, queue, tmp_path_factory):
    """The service: two web processes and a worker that know only two addresses."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FOGG_REDIS_URL", own.url)
        patch.setenv("FOGG_QUEUE_URL", queue.url)
        with Stack(tmp_path_factory.mktemp("stack"), web=2) as running:
            yield running


class Table(threading.Thread):
    """Two players who play one game after the other, and their responses."""

    def __init__(self, url: str):
        super().__init__(daemon=True)
        self.players = [Client(url).sign_up(name) for name in ("Ann", "Bob")]
        self.over, self.told, self.went_back = threading.Event(), [], set()
        self.error: BaseException | None = None

    def run(self):
        try:
            while not self.over.is_set():
                self._play()
        except BaseException as error:
            self.error = error

    def _play(self):
        ann, bob = self.players
        game = ann.post(
            "/v1/games", {"board": "london", "seats": [{"player": "me"}, {"open": True}]}
        )["id"]
        bob.post(f"/v1/games/{game}/seats", {})
        for player in cycle(self.players):
            try:
                view = player.view(game)
                if view["status"] == "finished" or self.over.is_set():
                    return
                if actions := view.get("you", {}).get("legal_actions"):
                    entry = player.play(view, actions[0])["entries"][0]
                    self.told.append((game, entry["version"], entry["hash"]))
            except Problem as problem:
                if problem.code == "history-lost":
                    self.went_back.add(game)
                elif problem.status not in (409, 412):
                    raise


def test_masters_die_and_all_starts_anew_and_nobody_who_tries_again_sees_it(own, stack, queue):
    tables = [Table(stack.url) for _ in range(TABLES)]
    for table in tables:
        table.start()
    time.sleep(1)
    for _ in range(2):  # two masters, one after the other
        node = next(node for node in own.nodes if node.is_master)
        node.kill()
        time.sleep(3)
        node.start()
        own.wait_until_whole(60)
    node = next(node for node in own.nodes if node.is_master)
    own.replica_of(node).client.execute_command("CLUSTER FAILOVER")  # in order, before it ends
    own.wait_until_whole(60)
    node.stop()
    node.start()
    own.wait_until_whole(60)
    before = sum(len(table.told) for table in tables)
    os.kill(stack.web.pid, signal.SIGHUP)  # web processes, each once another has taken its place
    time.sleep(3)
    assert sum(len(table.told) for table in tables) > before
    for table in tables:
        table.over.set()
    for table in tables:
        table.join(60)
        assert table.error is None, table.error
    log = (stack.data / "web.log").read_text()
    assert '"status":500' not in log
    ann, stored, missing = Client(stack.url), {}, set()
    for game, version, entry_hash in (told for table in tables for told in table.told):
        if game not in stored:
            page = ann.get(f"/v1/games/{game}/events", limit=1000)["items"]
            stored[game] = {entry["version"]: entry["hash"] for entry in page}
        if stored[game].get(version) != entry_hash:
            missing.add(game)
    # entries that a master had not replicated are lost, and reported
    assert {game for game in missing if f"{game} has gone back" not in log} == set()
    a_worker_knows_the_bots_by_the_queue_alone(stack, queue)


def a_worker_knows_the_bots_by_the_queue_alone(stack, queue):
    ann = Client(stack.url).sign_up("Ann")
    game = ann.post(
        "/v1/games", {"board": "london", "seats": [{"bot": "random"}, {"bot": "random"}]}
    )["id"]
    assert [*ann.entries(game)][-1]["events"][-1]["type"] == "game_ended"
    with Redis.from_url(queue.url) as client:
        assert client.exists("fogg:bots")
