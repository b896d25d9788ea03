"""News and scripts where a cluster's nodes come and go."""

import subprocess
import sys
import time
from contextlib import suppress

import pytest
from redis import RedisError

from service.app import build_services
from service.redis.connection import RedisUnavailable, connect
from service.redis.news import News, channel, publish
from service.redis.scripts import Script

GAMES = [f"g_{number:020}" for number in range(12)]


@pytest.fixture
def news(redis):
    return News(redis)


def wait_for(follower, topics, seconds: float = 10.0) -> None:
    """Return once a follower was woken by all of these."""
    end, left = time.monotonic() + seconds, set(topics)
    while left:
        assert time.monotonic() < end, left
        left -= follower.wait(1)


def test_news_come_from_every_node_at_once(news, redis):
    with news.follow(*GAMES) as follower:
        wait_for(follower, GAMES)
        start = time.monotonic()
        publish(redis, *GAMES)
        wait_for(follower, GAMES)
        assert time.monotonic() - start < 0.5


def test_a_script_is_sent_to_a_node_that_does_not_know_it(cluster, redis, tmp_path):
    (tmp_path / "new.lua").write_text(f"return '{time.time()}'")
    script = Script(str(tmp_path / "new.py"), "new.lua")
    one, other = ([channel(game)] for game in GAMES[:2])
    assert script(redis, more_keys=one) == script(redis, more_keys=other)
    cluster.master_of(*one).client.script_flush()
    assert script(redis, more_keys=one)


def test_a_follower_reads_again_after_another_node_took_over(cluster, redis, news):
    with news.follow(*GAMES) as follower:
        wait_for(follower, GAMES)
        lost = cluster.master_of(channel(GAMES[0]))
        lost.kill()
        wait_for(follower, [GAMES[0]])  # received again, from the replica that takes over
        publish(redis, GAMES[0])
        wait_for(follower, [GAMES[0]])
        lost.start()
        cluster.wait_until_whole()


def take_over(replica) -> None:
    """Fail over to a replica in order; it gives up after five seconds, and is asked again."""
    for _ in range(4):
        replica.client.execute_command("CLUSTER FAILOVER")
        end = time.monotonic() + 6
        while time.monotonic() < end:
            if replica.client.execute_command("ROLE")[0] in (b"master", "master"):
                return
            time.sleep(0.05)
    raise AssertionError("the replica did not take over")


def test_a_follower_continues_when_a_replica_takes_over_in_order(cluster, redis, news):
    with news.follow(*GAMES) as follower:
        wait_for(follower, GAMES)
        master = cluster.master_of(channel(GAMES[0]))
        replica = cluster.replica_of(master)
        take_over(replica)
        wait_for(follower, [GAMES[0]])
        publish(redis, GAMES[0])
        wait_for(follower, [GAMES[0]])
        cluster.wait_until_whole()


def test_a_client_waits_for_the_replica_that_takes_over(cluster, redis):
    master = cluster.master_of("kept")
    redis.set("kept", "1")
    cluster.wait_until_whole()
    master.kill()
    end, answer = time.monotonic() + 20, None
    while answer is None and time.monotonic() < end:
        with suppress(RedisError):
            answer = redis.get("kept")
    assert answer == b"1"
    master.start()
    cluster.wait_until_whole()


def test_a_queue_in_a_cluster_is_refused_with_what_to_do(cluster, monkeypatch):
    monkeypatch.setenv("FOGG_REDIS_URL", cluster.url)
    monkeypatch.delenv("FOGG_QUEUE_URL", raising=False)
    for queue in (None, cluster.url):
        if queue:
            monkeypatch.setenv("FOGG_QUEUE_URL", queue)
        with pytest.raises(RedisUnavailable, match="set FOGG_QUEUE_URL to a Redis of its own"):
            build_services()
    started = subprocess.run([sys.executable, "-m", "service.web"], capture_output=True, text=True)
    assert started.returncode == 1
    assert started.stderr.startswith("the queue that calls workers cannot be in a cluster")


def test_any_of_the_named_nodes_will_do_to_begin(cluster):
    first = cluster.nodes[-1]
    first.kill()
    with connect(cluster.url.replace("//", f"//127.0.0.1:{first.port},")) as client:
        assert client.ping()
    first.start()
    cluster.wait_until_whole()


def test_a_service_is_not_ready_while_a_master_is_dead(cluster, anybody, is_problem):
    assert anybody.get("/readyz").status_code == 200
    master = next(node for node in reversed(cluster.nodes) if node.is_master)
    dead = [cluster.replica_of(master), master]
    for node in dead:
        node.kill()
    try:
        for _ in range(3):
            is_problem(anybody.get("/readyz"), 503, "not-ready")
    finally:
        for node in reversed(dead):
            node.start()
        cluster.wait_until_whole()
    assert anybody.get("/readyz").status_code == 200
