"""Two web hosts behind the proxy of deploy/, of which one after the other is restarted."""

import sys
import threading
from collections import Counter
from contextlib import ExitStack
from uuid import uuid4

import pytest
import urllib3

from service.processes import Child
from service.redis.connection import EmbeddedRedis
from tests.deploy.parts import ask, proxy
from tests.waiting import until
from tools.ports import free_port

pytestmark = pytest.mark.deep

ASKING = 4  # threads


@pytest.fixture
def hosts(tmp_path):
    """Two running web hosts by their ports, and what starts one again."""
    with ExitStack() as running:
        redis = running.enter_context(EmbeddedRedis(tmp_path / "redis"))
        queue = running.enter_context(EmbeddedRedis(tmp_path / "queue", durable=False))
        hosts: dict[int, Child] = {}

        def start(port: int) -> None:
            with (tmp_path / f"{port}.log").open("ab") as log:
                hosts[port] = Child(
                    [sys.executable, "-m", "service.web", "--bind", f"127.0.0.1:{port}"],
                    env={
                        "FOGG_REDIS_URL": redis.url,
                        "FOGG_QUEUE_URL": queue.url,
                        "PROMETHEUS_MULTIPROC_DIR": str(tmp_path / f"metrics-{port}"),
                    },
                    output=log,
                )
            until(lambda: ask(f"http://127.0.0.1:{port}/readyz").status == 200, 120, "a web host")

        running.callback(lambda: [host.stop() for host in hosts.values()])
        for port in (free_port(), free_port()):
            start(port)
        yield hosts, start


def test_no_request_is_lost_while_one_web_host_after_the_other_is_restarted(hosts, tmp_path):
    hosts, start = hosts
    answers: Counter[object] = Counter()
    is_over = threading.Event()

    def keep_asking(url: str) -> None:
        with urllib3.PoolManager() as http:
            while not is_over.is_set():
                try:
                    read = http.request("GET", f"{url}/v1/boards", retries=False)
                    written = http.request(
                        "POST",
                        f"{url}/v1/games",
                        retries=False,
                        json={},
                        headers={"Idempotency-Key": str(uuid4())},
                    )
                    answers.update([read.status, written.status])
                except urllib3.exceptions.HTTPError as error:
                    answers[type(error)] += 1

    def wait_for_more() -> None:
        before = answers.total()
        until(lambda: answers.total() > before + 50, 120, "50 answers")

    with proxy(tmp_path / "proxy", *hosts) as url:
        asking = [threading.Thread(target=keep_asking, args=(url,)) for _ in range(ASKING)]
        for thread in asking:
            thread.start()
        try:
            for port in list(hosts):
                wait_for_more()
                hosts[port].stop()
                wait_for_more()
                start(port)
        finally:
            is_over.set()
            for thread in asking:
                thread.join()
    assert answers.total() > 200
    assert set(answers) == {200, 401}  # nobody has signed in
