"""The accounts of the built-in bots."""

import json
import stat

from service.accounts import bots, tokens


def test_the_tokens_of_the_bots_follow_from_the_secret_and_are_shared_for_a_while(redis, app):
    bots.share(redis, redis)
    shared = json.loads(redis.get(bots.SHARED))
    assert list(shared) == list(bots.BOTS)
    assert redis.ttl(bots.SHARED) > 0
    assert bots.known_tokens(redis) == shared
    caller = tokens.authenticate(redis, shared["planner"][3])
    assert caller.account.id == "bot_planner_3"
    before = redis.dbsize()
    bots.share(redis, redis)
    assert redis.dbsize() == before


def test_bots_answer_to_the_tokens_of_a_file_and_later_to_their_own(redis, tmp_path, monkeypatch):
    path = tmp_path / "bots.json"
    bots.write_tokens(path)
    monkeypatch.setenv("FOGG_BOTS", str(path))
    of_file = bots.register(redis)["random"][0]
    monkeypatch.delenv("FOGG_BOTS")
    own = bots.register(redis)["random"][0]
    assert own != of_file
    accounts = [tokens.authenticate(redis, token).account for token in (of_file, own)]
    assert accounts[0] == accounts[1]


def test_bots_that_came_later_get_tokens_and_the_others_keep_theirs(tmp_path):
    path = tmp_path / "bots.json"
    bots.write_tokens(path)
    first = json.loads(path.read_text())
    assert list(first) == list(bots.BOTS)
    del first["expert"]
    path.write_text(json.dumps(first))
    bots.write_tokens(path)
    again = json.loads(path.read_text())
    assert {name: again[name] for name in first} == first
    assert len(again["expert"]) == bots.SEATS
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    different = {token for tokens in again.values() for token in tokens}
    assert len(different) == len(bots.BOTS) * bots.SEATS
