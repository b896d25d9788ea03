"""Names that are held for a while."""

import time

from service.store.holds import held_for, hold

HOUR = 3_600_000


def test_a_name_is_held_by_one_and_free_again_after_a_while(redis):
    assert hold(redis, "name", 50)
    assert not hold(redis, "name", 50)
    assert 0 < held_for(redis, "name", 50) <= 50
    time.sleep(0.06)
    assert held_for(redis, "name", 50) == 0
    assert hold(redis, "name", 50)


def test_a_clock_that_is_set_back_holds_nothing_for_longer_than_anybody_does(redis):
    redis.set("name", 1, px=HOUR)  # what was to last 50 milliseconds, before the clock went back
    assert not hold(redis, "name", 50)
    assert redis.pttl("name") <= 50
    redis.set("name", 1, px=HOUR)
    assert held_for(redis, "name", 50) == 50
    assert redis.pttl("name") <= 50
