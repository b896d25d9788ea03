"""The event store, on a real Redis: order, retries, recovery; of games and of tournaments."""

from hashlib import sha256

import orjson
import pytest

from domain.entry import IdempotencyKey
from domain.errors import BrokenHistory
from service.errors import KeyReused, UnknownThing
from service.redis.conflicts import Conflict
from tests.service.eventlog import stored


@pytest.fixture(params=[stored.Games, stored.Tournaments])
def kind(request):
    return request.param()


@pytest.fixture
def store(kind, redis):
    return kind.store(redis)


@pytest.fixture
def log(kind) -> str:
    return kind.key(kind.id, "log")


def lose_the_last_entry(redis, log: str, version: int) -> None:
    """Do to a history what a failover to a late replica does."""
    rows = redis.xrange(log)
    assert len(rows) == version
    redis.delete(log)
    for entry_id, fields in rows[:-1]:
        redis.xadd(log, fields, id=entry_id)


def test_an_unknown_history_raises(kind, store):
    for name in (kind.id, "", "nope", kind.id[:-1] + "}", "*", kind.id + "0"):
        with pytest.raises(UnknownThing):
            store.load(name)


def test_versions_count_up_and_each_hash_covers_the_hash_before_and_the_entry(
    kind, store, redis, log
):
    known = kind.go_on(store, kind.begin(store))
    ids = [entry_id.decode() for entry_id, _ in redis.xrange(log)]
    assert ids == [f"0-{n}" for n in range(1, known.state.version + 1)]
    before = ""
    for raw, entry_hash in store.entries(kind.id):
        assert entry_hash == sha256(before.encode() + b"\n" + raw).hexdigest()
        assert raw == orjson.dumps(orjson.loads(raw), option=orjson.OPT_SORT_KEYS)
        before = entry_hash


def test_the_end_of_a_history_is_read(kind, store):
    known = kind.begin(store)
    assert store.ends([kind.id, "nope"]) == {kind.id: (known.state.version, known.hash)}


def test_it_was_as_it_was_at_each_version(kind, store, redis):
    then = kind.begin(store)
    now = kind.go_on(store, then)
    for reader in (store, kind.store(redis)):
        assert reader.at(kind.id, then.state.version).state == then.state
        assert reader.at(kind.id, now.state.version).state == now.state
        with pytest.raises(UnknownThing):
            reader.at(kind.id, now.state.version + 1)


def test_appending_to_a_state_that_has_passed_is_a_conflict_and_writes_nothing(
    kind, store, redis, log
):
    known = kind.begin(store)
    kind.go_on(store, known)
    before = redis.xlen(log), redis.get(kind.key(kind.id, "head"))
    with pytest.raises(Conflict):
        kind.go_on(store, known)
    assert (redis.xlen(log), redis.get(kind.key(kind.id, "head"))) == before


def test_a_history_that_ends_in_another_entry_of_the_same_version_is_a_conflict(kind, redis, log):
    """As after a failover that lost an entry which somebody else has replaced."""
    mine, theirs = kind.store(redis), kind.store(redis)
    ahead = kind.go_on(mine, kind.begin(mine))
    lose_the_last_entry(redis, log, ahead.state.version)
    kind.go_on(theirs, theirs.load(kind.id), other=True)
    with pytest.raises(Conflict):
        kind.go_on(mine, ahead)
    assert mine.load(kind.id).hash == theirs.load(kind.id).hash


def test_a_process_notices_when_redis_came_back_with_less(kind, store, redis, log):
    known = kind.begin(store)
    ahead = kind.go_on(store, known)
    lose_the_last_entry(redis, log, ahead.state.version)
    with pytest.raises(Conflict):
        kind.go_on(store, ahead)
    assert store.load(kind.id).state == known.state


def test_a_reader_drops_what_it_knew_when_another_history_took_its_place(kind, redis, log):
    mine, theirs = kind.store(redis), kind.store(redis)
    ahead = kind.go_on(mine, kind.begin(mine))
    lose_the_last_entry(redis, log, ahead.state.version)
    other = theirs.load(kind.id)
    for _ in range(2):
        other = kind.go_on(theirs, other, other=True)
    assert mine.load(kind.id).state == other.state


def test_a_history_that_was_tampered_with_is_refused(kind, store, redis, log):
    kind.begin(store)
    rows = redis.xrange(log)
    redis.delete(log)
    for entry_id, fields in rows:
        redis.xadd(log, fields | {b"e": fields[b"e"].replace(*kind.edit)}, id=entry_id)
    with pytest.raises(BrokenHistory, match="entry 1"):
        kind.store(redis).load(kind.id)


def test_every_process_that_folds_an_entry_knows_its_command_id(kind, store, redis):
    known = kind.go_on(store, kind.begin(store), once=IdempotencyKey("once", "asked"))
    for seen in (store.load(kind.id), kind.store(redis).load(kind.id)):
        assert seen.commands == {"once": (known.state.version, "asked")}
        assert seen.version_of(IdempotencyKey("once", "asked")) == known.state.version
        assert seen.version_of(IdempotencyKey("another", "asked")) is None
        with pytest.raises(KeyReused):
            seen.version_of(IdempotencyKey("once", "something else"))


def test_a_repeated_command_runs_once(kind, store):
    kind.begin(store)
    once = IdempotencyKey("once", "asked")
    first = store.do(kind.id, lambda known: kind.go_on(store, known, once=once), once)
    later = kind.go_on(store, first[0], other=True)
    again = store.do(kind.id, lambda known: kind.go_on(store, known, once=once), once)
    assert (first[1], again[1]) == (True, False)
    assert again[0].state == first[0].state != later.state


def test_after_a_conflict_the_command_is_decided_again(kind, redis):
    mine, theirs = kind.store(redis), kind.store(redis)
    known = kind.begin(mine)
    kind.go_on(theirs, theirs.load(kind.id), other=True)
    tried = []

    def attempt(seen):
        tried.append(seen.state.version)
        return kind.go_on(mine, seen, other=True)

    assert mine.do(kind.id, attempt)[0].state.version == known.state.version + 2
    assert tried == [known.state.version, known.state.version + 1]


def test_an_id_is_new_but_for_a_key_that_has_asked_for_one(kind, store, redis):
    once = IdempotencyKey("once", "asked")
    assert store.new_id(once) == store.new_id(once) == kind.store(redis).new_id(once)
    assert store.new_id(IdempotencyKey("another", "asked")) != store.new_id(once)
    assert redis.keys() == [b"fogg:secret"]
    made = {store.new_id() for _ in range(9)} | {store.new_id(once)}
    assert len(made) == 10
    assert all(map(store.is_id, made))


def test_nothing_but_the_history_and_its_head_is_written(kind, store, redis, log):
    kind.begin(store)
    assert {key.decode() for key in redis.keys("*")} == {log, kind.key(kind.id, "head")}
