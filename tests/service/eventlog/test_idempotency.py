"""Idempotent creation: one key creates one thing, for any number of requests."""

from operator import itemgetter

from service.eventlog.idempotency import KEPT_FOR_S, create_once, replace_created


def test_the_final_result_is_returned_later(redis):
    made = create_once(redis, "key", {"asked": "a"}, itemgetter("asked"))
    replace_created(redis, "key", made | {"id": 1})
    assert create_once(redis, "key", {"asked": "a"}, itemgetter("asked"))["id"] == 1


def test_a_key_is_kept_as_its_hash_for_a_day(redis):
    create_once(redis, "key", {}, lambda _: None)
    (kept,) = redis.keys()
    assert b"key" not in kept
    assert KEPT_FOR_S - 10 < redis.ttl(kept) <= KEPT_FOR_S
