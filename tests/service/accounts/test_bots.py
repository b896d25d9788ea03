"""The accounts of the built-in bots."""

import json

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
