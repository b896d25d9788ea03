"""Compare and set."""

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from domain.errors import Refused
from service.pool.pool import Pool, key
from service.redis.conflicts import TRIES
from service.redis.connection import connect

PASSED = key("passed")


def pool_of(redis) -> Pool:
    return Pool(SimpleNamespace(redis=redis))


def test_commands_run_only_at_the_version_that_they_were_decided_on(redis):
    pool = pool_of(redis)
    assert pool.state().version == b""
    assert pool.change(b"", [["HSET", PASSED, "a", "1"], ["HSET", PASSED, "b", "2"]])
    version = pool.state().version
    assert version
    assert not pool.change(b"", [["HSET", PASSED, "a", "3"]])
    assert pool.state().passed == {"a": "1", "b": "2"}
    assert pool.change(version, [["SET", key("c"), "3"]], [key("c")])
    assert pool.state().version != version


def test_a_change_without_commands_does_nothing_at_any_version(redis):
    assert pool_of(redis).change(b"old", [["HDEL", PASSED]])
    assert not redis.exists(key("version"))


def test_concurrent_counters_lose_no_increment(redis_server, redis):
    def count(_) -> None:
        mine = pool_of(connect(redis_server.url))
        for _ in range(10):
            mine.update(
                lambda: [["HSET", PASSED, "a", str(int(mine.redis.hget(PASSED, "a") or 0) + 1)]]
            )

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(count, range(4)))
    assert redis.hget(PASSED, "a") == b"40"


def test_a_writer_that_loses_every_race_is_refused(redis):
    pool, tries = pool_of(redis), 0

    def decide() -> list[list[str]]:
        nonlocal tries
        tries += 1
        redis.set(key("version"), tries)  # another writer is quicker, each time
        return [["HSET", PASSED, "a", "1"]]

    with pytest.raises(Refused) as caught:
        pool.update(decide)
    assert (caught.value.code, tries) == ("too-busy", TRIES)
    assert not redis.exists(PASSED)
