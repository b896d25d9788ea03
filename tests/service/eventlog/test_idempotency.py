"""Idempotent creation: one key creates one thing, for any number of requests."""

from operator import itemgetter

import pytest

from service.errors import KeyReused
from service.eventlog.idempotency import KEPT_FOR_S, create_once, replace_created


def test_a_repeated_request_returns_the_first_result(redis):
    first = create_once(redis, "key", {"id": 1, "asked": "a"}, itemgetter("asked"))
    again = create_once(redis, "key", {"id": 2, "asked": "a"}, itemgetter("asked"))
    assert first == again == {"id": 1, "asked": "a"}


def test_another_request_under_the_same_key_is_refused(redis):
    create_once(redis, "key", {"asked": "a"}, itemgetter("asked"))
    with pytest.raises(KeyReused):
        create_once(redis, "key", {"asked": "b"}, itemgetter("asked"))


def test_the_final_result_is_returned_later(redis):
    made = create_once(redis, "key", {"asked": "a"}, itemgetter("asked"))
    replace_created(redis, "key", made | {"id": 1})
    assert create_once(redis, "key", {"asked": "a"}, itemgetter("asked"))["id"] == 1


def test_a_key_is_kept_as_its_hash_for_a_day(redis):
    create_once(redis, "key", {}, lambda _: None)
    (kept,) = redis.keys()
    assert b"key" not in kept
    assert KEPT_FOR_S - 10 < redis.ttl(kept) <= KEPT_FOR_S
