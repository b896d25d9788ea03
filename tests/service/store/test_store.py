"""The event store, on a real Redis: order, races, retries, recovery."""

import threading
from hashlib import sha256

import orjson
import pytest

from domain.entry import Once
from domain.errors import BrokenHistory
from domain.game.commands import CreateGame, DrawCard, KeepTickets, Player
from domain.game.fold import play
from domain.game.legal import legal_actions
from domain.game.state import State
from domain.rules import action_from_json
from service.errors import UnknownThing
from service.operation.redis import EmbeddedRedis, connect
from service.store.games import GameStore, KnownGame
from service.store.store import Conflict
from tests.service.store.stored import BOARDS, GAME, act, begin

LOG, HEAD = (GameStore.key(GAME, part) for part in ("log", "head"))


@pytest.fixture
def store(redis):
    return GameStore(redis, BOARDS)


def lose_the_last_entry(redis, game: KnownGame) -> None:
    """Do to a history what a failover to a late replica does."""
    rows = redis.xrange(LOG)
    assert len(rows) == game.state.version
    redis.delete(LOG)
    for entry_id, fields in rows[:-1]:
        redis.xadd(LOG, fields, id=entry_id)


def test_a_game_is_read_back_as_it_was_appended(store, redis):
    game = begin(store)
    assert GameStore(redis, BOARDS).load(GAME).state == game.state


def test_a_game_that_is_not_there_is_unknown(store):
    for name in (GAME, "", "nope", "g_" + "0" * 19 + "}", "*"):
        with pytest.raises(UnknownThing):
            store.load(name)


def test_versions_count_up_from_one_without_gaps(store, redis):
    game = act(store, begin(store), 0, DrawCard("deck"))
    ids = [entry_id.decode() for entry_id, _ in redis.xrange(LOG)]
    assert ids == [f"0-{n}" for n in range(1, game.state.version + 1)]


def test_each_hash_covers_the_hash_before_and_the_entry(store):
    act(store, begin(store), 0, DrawCard("deck"))
    before = ""
    for raw, entry_hash in store.entries(GAME):
        assert entry_hash == sha256(before.encode() + b"\n" + raw).hexdigest()
        assert raw == orjson.dumps(orjson.loads(raw), option=orjson.OPT_SORT_KEYS)
        before = entry_hash


def test_entries_are_paged_between_two_versions(store):
    game = begin(store)
    versions = [orjson.loads(raw)["version"] for raw, _ in store.entries(GAME, 1, 2)]
    assert versions == [2]
    assert list(store.entries(GAME, game.state.version)) == []


def test_appending_to_a_state_that_has_passed_is_a_conflict_and_writes_nothing(store, redis):
    game = begin(store)
    act(store, game, 0, DrawCard("deck"))
    before = redis.xlen(LOG), redis.get(HEAD)
    with pytest.raises(Conflict):
        act(store, game, 0, DrawCard("deck"))
    assert (redis.xlen(LOG), redis.get(HEAD)) == before


def test_a_history_that_ends_in_another_entry_of_the_same_version_is_a_conflict(redis):
    """As after a failover that lost an entry which somebody else has replaced."""
    mine, theirs = GameStore(redis, BOARDS), GameStore(redis, BOARDS)
    game = begin(mine)
    drawn = act(mine, game, 0, DrawCard("deck"))
    lose_the_last_entry(redis, drawn)
    act(theirs, theirs.load(GAME), 0, DrawCard("deck"))
    with pytest.raises(Conflict):
        act(mine, drawn, 0, DrawCard("deck"))
    assert mine.load(GAME).hash == theirs.load(GAME).hash


def test_a_process_notices_when_redis_came_back_with_less(store, redis):
    game = begin(store)
    drawn = act(store, game, 0, DrawCard("deck"))
    lose_the_last_entry(redis, drawn)
    with pytest.raises(Conflict):
        act(store, drawn, 0, DrawCard("deck"))
    assert store.load(GAME).state == game.state


def test_a_reader_drops_what_it_knew_when_another_history_took_its_place(redis):
    mine, theirs = GameStore(redis, BOARDS), GameStore(redis, BOARDS)
    drawn = act(mine, begin(mine), 0, DrawCard("deck"))
    lose_the_last_entry(redis, drawn)
    other = theirs.load(GAME)
    for _ in range(2):
        other = act(theirs, other, 0, legal_actions(other.state, 0)[0])
    assert mine.load(GAME).state == other.state


def test_a_history_that_was_tampered_with_is_refused(store, redis):
    begin(store)
    rows = redis.xrange(LOG)
    redis.delete(LOG)
    for entry_id, fields in rows:
        edited = fields[b"e"].replace(b'"first_seat":0', b'"first_seat":1')
        redis.xadd(LOG, fields | {b"e": edited}, id=entry_id)
    with pytest.raises(BrokenHistory, match="entry 1"):
        GameStore(redis, BOARDS).load(GAME)


def test_ten_writers_at_once_leave_one_history_without_gaps(redis_server, redis):
    """Each writer decides on what it sees; whoever is late looks again."""
    begin(GameStore(redis, BOARDS), seats=5)
    accepted, wanted = [], 120

    def write(number: int) -> None:
        store = GameStore(connect(redis_server.url), BOARDS)
        while len(accepted) < wanted:
            game = store.load(GAME)
            (seat, _), *_ = game.state.deciding()
            choices = legal_actions(game.state, seat)
            try:
                new = act(store, game, seat, choices[number % len(choices)])
            except Conflict:
                continue
            accepted.append(new.state.version)

    writers = [threading.Thread(target=write, args=(number,)) for number in range(10)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert sorted(accepted) == list(range(7, 7 + len(accepted)))
    versions = [orjson.loads(raw)["version"] for raw, _ in GameStore(redis, BOARDS).entries(GAME)]
    assert versions == list(range(1, 7 + len(accepted)))


def test_a_command_id_is_known_to_whoever_folds_its_entry(store, redis):
    game = act(store, begin(store), 0, DrawCard("deck"), once=Once("once", "asked"))
    for seen in (store.load(GAME), GameStore(redis, BOARDS).load(GAME)):
        assert seen.commands == {"once": (game.state.version, "asked")}


def test_nothing_is_lost_when_redis_is_killed_after_an_answer(tmp_path):
    with EmbeddedRedis(tmp_path) as server:
        store = GameStore(connect(server.url), BOARDS)
        game = act(store, begin(store), 0, DrawCard("deck"))
        server.kill()
        server.start()
        assert GameStore(connect(server.url), BOARDS).load(GAME).state == game.state


def test_the_lease_for_bots_is_taken_once_renewed_and_given_back(store, redis):
    game = begin(store)

    def append(seat, lease):
        nonlocal game
        action = legal_actions(game.state, seat)[0]
        game, taken = store.append(game, *play(game.state, seat, action), seat=seat, action=action,
                                   lease=lease)
        left = redis.pttl(GameStore.key(GAME, "bots"))
        return taken, "none" if left < 0 else "short" if left <= 9_000 else "long"

    assert append(0, ("take", 9_000)) == (True, "short")
    assert append(0, ("take", 90_000)) == (False, "short")
    assert append(1, ("refresh", 90_000)) == (False, "long")
    assert append(1, None) == (False, "none")


def test_an_old_history_is_folded_without_asking_the_rules(store, redis):
    """Events carry outcomes: not even an illegal one is looked at twice (9.5)."""
    game = begin(store)
    events, state = play(game.state, 0, DrawCard("deck"))
    store.append(game, events, state, seat=0, action=action_from_json({"type": "pass"}))
    assert GameStore(redis, BOARDS).load(GAME).state == state


def test_seats_that_choose_their_tickets_at_once_all_get_in(redis_server, redis):
    store = GameStore(redis, BOARDS)
    players = tuple((Player(f"p{seat}", f"P{seat}"), None) for seat in range(5))
    command = CreateGame(GAME, "p0", players, seed=bytes(32))
    empty = KnownGame(State(BOARDS["usa"]))
    store.append(empty, *play(empty.state, None, command))

    def choose(seat: int) -> None:
        mine = GameStore(connect(redis_server.url), BOARDS)
        while True:
            game = mine.load(GAME)
            kept = tuple(BOARDS["usa"].tickets[t].id for t in game.state.offered[seat][:2])
            try:
                return act(mine, game, seat, KeepTickets(kept))
            except Conflict:
                continue

    threads = [threading.Thread(target=choose, args=(seat,)) for seat in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    state = store.load(GAME).state
    assert state.step == "turn"
    assert [len(held) for held in state.tickets] == [2] * 5
