"""The store of games, and concurrent use of one game."""

from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy

import orjson
import pytest

from domain.entry import canonical, salt_after
from domain.game.commands import DrawCard, Resign
from domain.game.fold import play
from domain.game.legal import legal_actions
from domain.rules import action_from_json
from service.eventlog.store import NewEntry
from service.games.store import GameStore, LoadedGame
from service.redis.conflicts import Conflict
from service.redis.connection import connect
from tests.service.eventlog.stored import BOARDS, GAME, act, begin
from tools.histories.kept import expected, read
from tools.histories.written import BY_DIGEST


@pytest.fixture
def store(redis):
    return GameStore(redis, BOARDS)


def test_ten_writers_at_once_leave_one_history_without_gaps(redis_server, redis):
    """Each writer decides on the version that it read; after a conflict it reads again."""
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

    with ThreadPoolExecutor(10) as writers:
        list(writers.map(write, range(10)))
    assert sorted(accepted) == list(range(7, 7 + len(accepted)))
    versions = [orjson.loads(raw)["version"] for raw, _ in GameStore(redis, BOARDS).entries(GAME)]
    assert versions == list(range(1, 7 + len(accepted)))


def test_the_lease_for_bots_is_taken_once_renewed_and_given_back(store, redis):
    game = begin(store)

    def append(seat, lease):
        nonlocal game
        action = legal_actions(game.state, seat)[0]
        entry = NewEntry(*play(game.state, seat, action), seat, action)
        game, taken = store.append(game, entry, lease)
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
    store.append(game, NewEntry(events, state, 0, action_from_json({"type": "pass"})))
    assert GameStore(redis, BOARDS).load(GAME).state == state


def members(game: LoadedGame) -> tuple[dict, dict]:
    """Return copies of a game's members and of its state's. Those that all values of one history
    share are left out."""
    own = {
        name: deepcopy(value)
        for name, value in vars(game).items()
        if name not in ("state", "trail", "commands")
    }
    return own, vars(game.state).copy()


def put_rows(redis, log: str, rows: list) -> None:
    """Append rows to a stream as they are."""
    for entry_id, fields in rows:
        redis.xadd(log, fields, entry_id)


@pytest.mark.parametrize(
    "name",
    [
        name if name == "usa" else pytest.param(name, marks=pytest.mark.deep)
        for name in sorted(expected())
    ],
)
def test_folding_a_kept_history_changes_no_game_that_was_folded_before(name, store, redis):
    entries = read(name)
    created = entries[0]["events"][0]
    game_id = created["game"]
    store.keep_table(BY_DIGEST[created["board_digest"]])
    store.put_texts(
        game_id,
        [
            (
                canonical({member: value for member, value in entry.items() if member != "hash"}),
                entry["hash"],
            )
            for entry in entries
        ],
        {},
    )
    folded = []
    for game in store.fold_entries(store.entries(game_id)):
        folded.append((game, members(game)))
    assert len(folded) == len(entries)
    whole = GameStore(redis, BOARDS).load(game_id)
    assert whole == folded[-1][0]
    log = store.key(game_id, "log")
    rows = redis.xrange(log)
    for version in range(1, len(rows), 23):
        redis.delete(log)
        put_rows(redis, log, rows[:version])
        other = GameStore(redis, BOARDS)
        before = other.load(game_id)
        assert members(before) == folded[version - 1][1]
        put_rows(redis, log, rows[version:])
        assert other.load(game_id) == whole
        assert members(before) == folded[version - 1][1]
    assert all(members(game) == was for game, was in folded)


def test_the_salts_of_a_game_follow_from_its_first_one_in_every_process(store, redis):
    begin(store)
    other = GameStore(redis, BOARDS)
    act(other, other.load(GAME), 0, DrawCard("deck"))
    first, *salts = [orjson.loads(raw)["salt"] for raw, _ in store.entries(GAME)]
    assert salts == [salt_after(first, version) for version in range(2, 2 + len(salts))]


def test_few_games_are_kept_that_are_over_and_many_that_are_not(store, monkeypatch):
    """A process would else need some 100 kB for each game that it has ever seen, up to hundreds of
    megabytes."""
    monkeypatch.setattr("service.eventlog.store.FINISHED_CACHED", 3)
    monkeypatch.setattr(GameStore, "keeps", 8)
    ids = [f"g_{number:020x}" for number in range(12)]
    for game_id in ids[:6]:
        act(store, begin(store, game_id), 0, Resign())
    for game_id in ids[6:8]:
        begin(store, game_id)
    assert list(store._cache) == ids[3:8]
    assert {store.load(game_id).state.status for game_id in ids[:6]} == {"finished"}
    assert store.load(ids[3]).state.version == 4
    for game_id in ids[8:]:
        begin(store, game_id)
    assert len(store._cache) == 8
