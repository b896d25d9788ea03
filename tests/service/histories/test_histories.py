"""Games as they were, whole histories, decisions and bulk downloads: what each holds, and hides."""

import gzip
import json
import threading
import time
from contextlib import ExitStack
from hashlib import sha256
from random import Random

import pytest
import sqlalchemy as sa

from domain.entry import hash_after
from service.games.store import GameStore
from service.http import metrics
from service.http.schemas.base import Moment
from service.http.serving import services
from service.http.slots import DOWNLOADS, Slots
from service.records import histories, tables
from service.records.games import add_game
from service.records.recorder import Recorder
from service.records.settling import publish
from tests.service.callers import Caller, begin, create, keep_tickets, less_deadlines, play_on, won
from tools.generators.openapi_tape import Tape

NDJSON = "application/x-ndjson"
FOR_EVER = "max-age=31536000, immutable"
RESIGN = {"type": "resign"}
ELSEWHERE = {"REMOTE_ADDR": "203.0.113.9"}


def lines(answer) -> list[dict]:
    """The lines of a download, less the signs of life."""
    assert (answer.status_code, answer.mimetype) == (200, NDJSON), answer.get_data()
    return [json.loads(line) for line in answer.get_data().splitlines() if line]


def stored(redis, game: str) -> list[tuple[bytes, str]]:
    """The entries as they are stored, with their hashes."""
    rows = redis.xrange(GameStore.key(game, "log"))
    return [(fields[b"e"], fields[b"h"].decode()) for _, fields in rows]


@pytest.fixture
def recorded(app, ada, grace, anybody):
    """A whole game, with what each caller was shown at each version: [(version, caller, view)]."""
    game, chance, views = begin(ada, grace, seed="7c" * 32), Random(5), []

    def look() -> None:
        for caller in (ada, grace, anybody):
            view = caller.view(game)
            views.append((view["version"], caller, view))

    look()
    for caller in (ada, grace):
        caller.play(game, caller.view(game)["you"]["legal_actions"][-1])
        look()
    for _ in play_on(
        game,
        [ada, grace],
        lambda actions: chance.choice(
            [a for a in actions if a["type"] == "claim_route"] or actions
        ),
    ):
        look()
    return game, views


# The past of a game


def test_a_running_game_is_shown_as_each_caller_saw_it_then(ada, grace, anybody, game):
    seen = []
    for mover in (ada, ada, grace, grace):
        mover.play(game, {"type": "draw_card", "from": "deck"})
        seen += [(caller, caller.view(game)) for caller in (ada, grace, anybody)]
    for caller, view in seen:
        asked = caller.get(f"/v1/games/{game}?at={view['version']}")
        assert less_deadlines(asked.json) == less_deadlines(view)
        assert asked.headers["ETag"].startswith(f'"{view["version"]}-')
        assert asked.headers["Cache-Control"] == "private, no-store"


def test_a_finished_game_is_shown_as_it_was_and_reveals_what_everybody_held(recorded):
    game, seen = recorded
    hands = {
        (view["version"], view["you"]["seat"]): view["you"] for _, _, view in seen if "you" in view
    }
    last = seen[-1][0]
    for version, caller, view in seen[:30] + seen[-3:]:
        asked = caller.get(f"/v1/games/{game}?at={version}")
        assert asked.headers["Cache-Control"] == "private, no-cache"
        assert asked.headers["Vary"] == "Authorization, Accept-Encoding"
        shown = asked.json
        if version < last:
            for seat in shown["seats"]:
                you = hands[version, seat["seat"]]
                assert seat.pop("revealed") == {
                    name: you[name] for name in ("hand", "tickets", "offered") if name in you
                }
        assert shown == less_deadlines(view)


def test_the_picture_of_the_past_is_the_one_that_was_there(ada, grace, game):
    path = f"/v1/games/{game}/board.svg"
    version, before = ada.view(game)["version"], ada.get(path).get_data()
    claim = next(a for a in ada.view(game)["you"]["legal_actions"] if a["type"] == "claim_route")
    ada.play(game, claim)
    assert ada.get(path).get_data() != before
    asked = ada.get(f"{path}?at={version}")
    assert asked.get_data() == before
    assert asked.headers["Cache-Control"] == "private, no-cache"
    grace.play(game, RESIGN)
    assert ada.get(f"{path}?at={version}").headers["Cache-Control"] == "public, no-cache"


@pytest.mark.parametrize("path", ["", "/board.svg"])
def test_versions_that_are_not_there_or_mean_nothing_are_refused(ada, game, path, is_problem):
    at = f"/v1/games/{game}{path}?at="
    version = ada.view(game)["version"]
    assert is_problem(ada.get(f"{at}{version + 1}"), 409, "version-ahead")
    for wrong in ("0", "-1", "x", "1.0", "", "9" * 30):
        is_problem(ada.get(at + wrong), 422, "malformed")
    is_problem(ada.get(f"/v1/games/{'g_' + '0' * 20}{path}?at=1"), 404, "unknown-game")


# Whole histories


def test_a_history_is_the_stored_bytes_with_the_hashes_and_its_chain_holds(
    anybody, finished, redis
):
    asked = anybody.get(f"/v1/games/{finished}/history")
    assert asked.mimetype == NDJSON
    told, before = stored(redis, finished), ""
    for line, (raw, entry_hash) in zip(asked.get_data().splitlines(), told, strict=True):
        entry, _, tail = line.rpartition(b',"hash":"')
        assert (entry + b"}", tail) == (raw, entry_hash.encode() + b'"}')
        before = sha256(before.encode() + b"\n" + entry + b"}").hexdigest()
        assert before == entry_hash
    assert asked.headers["ETag"] == f'"{before}"'
    again = anybody.get(asked.request.path, headers={"If-None-Match": asked.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert asked.headers["Cache-Control"] == f"public, {FOR_EVER}"


@pytest.mark.parametrize("path", ["/v1/histories", "/v1/decisions", "/v1/games/{}/decisions"])
def test_downloads_take_turns_so_that_others_need_not_wait_for_all(
    app, ada, grace, anybody, path, recorder
):
    path, received = path.format(won(ada, grace)), []
    recorder.run()
    whole = anybody.get(path).get_data()
    one = threading.Thread(
        target=lambda: received.append(Caller(app).get(path, environ_base=ELSEWHERE).get_data())
    )
    downloads = services(app).find(Slots)
    with ExitStack() as held:
        for _ in range(DOWNLOADS):
            held.enter_context(downloads.slot("somebody"))
        one.start()
        end = time.monotonic() + 30
        while "203.0.113.9" not in downloads._waiting:
            assert time.monotonic() < end
            time.sleep(0.01)
        assert anybody.get("/v1/games").status_code == 200
        assert received == []
    one.join(30)
    assert received == [whole]


def test_a_running_game_has_no_history_yet_and_resigning_out_of_turn_is_no_decision(
    ada, grace, game, is_problem
):
    for what in ("history", "decisions"):
        is_problem(ada.get(f"/v1/games/{game}/{what}"), 409, "game-not-finished")
    assert ada.get(f"/v1/games/{game}?at=1").json["you"] == {"seat": 0}  # the lobby
    grace.play(game, RESIGN)
    assert [row["decision"] for row in lines(ada.get(f"/v1/games/{game}/decisions"))] == [
        "keep_tickets",
        "keep_tickets",
    ]


@pytest.mark.parametrize("what", ["history", "decisions"])
def test_a_game_that_is_not_public_is_shown_to_its_players_alone(
    ada, mary, anybody, what, is_problem
):
    for options, status, code in (
        ({"visibility": "private"}, 404, "unknown-game"),
        ({"spectators": False}, 403, "not-yours"),
    ):
        path = f"/v1/games/{won(ada, mary, **options)}/{what}"
        is_problem(anybody.get(path), status, code)
        for player in (ada, mary):
            assert lines(player.get(path))


# Decisions


def test_decisions_hold_the_views_that_the_players_had_and_nothing_more(recorded, anybody, fits):
    game, seen = recorded
    views = {(version, view["you"]["seat"]): view for version, _, view in seen if "you" in view}
    final = anybody.view(game)
    told = lines(anybody.get(f"/v1/games/{game}/decisions"))
    assert [row["version"] for row in told] == list(range(3, final["version"] + 1))
    for row in told:
        assert row["view"] == less_deadlines(views[row["version"] - 1, row["seat"]])
        assert row["action"] in row["view"]["you"]["legal_actions"]
        assert {"seat": row["seat"], "decision": row["decision"]} in row["view"]["deciding"]
        assert row["result"] == final["seats"][row["seat"]]["result"]
        assert 0 <= row["milliseconds"] < 60_000
        assert set(row) == {
            "version",
            "seat",
            "decision",
            "view",
            "action",
            "milliseconds",
            "result",
            "at",
            "events",
            "tickets",
        }
        entry = anybody.get(f"/v1/games/{game}/events?after={row['version'] - 1}&limit=1").json
        assert {"at": row["at"], "events": row["events"]}.items() <= entry["items"][0].items()
        completed = [held["ticket"] for held in row["tickets"] if held["completed"]]
        assert len(completed) == row["result"]["tickets_completed"]
        shown = final["seats"][row["seat"]]["revealed"]["tickets"]
        assert [held["ticket"] for held in row["tickets"]] == shown
    fits("View", told[-1]["view"])


def test_downloads_say_how_strong_the_players_were_before_and_who_left(
    ada, grace, anybody, recorder
):
    games = [begin(ada, grace, first_seat=None) for _ in range(2)]
    for game in games:
        keep_tickets(game, ada, grace)
        grace.play(game, RESIGN)
    recorder.run()
    paths = ("/v1/histories", "/v1/decisions")
    changes = {row["game"]: row for row in ada.get(f"/v1/players/{ada.id}/ratings").json["items"]}
    for path in paths:
        told = lines(anybody.get(path))
        assert {row["game"] for row in told} == {*games}
        for row in told:
            mine, other = row["ratings"]
            change = changes[row["game"]]
            assert mine == change["before"] | {"weight": change["weight"]}
            assert other["rating"] <= mine["rating"]
    by_seat = {row["seat"]: row.get("left") for row in told}
    assert by_seat == {0: None, 1: "resigned"}


def test_a_decision_takes_from_when_it_was_there_less_the_absences_of_the_service(
    app, ada, grace, redis, monkeypatch
):
    game = begin(ada, grace, clock={"bank": 600})
    keep_tickets(game, ada, grace)
    ada.play(game, RESIGN)
    store = services(app).games.store
    original = store.entries

    def entries(game_id, after=0, until=None):
        previous, rows = "", []
        for raw, _ in original(game_id):
            entry = json.loads(raw)
            if "available" in entry:
                entry |= {
                    "available": "2026-01-01T00:00:00.000Z",
                    "arrived": "2026-01-01T00:00:09.000Z",
                    "paused": 2000,
                }
            text = json.dumps(entry).encode()
            previous = hash_after(previous, text)
            rows.append((text, previous))
        return iter(rows[after:until])

    monkeypatch.setattr(store, "entries", entries)
    store._cache.clear()
    told = lines(ada.get(f"/v1/games/{game}/decisions"))
    assert told[0]["view"]["seats"][0]["bank"] == 600
    assert [row["milliseconds"] for row in told[:2]] == [7000, 7000]


# In bulk


@pytest.fixture
def many(app, ada, grace, recorder):
    """Public finished games, the first that ended first. There are also games that nobody may
    download in bulk."""
    ids = [won(ada, grace) for _ in range(5)]
    won(ada, grace, spectators=False)
    begin(ada, grace)
    aborted = begin(ada, grace)
    assert ada.post(f"/v1/games/{aborted}/abort", {}).status_code == 200
    for visibility in ("private", "unlisted"):
        won(ada, grace, visibility=visibility)
    recorder.run()
    return ids


def test_histories_are_those_of_public_games_that_were_played_to_a_result(ada, anybody, many):
    for caller in (anybody, ada):
        told = lines(caller.get("/v1/histories"))
        assert [row["game"] for row in told] == many
    for row in told:
        whole = anybody.get(f"/v1/games/{row['game']}/history")
        assert row["entries"] == lines(whole)
        assert (row["board"], row["version"]) == ("usa", len(row["entries"]))
        assert (row["created"], row["finished"]) == (
            row["entries"][0]["at"],
            row["entries"][-1]["at"],
        )
        assert [seat["rank"] for seat in row["seats"]] == [1, 2]


@pytest.mark.parametrize("path", ["/v1/histories", "/v1/decisions"])
def test_a_download_goes_on_after_any_line_without_a_gap_or_a_repeat(
    ada, grace, anybody, many, path, recorder
):
    whole = lines(anybody.get(path))
    for place in range(len(whole)):
        rest = lines(anybody.get(f"{path}?after={whole[place]['cursor']}"))
        assert rest == whole[place + 1 :]
    later = won(ada, grace)
    recorder.run()
    rest = lines(anybody.get(f"{path}?after={whole[-1]['cursor']}"))
    assert {row["game"] for row in rest} == {later}


def test_downloads_are_narrowed_by_board_bot_time_and_number(ada, grace, anybody, many, recorder):
    def games(query: str, path: str = "/v1/histories") -> list[str]:
        return list(dict.fromkeys(row["game"] for row in lines(anybody.get(f"{path}?{query}"))))

    ends = {row["game"]: row["finished"] for row in lines(anybody.get("/v1/histories"))}
    with_bot = create(ada, {"bot": "planner"}, board="europe")["id"]
    ada.play(with_bot, RESIGN)
    recorder.run()
    for path in ("/v1/histories", "/v1/decisions"):
        assert games("board=usa", path) == many
        assert games("board=europe", path) == [with_bot]
        assert games("board=atlantis", path) == games("bot=greedy", path) == []
        assert games(f"since={ends[many[2]]}", path)[:3] == many[2:]
        assert games(f"until={ends[many[2]]}", path) == many[:2]
        assert games(f"since={ends[many[1]]}&until={ends[many[3]]}", path) == many[1:3]
        assert games("limit=2", path) == many[:2]
        assert games("bot=planner", path) == [with_bot]


def test_a_download_is_compressed_on_request(anybody, many):
    for path in ("histories", "decisions", f"games/{many[0]}/history"):
        small = anybody.get(f"/v1/{path}", headers={"Accept-Encoding": "gzip"})
        assert gzip.decompress(small.get_data()) == anybody.get(f"/v1/{path}").get_data()


def test_a_download_is_read_as_it_is_needed_and_counted_as_a_stream(
    app, ada, grace, anybody, many, monkeypatch
):
    monkeypatch.setattr(histories, "BATCH_SIZE", 2)
    before = metrics.STREAMS._value.get()
    asked = anybody.get("/v1/histories")
    parts = iter(asked.response)
    assert len(next(parts).splitlines()) == 2
    assert metrics.STREAMS._value.get() == before + 1
    asked.close()
    assert metrics.STREAMS._value.get() == before
    assert [row["game"] for row in lines(anybody.get("/v1/histories"))] == many


@pytest.mark.parametrize("path", ["/v1/histories", "/v1/decisions"])
def test_wrong_queries_of_downloads_are_refused(anybody, path, is_problem):
    for query in (
        "after=1",
        "after=x.g_00000000000000000001",
        "after=1.g_00000000000000000001.0",
        "bot=hal",
        "limit=0",
        "since=2026-02-30T00:00:00Z",
        "until=2026-01-01T00:00:00",
        "player=me",
        "status=playing",
    ):
        is_problem(anybody.get(f"{path}?{query}"), 422, "malformed")


@pytest.mark.parametrize("kind", ["running", {"visibility": "private"}, {"spectators": False}])
def test_no_download_holds_a_game_that_the_records_call_public_by_mistake(
    ada, grace, anybody, many, games, recorder, kind
):
    game = begin(ada, grace) if kind == "running" else won(ada, grace, **kind)
    recorder.run()
    known, history = games.get(game), list(games.store.entries(game))
    with games.database.writing() as db:
        n = add_game(db, games.store, known, history, False) or db.scalar(
            sa.select(tables.game.c.n).where(tables.game.c.id == game)
        )
        publish(db, n)
    for path in ("/v1/histories", "/v1/decisions"):
        assert {row["game"] for row in lines(anybody.get(path))} == set(many)


@pytest.mark.parametrize("path", ["/v1/histories", "/v1/decisions"])
def test_a_broken_record_is_set_aside_and_the_download_goes_on(anybody, many, games, path):
    with games.database.writing() as db:
        db.execute(
            sa.update(tables.game).where(tables.game.c.id == many[1]).values(history=b"broken")
        )
        db.execute(
            sa.update(tables.game).where(tables.game.c.id == many[3]).values(last_hash=b"another")
        )
    told = dict.fromkeys(row["game"] for row in lines(anybody.get(path)))
    assert [*told] == [many[0], many[2], many[4]]
    assert {many[1], many[3]} <= {*games.store.broken}


# Lists


def test_games_are_listed_by_bot_winner_and_time(ada, grace, anybody, is_problem):
    def ids(query: str, caller: Caller = anybody) -> list[str]:
        return [row["id"] for row in caller.read(f"/v1/games?{query}")["items"]]

    mine, running = won(ada, grace), begin(ada, grace)
    with_bot = create(ada, {"bot": "greedy"})["id"]
    created = {row["id"]: row["created"] for row in anybody.get("/v1/games").json["items"]}
    assert ids("bot=greedy") == [with_bot]
    assert ids(f"won_by={ada.id}&player={grace.id}&board=usa&status=finished") == [mine]
    assert ids("won_by=me", ada) == [mine]
    for zone in ("%2B00:00", "+00:00", "-00:00", "Z"):
        at = f"{created[running][:-1]}000000{zone}"
        assert (ids(f"since={at}"), ids(f"until={at}")) == ([with_bot, running], [mine])
    for wrong in ("bot=hal", "since=yesterday", "until=2026-13-01T00:00:00Z", "since=2026-01-01"):
        is_problem(anybody.get(f"/v1/games?{wrong}"), 422, "malformed")


def test_times_are_read_as_rfc_3339_writes_them():
    for said, milliseconds in (
        ("1970-01-01t00:00:01.57z", 1570),
        ("1970-01-01T00:00:00.0019Z", 1),
        ("1970-01-01T02:00:00+02:00", 0),
        ("1970-01-01T00:00:60Z", 59_000),
        ("0001-01-01T00:00:00+23:59", -62_135_683_140_000),
    ):
        assert Moment().deserialize(said) == milliseconds


def test_the_cursor_of_a_list_reveals_no_game_that_is_not_on_it(
    ada, grace, anybody, recorder, monkeypatch
):
    """Everybody who knows the id of an unlisted game may see it."""
    monkeypatch.setattr("service.eventlog.pages.READ_AT_MOST", 2)
    wanted = won(ada, grace)
    hidden = [
        begin(ada, grace, visibility="unlisted"),
        *(won(ada, grace, visibility=visibility) for visibility in ("private", "unlisted") * 2),
    ]
    recorder.run()
    items, cursor, cursors = [], "", []
    while cursor is not None:
        page = anybody.get(
            f"/v1/games?player={ada.id}&limit=1" + (f"&after={cursor}" if cursor else "")
        ).json
        items, cursor = [*items, *page["items"]], page["next"]
        cursors.append(cursor or "")
    assert [row["id"] for row in items] == [wanted]
    assert len(cursors) > 2
    assert not [game for game in hidden if game in "".join(cursors)]


# Examples for openapi.yaml


def show_histories(tape: Tape) -> None:
    """Read the history and the decisions of the finished game."""
    version = tape.version
    tape.call(
        "getGame",
        "at",
        "The same game at version 10",
        "GET",
        f"{tape.game}?at=10&legal_actions=false",
        by="ada",
    )
    tape.call(
        "getGame",
        "version-ahead",
        "A version that does not exist",
        "GET",
        f"{tape.game}?at={version + 1}",
    )
    tape.call(
        "getGamePicture", "at", "The map at version 10", "GET", f"{tape.game}/board.svg?at=10"
    )
    tape.call(
        "listGames",
        "won",
        "Games of the USA that the caller has won",
        "GET",
        "/v1/games?board=usa&won_by=me",
        by="grace",
    )
    tape.call("getHistory", "finished", "A whole game", "GET", f"{tape.game}/history")
    tape.call(
        "getViews",
        "finished",
        "The last three views of a game",
        "GET",
        f"{tape.game}/views?after={tape.version - 3}",
    )
    tape.call(
        "getDecisions", "finished", "All decisions of a game", "GET", f"{tape.game}/decisions"
    )
    Recorder(tape.games, tape.games.database).run()
    tape.call("listHistories", "usa", "Games on a board", "GET", "/v1/histories?board=usa")
    tape.call("listDecisions", "usa", "Decisions on a board", "GET", "/v1/decisions?board=usa")
