"""Compare and set."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from service.redis.conflicts import TRIES, Conflict
from service.redis.connection import connect
from service.redis.versioned import Versioned


def counter(redis) -> Versioned:
    return Versioned(redis, "{count}:version", ["{count}:a", "{count}:b"])


def test_commands_run_only_at_the_version_that_they_were_decided_on(redis):
    keys = counter(redis)
    assert keys.version() == b""
    assert keys.change(b"", [["SET", "{count}:a", "1"], ["SET", "{count}:b", "2"]])
    version = keys.version()
    assert version
    assert not keys.change(b"", [["SET", "{count}:a", "3"]])
    assert (redis.get("{count}:a"), redis.get("{count}:b")) == (b"1", b"2")
    assert keys.change(version, [["SET", "{count}:c", "3"]], ["{count}:c"])
    assert keys.version() != version


def test_a_change_without_commands_does_nothing_at_any_version(redis):
    assert counter(redis).change(b"old", [])
    assert not redis.exists("{count}:version")


def test_concurrent_counters_lose_no_increment(redis_server, redis):
    def count(_) -> None:
        mine = connect(redis_server.url)
        for _ in range(10):
            counter(mine).update(lambda: [
                ["SET", "{count}:a", str(int(mine.get("{count}:a") or 0) + 1)]])

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(count, range(4)))
    assert redis.get("{count}:a") == b"40"


def test_a_writer_that_loses_every_race_gets_a_conflict(redis):
    keys, tries = counter(redis), 0

    def decide() -> list[list[str]]:
        nonlocal tries
        tries += 1
        redis.set("{count}:version", tries)  # another writer is quicker, each time
        return [["SET", "{count}:a", "1"]]

    with pytest.raises(Conflict):
        keys.update(decide)
    assert tries == TRIES
    assert not redis.exists("{count}:a")
