"""Lua scripts in files, whose keys and arguments have names."""

import pytest

from service.eventlog.histories import PUT
from service.redis.scripts import Script


def put(redis, **more) -> int:
    return PUT(
        redis,
        ["{}", "hash"],
        shown="head",
        imported="{x}:c",
        head="{x}:b",
        log="{x}:a",
        origin="elsewhere",
        **more,
    )


def test_keys_and_arguments_are_given_by_name_in_any_order(redis):
    assert (put(redis), put(redis)) == (1, 0)
    assert redis.get("{x}:b") == b"head"
    assert redis.xrange("{x}:a") == [(b"0-1", {b"e": b"{}", b"h": b"hash"})]


def test_a_call_that_lacks_an_argument_is_refused(redis):
    with pytest.raises(KeyError, match="shown"):
        PUT(redis, log="{x}:a", head="{x}:b", imported="{x}:c")


def test_arguments_without_names_follow_the_others(redis, tmp_path):
    (tmp_path / "words.lua").write_text("return {KEYS[1], ARGV[1]}")
    script = Script(str(tmp_path / "words.py"), "words.lua")
    assert script(redis, ["word"], ["key"]) == [b"key", b"word"]


def test_a_script_that_redis_has_forgotten_is_sent_again(redis):
    for is_new in (1, 0):
        redis.script_flush()
        assert put(redis) == is_new
