"""Lua scripts in files, whose keys and arguments have names."""

import pytest

from service.store.scripts import LUA, ScriptFile


@pytest.mark.parametrize("name", sorted(path.stem for path in LUA.glob("*.lua")))
def test_every_file_names_its_keys_and_arguments_once(redis, name):
    ScriptFile(redis, name)
    text = (LUA / f"{name}.lua").read_text()
    assert text.count("unpack(KEYS)") == text.count("unpack(ARGV)") == 1


def test_keys_and_arguments_are_given_by_name_in_any_order(redis):
    put_head = ScriptFile(redis, "put_head")
    assert put_head(shown="head", new_place="", place="", archived="{x}:b", head="{x}:a") == 1
    assert redis.mget("{x}:a", "{x}:b") == [b"head", None]


def test_a_call_that_lacks_an_argument_is_refused(redis):
    with pytest.raises(KeyError, match="place"):
        ScriptFile(redis, "put_head")(shown="", new_place="", archived="{x}:b", head="{x}:a")


def test_the_last_keys_may_be_left_out(redis):
    remove = ScriptFile(redis, "remove")
    keys = {name: f"{{x}}:{name}" for name in ("log", "archived", "gone", "head", "bots")}
    redis.xadd(keys["log"], {"e": "{}", "h": "hash"}, "0-1")
    redis.mset({"{x}:imported": 1, keys["bots"]: 1})
    assert remove(**keys, imported=None, rematch=None, version=1, hash="hash", place="place",
                  remembered=9, shown="") == 1
    assert redis.exists("{x}:imported", keys["archived"]) == 2
    assert not redis.exists(keys["bots"], keys["log"], keys["gone"])


def test_a_script_that_redis_has_forgotten_is_sent_again(redis):
    put_head = ScriptFile(redis, "put_head")
    for _ in range(2):
        redis.script_flush()
        assert put_head(head="{x}:a", archived="{x}:b", place="", new_place="", shown="1") == 1
