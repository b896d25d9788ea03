"""Playing: conditional requests, repeated requests, and following a game by pages."""

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from domain.game.proof import finished
from service.http.answers import NDJSON, SSE
from tests.service.callers import Caller, begin, pages, sign_up
from tools.generators.openapi_tape import Tape, choice_of
from tools.histories.written import BY_DIGEST

DRAW = {"type": "draw_card", "from": "deck"}


@pytest.fixture
def lobby(ada):
    """A game that Ada has created, with two more seats, which are open."""
    wish = {"board": "usa", "seats": [{"player": "me"}, {"open": True}, {"open": True}]}
    return ada.post("/v1/games", wish).json["id"]


# Conditional requests


@pytest.mark.parametrize(
    ("tags", "status"),
    [
        ("*", 200),
        ('"1", "{}"', 200),
        ('W/"1" ,"{}-0123456789abcdef-gzip"', 200),
        ('"1", "2"', 412),
        ('W/"{}"', 412),
        ('"0{}"', 412),
        ('"", "x"', 412),
        ('"9999999999"', 412),
    ],
)
def test_if_match_is_read_as_http_says(ada, game, tags, status):
    """RFC 9110, 13.1.1: one of the tags has to match, and a weak one never does."""
    answer = ada.act(game, DRAW, headers={"If-Match": tags.format(ada.view(game)["version"])})
    assert answer.status_code == status


def test_an_action_meant_for_another_version_is_not_played(ada, game, is_problem):
    view = ada.get(f"/v1/games/{game}")
    assert view.headers["ETag"].startswith(f'"{view.json["version"]}-')
    played = ada.act(game, DRAW, headers={"If-Match": view.headers["ETag"]})
    assert played.headers["ETag"] == f'"{played.json["version"]}"'
    problem = is_problem(
        ada.act(game, DRAW, headers={"If-Match": view.headers["ETag"]}), 412, "stale-version"
    )
    assert problem["version"] == played.json["version"]
    assert problem["entries"] == played.json["entries"]
    assert problem["view"] == ada.view(game)
    assert (
        is_problem(ada.act(game, DRAW, headers={"If-Match": '"99"'}), 412, "stale-version")[
            "entries"
        ]
        == []
    )


# Retries


def test_an_action_sent_twice_with_its_key_is_played_once(ada, grace, game):
    key = {"Idempotency-Key": "one"}
    first = ada.act(game, DRAW | {"note": "first"}, headers=key).data
    for action in (DRAW | {"note": "second"}, DRAW):  # with another note it is the same action
        assert ada.act(game, action, headers=key).data == first
    ada.play(game, DRAW)
    grace.play(game, DRAW)
    assert ada.act(game, DRAW, headers=key | {"If-Match": '"1"'}).data == first
    grace.play(game, {"type": "resign"})
    assert ada.act(game, DRAW, headers=key).data == first


def test_a_key_belongs_to_one_action_of_one_account(ada, grace, game, is_problem):
    key = {"Idempotency-Key": "ours"}
    mine = ada.act(game, DRAW, headers=key).json
    other = ada.act(game, {"type": "resign"}, headers=key)
    problem = is_problem(other, 422, "key-reused")
    assert problem["field"] == "Idempotency-Key"
    assert problem["title"] == "The idempotency key was used for another request"
    assert ada.view(game)["version"] == mine["version"]
    ada.play(game, DRAW)
    hers = grace.act(game, DRAW, headers=key).json
    assert hers["version"] == mine["version"] + 2
    assert "card" in hers["entries"][0]["events"][0]
    assert hers["view"]["you"]["seat"] == 1


def test_a_refused_action_leaves_its_key_free(ada, grace, game, is_problem):
    key = {"Idempotency-Key": "later"}
    is_problem(grace.act(game, DRAW, headers=key), 409, "not-your-turn")
    ada.play(game, DRAW)
    ada.play(game, DRAW)
    assert grace.act(game, DRAW, headers=key).status_code == 200


def test_a_choice_of_tickets_sent_again_later_is_answered_as_the_first_time(ada, grace):
    game, key = begin(ada, grace), {"Idempotency-Key": "mine"}
    choice = ada.view(game)["you"]["legal_actions"][0]
    first = ada.act(game, choice, headers=key)
    grace.play(game, grace.view(game)["you"]["legal_actions"][0])
    again = ada.act(game, choice, headers=key)
    assert (again.status_code, again.data) == (200, first.data)


def test_keys_hold_when_everybody_acts_at_once(app):
    callers = [sign_up(app, f"Player {i}") for i in range(5)]
    game = begin(*callers)

    def choose(caller: Caller):
        choice = caller.view(game)["you"]["legal_actions"][0]
        return caller.act(game, choice, headers={"Idempotency-Key": "k"})

    with ThreadPoolExecutor(5) as threads:
        answers = [*threads.map(choose, callers)]
    assert [answer.status_code for answer in answers] == [200] * 5
    played = {answer.json["entries"][0]["seat"]: answer.json["version"] for answer in answers}
    assert sorted(played) == list(range(5))
    assert len(set(played.values())) == 5


# Notes


def test_a_note_is_its_authors_until_the_game_is_an_open_book(ada, grace, anybody, game):
    noted = ada.play(game, DRAW | {"note": "a secret plan"})
    entry, version = noted["entries"][0], noted["version"]
    assert (entry["note"], entry["action"]) == ("a secret plan", DRAW)
    path = f"/v1/games/{game}/events?after={version - 1}"
    assert ada.get(path).json["items"][0] == entry
    for other in (grace, anybody):
        seen = other.get(path)
        assert "plan" not in seen.get_data(as_text=True)
        assert seen.json["items"][0].keys() == entry.keys() - {"note"}
    ada.play(game, DRAW | {"note": "🚂 \n" * 100})
    grace.play(game, {"type": "resign", "note": "I give up"})
    lines = anybody.get(f"/v1/games/{game}/decisions").get_data(as_text=True).splitlines()
    rows = [json.loads(line) for line in lines]
    assert [row["note"] for row in rows if "note" in row] == [
        "a secret plan",
        "🚂 \n" * 100,
        "I give up",
    ]
    history = anybody.get(f"/v1/games/{game}/events").json["items"]
    assert [e["note"] for e in history if "note" in e] == [
        row["note"] for row in rows if "note" in row
    ]
    assert finished(BY_DIGEST, history).wrong is None


@pytest.mark.parametrize(
    "note",
    ["", "é" * 513, None, 1, ["a"], "good\U000e0041\U000e0042", "a\u200bb", "a\u0000b", "1\ufe0f"],
)
def test_an_action_with_a_malformed_note_is_refused(ada, game, is_problem, note):
    version = ada.view(game)["version"]
    problem = is_problem(ada.act(game, DRAW | {"note": note}), 422, "malformed")
    assert problem["field"] == "note"
    assert ada.view(game)["version"] == version


@pytest.mark.parametrize(
    "note",
    [
        "first:\tdraw\r\nthen: wait",
        "\u2764\ufe0f\u200d\U0001f525",
        "\u9b5a \u0645\u0627\u0647\u06cc",
    ],
)
def test_a_note_may_have_lines_emoji_and_any_alphabet(ada, game, note):
    assert ada.play(game, DRAW | {"note": note})["entries"][0]["note"] == note


# Following a game


def test_entries_are_read_page_by_page_without_gap_or_repeat(ada, finished):
    parts = pages(ada, f"/v1/games/{finished}/events", limit=2)
    assert [entry["version"] for entries in parts for entry in entries] == list(
        range(1, ada.view(finished)["version"] + 1)
    )


def test_a_waiting_reader_is_answered_as_soon_as_somebody_plays(ada, grace, game):
    version, answers = ada.view(game)["version"], []

    def wait() -> None:
        answers.append(grace.get(f"/v1/games/{game}/events?after={version}&wait=30").json)

    reader = threading.Thread(target=wait)
    reader.start()
    time.sleep(0.3)
    assert answers == []
    began = time.monotonic()
    ada.play(game, DRAW)
    reader.join(30)
    assert time.monotonic() - began < 2
    assert [entry["version"] for entry in answers[0]["items"]] == [version + 1]
    assert answers[0]["next"] == version + 1


def test_a_reader_waits_no_longer_than_asked_nor_for_a_finished_game(ada, finished, lobby):
    began = time.monotonic()
    version = ada.view(lobby)["version"]
    idle = ada.get(f"/v1/games/{lobby}/events?after={version}&wait=0.3").json
    assert 0.3 <= time.monotonic() - began < 3
    assert idle == {"items": [], "next": version}
    over = ada.get(f"/v1/games/{finished}/events?after=999&wait=30").json
    assert over == {"items": [], "next": None}
    assert time.monotonic() - began < 6


# Examples for openapi.yaml


def show_turns(tape: Tape) -> None:
    """Play a few actions, and try what the rules forbid."""
    tape.play("keep-tickets", "Two of three tickets are kept", "ada", choice_of("keep_tickets"))
    tape.play(
        "too-few-tickets",
        "Two at least must be kept",
        "grace",
        lambda view: {"type": "keep_tickets", "tickets": view["you"]["offered"][:1]},
    )
    tape.play(
        "not-your-turn",
        "The game waits for the other",
        "ada",
        lambda _: {"type": "draw_card", "from": "deck"},
    )
    tape.play(
        "others-tickets", "The other's choice", "grace", choice_of("keep_tickets"), keep=False
    )
    tape.call("getGame", "your-turn", "The caller's turn", "GET", tape.game, by="ada")
    tape.call("getGame", "spectator", "The view without a seat", "GET", tape.game)
    tape.call(
        "getHistory",
        "game-not-finished",
        "Not available while the game runs",
        "GET",
        f"{tape.game}/history",
    )
    tape.call("getGame", "unknown-game", "No such game", "GET", "/v1/games/g_" + 20 * "0")
    tape.call("getGamePicture", "turn", "The current map", "GET", f"{tape.game}/board.svg")
    tape.call("getGameCard", "turn", "A card of the position", "GET", f"{tape.game}/card.png")
    tape.call(
        "listLegalActions",
        "turn",
        "The caller's turn",
        "GET",
        f"{tape.game}/legal-actions",
        by="ada",
    )
    tape.call(
        "listLegalActions",
        "not-yours",
        "Without a seat",
        "GET",
        f"{tape.game}/legal-actions",
        by="mary",
    )
    tape.play(
        "draw-blind",
        "A blind draw, to be followed by a second card",
        "ada",
        choice_of("draw_card"),
        headers={"Idempotency-Key": "a-name-of-my-own"},
    )
    tape.play(
        "key-used",
        "A key that belongs to another action",
        "ada",
        choice_of("draw_tickets"),
        headers={"Idempotency-Key": "a-name-of-my-own"},
    )
    tape.play(
        "stale",
        "An action meant for an earlier version",
        "ada",
        choice_of("draw_card"),
        headers={"If-Match": '"4"'},
    )
    tape.play(
        "draw-from-row",
        "A card of the row, with a note",
        "ada",
        lambda view: {
            "type": "draw_card",
            "from": "row",
            "card": min(set(view["row"]) - {"wild"}),
            "note": "One more for the north.",
        },
    )
    tape.play(
        "cards-not-held",
        "Cards that the hand does not hold",
        "grace",
        lambda _: {"type": "claim_route", "route": "boston--montreal", "cards": {"wild": 2}},
    )
    tape.play(
        "malformed",
        "A claim without cards",
        "grace",
        lambda _: {"type": "claim_route", "route": "boston--montreal"},
    )
    tape.play(
        "not-yours", "An action by somebody without a seat", "mary", lambda _: {"type": "resign"}
    )
    tape.call(
        "listEvents",
        "seat",
        "The latest entries, as their player sees them",
        "GET",
        f"{tape.game}/events?after=3",
        by="ada",
    )
    tape.call(
        "listEvents",
        "spectator",
        "The same entries, as spectators see them",
        "GET",
        f"{tape.game}/events?after=3",
    )
    tape.call("listEvents", "malformed", "Too long a wait", "GET", f"{tape.game}/events?wait=3600")
    tape.call("listMyEvents", "your-turn", "The caller's turn", "GET", "/v1/me/events", by="grace")
    for form in (SSE, NDJSON):
        tape.call(
            "listMyEvents",
            "your-turn",
            "The same, as a stream",
            "GET",
            "/v1/me/events",
            by="grace",
            headers={"Accept": form},
            parts=1,
        )
    tape.call(
        "listEvents",
        "version-ahead",
        "A version that does not exist",
        "GET",
        f"{tape.game}/events?after=999",
        headers={"Accept": SSE},
    )


def show_end(tape: Tape) -> None:
    """Play to the end, claiming routes where possible."""
    chance, claimed = Random(1), False
    while (view := tape.ask("GET", tape.game, by="ada").json)["deciding"]:
        by = ("ada", "grace")[view["deciding"][0]["seat"]]
        actions = tape.ask("GET", f"{tape.game}/legal-actions", by=by).json["items"]
        claims = [action for action in actions if action["type"] == "claim_route"]
        wanted = [claim for claim in claims if sum(claim["cards"].values()) > 2]
        action = chance.choice(
            wanted or [a for a in actions if a["type"] == "draw_card"] or claims or actions
        )
        if action in claims and not claimed:
            tape.play("claim-route", "A route is claimed", by, lambda _, a=action: a)
            claimed = True
        else:
            tape.ask("POST", f"{tape.game}/actions", action, by)
    tape.version = view["version"]
    tape.call("getGame", "finished", "A finished game has no secrets", "GET", tape.game)
    tape.call(
        "listEvents",
        "finished",
        "The last entry of a finished game",
        "GET",
        f"{tape.game}/events?after={view['version'] - 1}",
    )
    tape.call(
        "listGames",
        "finished",
        "Finished games of the caller",
        "GET",
        "/v1/games?player=me&status=finished",
        by="ada",
    )
    tape.play("game-finished", "It is over", "ada", lambda _: {"type": "resign"})
    for form in (SSE, NDJSON):
        tape.call(
            "listEvents",
            "stream",
            "The end of a game as a stream",
            "GET",
            f"{tape.game}/events?after={view['version'] - 1}",
            headers={"Accept": form},
        )
