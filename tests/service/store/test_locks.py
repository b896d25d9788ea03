"""Locks."""

import time

import pytest
from redis.exceptions import LockError

from service.store.locks import Busy, locked, time_left, try_lock

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


def test_alone_holds_the_lock_until_the_work_is_done(redis):
    with locked(redis, "name", 60) as go_on:
        with pytest.raises(Busy), locked(redis, "name", 60):
            pass
        assert redis.pttl("name") > 50_000
        go_on()
    assert not redis.exists("name")


def test_the_lock_is_renewed_while_the_work_goes_on(redis):
    with locked(redis, "name", 5):
        token, left = redis.get("name"), 5_000
        while (now := redis.pttl("name")) <= left:  # until it lasts longer than just before
            left = now
            time.sleep(0.01)
        assert redis.get("name") == token


def test_a_lost_lock_raises_an_error_and_is_not_taken_from_its_new_holder(redis):
    with locked(redis, "name", 60) as go_on:
        redis.set("name", "another")
        with pytest.raises(LockError):
            go_on()
    assert redis.get("name") == b"another"


def test_the_lock_of_a_killed_process_ends_in_time_even_if_the_clock_was_set_back(redis):
    redis.set("name", "killed", px=HOUR)
    with pytest.raises(Busy), locked(redis, "name", 60):
        pass
    assert redis.pttl("name") <= 60_000
