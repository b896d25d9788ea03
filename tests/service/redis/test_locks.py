"""Locks."""

import time

from service.redis.locks import time_left, try_lock

HOUR = 3_600_000


def test_a_name_is_held_by_one_and_free_again_after_a_while(redis):
    assert try_lock(redis, "name", 50)
    assert not try_lock(redis, "name", 50)
    assert 0 < time_left(redis, "name", 50) <= 50
    time.sleep(0.06)
    assert time_left(redis, "name", 50) == 0
    assert try_lock(redis, "name", 50)


def test_a_clock_that_is_set_back_holds_nothing_for_longer_than_anybody_does(redis):
    redis.set("name", 1, px=HOUR)  # set for 50 milliseconds, before the clock went back
    assert not try_lock(redis, "name", 50)
    assert redis.pttl("name") <= 50
    redis.set("name", 1, px=HOUR)
    assert time_left(redis, "name", 50) == 50
    assert redis.pttl("name") <= 50
