"""Redis keeps less than 300 bytes of an archived game; its head is read back unchanged."""

from random import Random

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from service.store import archived
from service.store.archive import Archive, Place
from service.store.games import GameStore
from service.store.segments import Writer
from service.store.vaults import vault_at
from tests.games import store_random_game
from tests.service.store.stored import BOARDS, GAME, begin

PLACE = Place(168, "c3" * 32, "20261122T201448-0123456789abcdef.fogg", 6_000_000, 6_400)
OTHER = PLACE._replace(segment="renamed.fogg")
HEAD = {
    "id": GAME, "board": "usa", "status": "finished", "version": 168,
    "created": "2026-11-22T20:14:48.993Z", "updated": "2026-11-22T20:14:49.151Z",
    "seats": [{"seat": 0, "player": {"id": "p_" + "1f" * 10, "name": "Ada"}, "total": -3,
               "rank": 2},
              {"seat": 1, "player": {"id": "p_" + "2e" * 10, "name": "Bob"}, "total": 9,
               "rank": 1}],
    "deciding": [], "started": "2026-11-22T20:14:48.993Z"}
JSON = st.recursive(st.none() | st.booleans() | st.integers(-2**53, 2**53) | st.text(),
                    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))
PLACES = st.builds(
    Place, st.integers(1, 10**6), st.binary(min_size=32, max_size=32).map(bytes.hex),
    st.sampled_from([PLACE.segment, OTHER.segment, "x" * 12, "none"]), st.integers(0, 2**40),
    st.integers(0, 2**31))


@given(PLACES, st.dictionaries(st.text(), JSON))
@example(PLACE, HEAD)
@example(OTHER, HEAD | {"updated": "0001-01-01T00:00:00.000Z"})
@example(PLACE, HEAD | {"updated": "9999-99-99T99:99:99.999Z"})  # no time: it stays text, or out
def test_a_packed_head_is_unpacked_or_left_out(place, head):
    head = head | {"id": GAME}
    raw = archived.packed(place, head)
    assert archived.place_of(raw) == place
    unpacked = archived.head_of(GAME, raw)
    assert unpacked is None or unpacked == head


@pytest.mark.parametrize("place", [PLACE, OTHER])
def test_a_usual_head_comes_out_with_its_members_in_order(place, store):
    ends = [store_random_game(store, BOARDS["usa"], seats, Random(seats)) for seats in (2, 3, 4, 5)]
    heads = store.heads([end.id for end in ends])
    assert archived.place_of(archived.packed(place)) == place
    assert archived.head_of(GAME, archived.packed(place)) is None
    for head in [HEAD, *heads]:
        raw = archived.packed(place, head)
        assert orjson.dumps(archived.head_of(head["id"], raw)) == orjson.dumps(head)


@given(st.data())
def test_no_changed_byte_raises_anything_when_a_head_is_read(data):
    raw = bytearray(archived.packed(PLACE, HEAD))
    start = 2 + raw[1]
    at = data.draw(st.integers(start, len(raw) - 1))
    raw[at] ^= data.draw(st.integers(1, 255))
    archived.head_of(GAME, bytes(raw[: data.draw(st.integers(start, len(raw)))]))


def test_a_head_whose_size_was_damaged_reserves_no_memory():
    raw = bytearray(archived.packed(PLACE, HEAD))
    raw[2 + raw[1] + 1] ^= 0xF0  # the frame's description: now it declares its size, in eight bytes
    assert archived.head_of(GAME, bytes(raw)) is None


@pytest.fixture
def store(redis, tmp_path):
    return GameStore(redis, BOARDS, Archive(vault_at(str(tmp_path))))


def archive(store) -> Place:
    writer = Writer()
    writer.add(GAME, BOARDS["usa"], list(store.entries(GAME)), False)
    (row, place), = store.archive.put(writer)
    assert store.remove(GAME, (row.version, row.hash), place)
    return place


def test_an_archived_game_of_four_takes_less_than_300_bytes_of_redis(store, redis):
    begin(store)
    archive(store)
    seats = [HEAD["seats"][0] | {"seat": seat, "player": {
        "id": f"p_{seat + 1:020x}".replace("0", "7"), "name": name}, "rank": seat + 1}
        for seat, name in enumerate(("Alexandra", "Wilhelmina", "Theodore", "Maximilian"))]
    store.put_head(GAME, HEAD | {"seats": seats, "clock": {"per_decision": 259200.0,
                                                           "on_timeout": "resign"}})
    assert store.heads([GAME])[0]["seats"] == seats
    [key] = redis.keys("*")
    assert redis.memory_usage(key, samples=0) < 300


def test_heads_are_read_and_written_wherever_they_are(store, redis):
    begin(store)
    head, key = store.heads([GAME])[0], store.key(GAME, "head")
    place = archive(store)
    assert store.heads([GAME, "g_" + "1" * 20]) == [head, None]
    store.put_head(GAME, head | {"board": "paris"})
    assert store.heads([GAME]) == [head | {"board": "paris"}]
    assert not redis.exists(key)
    odd = head | {"at": "2026-01-01T00:00:00.000Z\x02"}
    for one in (odd, head):
        store.put_head(GAME, one)
        assert store.heads([GAME]) == [one]
        assert store.place(GAME) == place


def test_a_history_whose_head_was_written_meanwhile_stays(store, redis, monkeypatch):
    begin(store)
    head, packed = store.heads([GAME])[0], archived.packed
    monkeypatch.setattr(archived, "packed", lambda place, shown: (
        redis.set(store.key(GAME, "head"), b"{}"), packed(place, shown))[1])
    writer = Writer()
    writer.add(GAME, BOARDS["usa"], list(store.entries(GAME)), False)
    (row, place), = store.archive.put(writer)
    assert not store.remove(GAME, (row.version, row.hash), place)
    assert redis.exists(store.key(GAME, "log"))
    monkeypatch.undo()
    redis.set(store.key(GAME, "head"), orjson.dumps(head))
    assert store.remove(GAME, (row.version, row.hash), place)
    assert store.heads([GAME]) == [head]
