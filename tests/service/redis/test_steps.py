"""Commands that are sent together."""

import pytest
from redis import ResponseError

from service.eventlog.steps import Steps
from service.redis.scripts import Script

ADD = Script(__file__, "add.lua")


def test_all_commands_are_answered_in_their_order_with_a_script_that_redis_does_not_know(redis):
    redis.script_flush()
    for sum_then in (3, 6):
        told = []
        steps = Steps(redis)
        steps.pipe.set("a", 1)
        steps.next()
        steps.run(ADD, told.append, number="b", summand=3)
        steps.pipe.get("a")
        answers = steps.execute()
        assert answers[-1] == b"1"
        assert told == [sum_then]


def test_an_error_is_raised_once_everything_was_tried(redis):
    redis.set("text", "x")
    steps = Steps(redis)
    steps.pipe.incr("text")
    steps.run(ADD, number="done", summand=1)
    with pytest.raises(ResponseError):
        steps.execute()
    assert redis.get("done") == b"1"
