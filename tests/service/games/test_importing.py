"""Finished games from elsewhere: whole or not at all, and to the byte what they were."""

import json
import os
import subprocess
import sys

import orjson
import pytest
from fogg_client.client import Client

from domain.boards import load_folder
from domain.game.proof import Wrong
from service import app, settings
from service.games import importing, index
from service.games.store import GameStore
from service.redis.connection import connect
from tests.domain.game.test_proof import chained
from tools.histories.kept import FORMER_USA, HERE, expected, read
from tools.histories.written import BY_DIGEST

FOGG = [sys.executable, "-m", "cli"]
BOARDS = load_folder()
NAMES = sorted(expected())


@pytest.fixture
def store(redis):
    return GameStore(redis, BOARDS)


def put(store: GameStore, entries: list[dict]) -> tuple[str, bool]:
    known = importing.known_boards(store, [BY_DIGEST[FORMER_USA]])
    return importing.put(store, known, entries)


def exported(store: GameStore, game: str) -> bytes:
    """A game as the service serves it once it is over."""
    return b"".join(
        orjson.dumps(orjson.loads(raw) | {"hash": entry_hash}, option=orjson.OPT_SORT_KEYS) + b"\n"
        for raw, entry_hash in store.entries(game)
    )


def dump(redis) -> dict[bytes, bytes]:
    """Everything that a Redis holds, but for what another test's loop holds it by."""
    return {key: redis.dump(key) for key in redis.keys("*") if key != b"fogg:shared"}


@pytest.mark.parametrize("name", NAMES)
def test_an_imported_game_is_exported_to_the_byte(store, name):
    entries = read(name)
    game, is_new = put(store, entries)
    assert (game, is_new) == (expected()[name]["game"], True)
    served = b"".join(orjson.dumps(e, option=orjson.OPT_SORT_KEYS) + b"\n" for e in entries)
    assert exported(store, game) == served
    store.redis.flushall()
    put(store, [json.loads(line) for line in served.splitlines()])
    assert exported(store, game) == served


@pytest.mark.parametrize("name", NAMES)
def test_an_imported_game_is_found_as_if_it_had_been_played_here(store, redis, name):
    game, _ = put(store, read(name))
    loaded = GameStore(redis, BOARDS).load(game)
    assert list(loaded.state.results) == expected()[name]["results"]
    assert redis.exists(f"table:{loaded.state.board.digest}")
    assert store.heads([game]) == [orjson.loads(orjson.dumps(GameStore.head(loaded)))]
    rows, _ = index.games_page(store, index.GameFilter("finished"), before=None, limit=9)
    assert [row["id"] for row in rows] == (
        [game] if loaded.state.terms.visibility == "public" else []
    )


def test_a_game_that_is_recorded_stays_as_it_is(games, recorder, redis):
    """Also once it has left Redis."""
    game, _ = put(games.store, read("paris"))
    assert recorder.run() == 1
    for _ in range(2):
        before = dump(redis)
        assert put(games.store, read("paris")) == (game, False)
        assert dump(redis) == before
        redis.delete(*(GameStore.key(game, part) for part in ("log", "head", "imported")))
        games.store._cache.clear()
    assert games.store.imported([game]) == {game}


def named(entry: dict, name: str) -> dict:
    """A first entry with another name of its first player that is no built-in bot."""
    seat = next(
        event
        for event in entry["events"]
        if event["type"] == "seat_taken" and "bot" not in event["player"]
    )
    seat["player"]["name"] = name
    return entry


@pytest.mark.parametrize(
    ("change", "code", "reason"),
    [
        (lambda entry: entry | {"salt": "0" * 32}, "another-game", "here already, with another"),
        (lambda entry: entry | {"mood": "good"}, "unknown-members", r'does not know: \["mood"\]'),
        (
            lambda entry: orjson.loads(orjson.dumps(entry).replace(b'"game":"g_', b'"game":"x}')),
            "game-id",
            "no id",
        ),
        (lambda entry: named(entry, "x\0"), "player", "no player that lists"),
        (lambda entry: named(entry, "x" * 2_000), "player", r"x\.\.\. is no player"),
    ],
)
def test_a_right_history_that_cannot_be_stored_here_is_refused(store, redis, change, code, reason):
    put(store, read("paris"))
    before, history = dump(redis), read("paris")
    history[0] = change(history[0])
    with pytest.raises(importing.NotImported, match=reason) as refused:
        put(store, chained(history))
    assert refused.value.code == code
    assert dump(redis) == before


def test_a_game_that_goes_on_here_is_not_ended_from_elsewhere(store, redis):
    entries = read("paris")
    for i, entry in enumerate(entries[:5], 1):
        bare = {k: v for k, v in entry.items() if k != "hash"}
        redis.xadd(
            GameStore.key(expected()["paris"]["game"], "log"),
            {"e": orjson.dumps(bare, option=orjson.OPT_SORT_KEYS), "h": entry["hash"]},
            id=f"0-{i}",
        )
    before = dump(redis)
    with pytest.raises(importing.NotImported):
        put(store, entries)
    assert dump(redis) == before


def changed(name: str, value: object):
    def change(entries: list[dict]) -> list[dict]:
        entries[7][name] = value
        return entries

    return change


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda entries: entries[:-1], "unfinished"),
        (lambda entries: [], "unfinished"),
        (changed("salt", "0" * 32), "chain"),
        (changed("schema_version", 2), "unknown-schema"),
        *(
            (
                lambda entries, year=year: chained(
                    changed("at", f"{year}-01-01T00:00:00.000Z")(entries)
                ),
                "clock",
            )
            for year in ("2999", "1969")
        ),
    ],
    ids=["truncated", "empty", "edited", "later", "in the future", "before all lists"],
)
def test_a_wrong_history_leaves_nothing_behind(store, redis, change, code):
    with pytest.raises(Wrong) as wrong:
        put(store, change(read("paris")))
    assert wrong.value.code == code
    assert dump(redis) == {}


def test_a_table_that_is_kept_here_is_enough(store, redis):
    without = GameStore(redis, {})
    with pytest.raises(Wrong, match="no board paris"):
        put(without, read("paris"))
    store.keep_table(BOARDS["paris"])
    assert put(without, read("paris"))[1]
    assert GameStore(redis, {}).load(expected()["paris"]["game"]).state.board == BOARDS["paris"]


def fogg(url: str, *args) -> subprocess.CompletedProcess:
    return subprocess.run(
        [*FOGG, *map(str, args)],
        capture_output=True,
        text=True,
        timeout=120,
        env={
            **os.environ,
            "FOGG_REDIS_URL": url,
            "FOGG_DATABASE": app.Database(settings.DATABASE.value()).url,
        },
    )


def test_import_counts_new_known_and_refused_games(redis, redis_server, tmp_path):
    bad = tmp_path / "bad.ndjson"
    bad.write_text("".join(json.dumps(entry) + "\n" for entry in read("paris")[:-1]) + "{")
    args = ["import", HERE / "paris.ndjson.gz", bad, HERE / "london.ndjson.gz"]
    done = fogg(redis_server.url, *args)
    assert done.returncode == 1
    assert "2 of 3 games are new here, 0 were here, 1 are refused" in done.stdout
    assert "accounts, private and unfinished games, ratings" in done.stdout
    assert f"{bad}:46: entry 46 is wrong (not-json)" in done.stdout
    done = fogg(redis_server.url, args[0], args[1], args[3], "--json")
    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["new"] for line in done.stdout.splitlines()] == [False, False]


def test_a_game_played_over_http_is_verified_by_its_address_and_moves(stack, redis_server, redis):
    ann = Client(stack.url).sign_up("Ann")
    game = ann.post(
        "/v1/games",
        {
            "board": "paris",
            "seats": [{"bot": "greedy"}, {"bot": "random"}],
            "options": {"clock": {"per_decision": 60}},
        },
    )["id"]
    for _ in ann.entries(game):
        pass
    address = f"{stack.url}/v1/games/{game}"
    done = fogg("", "verify", address, f"{address}/events", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout.splitlines()[0])["game"] == game
    going = ann.post("/v1/games", {"board": "usa", "seats": [{"open": True}] * 2})["id"]
    done = fogg("", "verify", f"{stack.url}/v1/games/{going}")
    assert "(unfinished)" in done.stdout
    done = fogg(redis_server.url, "import", address, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    with connect(stack.redis.url) as there:
        assert list(GameStore(redis, BOARDS).entries(game)) == list(
            GameStore(there, BOARDS).entries(game)
        )
