"""Over HTTP nobody learns what is hidden from them, in no answer and no log, until the end."""

import json
import logging

import pytest

from service.games.store import GameStore
from service.records.views import VIEWS
from service.tournaments.tournaments import Tournaments
from tests.service.callers import keep_tickets
from tests.service.tournaments.test_tournaments import begun, games_of


@pytest.fixture
def seen_by(app, game):
    """Everything that a caller is answered about the game, refusals included, as one text."""

    def seen_by(caller) -> str:
        path = f"/v1/games/{game}"
        version = caller.view(game)["version"]
        stale = {"If-Match": f'"{version - 1}"'}
        answers = [
            caller.get(path),
            caller.get(f"{path}/events"),
            caller.get(f"{path}/board.svg"),
            caller.get(f"{path}/legal-actions"),
            caller.get("/v1/games"),
            caller.get("/v1/me"),
            *(caller.get(f"{path}?at={then}") for then in range(1, version + 1)),
            caller.get(f"{path}/board.svg?at=4"),
            caller.get(f"{path}/history"),
            caller.get(f"{path}/decisions"),
            caller.act(game, {"type": "draw_card", "from": "deck"}, headers=stale),
            caller.act(game, {"type": "pass"}),
            caller.act(game, {"type": "keep_tickets", "tickets": ["a--b"]}),
            caller.post(f"{path}/seats", {}),
            caller.delete(f"{path}/seats/1"),
        ]
        return "\n".join(answer.get_data(as_text=True) for answer in answers)

    return seen_by


@pytest.fixture
def truth(redis, game):
    """The stored entries, which hold every secret."""

    def truth() -> list[dict]:
        return [json.loads(fields[b"e"]) for _, fields in redis.xrange(GameStore.key(game, "log"))]

    return truth


def events(entries: list[dict], kind: str) -> list[dict]:
    return [e for entry in entries for e in entry["events"] if e["type"] == kind]


def test_no_response_reveals_anothers_cards_or_tickets(ada, grace, anybody, seen_by, truth):
    hands = [e["cards"] for e in events(truth(), "hand_dealt")]
    tickets = [set(e["kept"]) for e in events(truth(), "tickets_kept")]
    answers = {0: seen_by(ada), 1: seen_by(grace), None: seen_by(anybody)}
    for seat in (0, 1):
        for viewer, text in answers.items():
            is_own = viewer == seat
            assert all((ticket in text) == is_own for ticket in tickets[seat])
            assert (json.dumps(hands[seat], separators=(",", ":")) in text) == is_own


def test_fully_hidden_members_occur_in_no_response(ada, grace, anybody, seen_by, truth):
    created = events(truth(), "game_created")[0]
    secrets = {created["seed"], *(entry["salt"] for entry in truth())}
    for caller in (ada, grace, anybody):
        text = seen_by(caller)
        assert created["commitment"] in text
        assert [secret for secret in secrets if secret in text] == []
        for kind, member in (("deck_shuffled", "cards"), ("tickets_shuffled", "tickets")):
            for event in events(truth(), kind):
                assert json.dumps(event[member][:6], separators=(",", ":"))[:-1] not in text


def test_tokens_occur_in_no_answer_but_the_one_that_made_them(ada, grace, seen_by):
    for caller in (ada, grace):
        text = seen_by(caller) + caller.get("/v1/me/tokens").get_data(as_text=True)
        assert ada.account["token"] not in text
        assert grace.account["token"] not in text


def test_nothing_secret_is_logged(app, ada, grace, anybody, game, seen_by, truth, caplog):
    caplog.set_level(logging.DEBUG)
    for caller in (ada, grace, anybody):
        seen_by(caller)
    ada.request("POST", f"/v1/games/{game}/actions", data=b"{", content_type="application/json")
    ada.play(game, {"type": "draw_card", "from": "deck"})
    grace.play(game, {"type": "resign"})
    secrets = {
        events(truth(), "game_created")[0]["seed"],
        ada.account["token"],
        grace.account["token"],
        *(entry["salt"] for entry in truth()),
    }
    secrets |= {ticket for e in events(truth(), "tickets_kept") for ticket in e["kept"]}
    assert [secret for secret in secrets if secret in caplog.text] == []


def test_a_bug_is_logged_but_not_shown_to_the_caller(app, ada, is_problem, caplog, monkeypatch):
    def fail():
        raise RuntimeError("the secret is a word")

    monkeypatch.setitem(app.view_functions, "boards.list_bots", fail)
    problem = is_problem(ada.get("/v1/bots"), 500, "internal-error")
    assert "a word" not in json.dumps(problem)
    assert "the secret is a word" in caplog.text


def test_the_records_reveal_nothing_of_a_deal_that_is_still_played(
    ada, grace, anybody, service, recorder
):
    """One game of the deal is over and recorded, with its tickets, claims and sums."""
    first, second = [
        row["game"]
        for row in games_of(begun(service.find(Tournaments), ada, grace, deals="duplicate"))
    ]
    keep_tickets(first, ada, grace)
    grace.play(first, {"type": "resign"})
    recorder.run()
    over = service.games.get(first).state
    held = {
        over.players[seat].id: {
            over.board.tickets[ticket].id for ticket in (*over.tickets[seat], *over.removed[seat])
        }
        for seat in over.seats
    }
    secrets = {over.seed}.union(*held.values())
    paths = [
        f"games/{first}{part}"
        for part in ("", "/events", "/board.svg", "/history", "/decisions", "?at=3")
    ]
    paths += [
        "games",
        f"games?player={ada.id}",
        "games?board=usa",
        "histories",
        "decisions",
        "log",
        "stats/boards/usa",
        "leaderboards/overall",
        f"players/{ada.id}",
        f"players/{ada.id}/opponents",
        f"players/{ada.id}/ratings",
    ]
    for viewer in (ada, grace, anybody):
        for path in paths:
            text = viewer.get(f"/v1/{path}").text
            others = secrets - held.get(viewer.account.get("id"), set())
            assert [secret for secret in others if secret in text] == [], path
    with recorder.database.reading() as db:
        for view in VIEWS:
            assert db.exec_driver_sql(f"SELECT * FROM {view}").all() == []
    ada.play(second, {"type": "resign"})
    recorder.run()
    assert all(secret in anybody.get("/v1/histories").text for secret in secrets)
