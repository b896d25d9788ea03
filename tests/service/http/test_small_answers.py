"""Answers as small as a client wishes: legal actions in groups or none, of an action no view."""

from __future__ import annotations

import json

import pytest
from fogg_client import actions_of, expanded

from tests.service.callers import begin
from tools.generators.openapi_tape import Tape, choice_of

DRAW = {"type": "draw_card", "from": "deck"}
MINIMAL = {"Prefer": "return=minimal"}
LISTED = {"true": "legal_actions", "grouped": "grouped_actions", "false": None}


def as_sets(actions: list[dict]) -> set[str]:
    return {json.dumps(action, sort_keys=True) for action in actions}


def what_is_listed(view: dict) -> str | None:
    return next((name for name in LISTED.values() if name in view["you"]), None)


def test_groups_are_the_legal_actions_in_a_shorter_form(ada, game):
    whole = ada.view(game)
    short = ada.get(f"/v1/games/{game}?legal_actions=grouped").json
    actions = actions_of(short["you"]["grouped_actions"])
    assert as_sets(actions) == as_sets(whole["you"]["legal_actions"])
    assert len(actions) == len(whole["you"]["legal_actions"])
    assert len(json.dumps(short["you"])) < len(json.dumps(whole["you"])) / 3
    again = expanded(short)
    again["you"]["legal_actions"] = whole["you"]["legal_actions"]
    assert again == whole
    assert expanded(whole) is whole


@pytest.mark.parametrize("listed", LISTED)
def test_wherever_a_view_is_sent_the_caller_says_how_it_has_the_legal_actions(
    ada, grace, game, listed
):
    query = f"?legal_actions={listed}"
    views = [ada.get(f"/v1/games/{game}{query}").json]
    views += [
        notice["view"]
        for notice in ada.get(f"/v1/me/events{query}").json["items"]
        if "view" in notice
    ]
    lines = ada.get(f"/v1/games/{game}/events{query}", headers={"Accept": "text/event-stream"})
    first = next(iter(lines.response)).split(b"data: ")[1]
    lines.close()
    views.append(json.loads(first.split(b"\n")[0]))
    played = ada.post(f"/v1/games/{game}/actions{query}", DRAW).json
    views.append(played["view"])
    stale = ada.post(f"/v1/games/{game}/actions{query}", DRAW, headers={"If-Match": '"1"'}).json
    views.append(stale["view"])
    looked = ada.post(f"/v1/me/actions{query}", {"items": [{"game": game}]}).json["items"][0]
    views.append(looked["view"])
    assert len(views) == 6
    assert [what_is_listed(view) for view in views] == [LISTED[listed]] * 6


@pytest.mark.parametrize(
    "wish",
    [
        "return=minimal",
        'Return="minimal"',
        "respond-async, return=minimal; why=not",
        "return = minimal, return=representation",
    ],
)
def test_a_minimal_response_has_only_the_entry(ada, game, wish):
    answer = ada.act(game, DRAW, headers={"Prefer": wish})
    assert answer.json.keys() == {"version", "entries"}
    assert answer.headers["Preference-Applied"] == "return=minimal"
    assert answer.headers["ETag"] == '"5"'
    assert answer.json["entries"][0]["events"][0]["card"]


@pytest.mark.parametrize(
    "wish",
    [
        "",
        "return=representation",
        "handling=lenient",
        "minimal",
        "return=representation, return=minimal",
        "return",
        ";=,",
    ],
)
def test_other_preferences_are_ignored(ada, game, wish):
    answer = ada.act(game, DRAW, headers={"Prefer": wish})
    assert answer.status_code == 200
    assert "view" in answer.json
    assert "Preference-Applied" not in answer.headers


def test_a_repeated_key_can_ask_for_the_full_response(ada, game):
    key = {"Idempotency-Key": "mine"}
    short = ada.act(game, DRAW, headers=MINIMAL | key).json
    whole = ada.act(game, DRAW, headers=key).json
    assert whole.pop("view")["version"] == 5
    assert short == whole


def test_in_a_batch_only_reads_have_a_view(ada, grace, game):
    other = begin(ada, grace)
    answer = ada.post(
        "/v1/me/actions",
        {
            "items": [
                {"game": game, "action": DRAW},
                {"game": other},
                {"game": game, "action": DRAW, "if_match": 1},
            ]
        },
        headers=MINIMAL,
    )
    assert answer.headers["Preference-Applied"] == "return=minimal"
    played, looked, stale = answer.json["items"]
    assert played.keys() == {"status", "version", "entries"}
    assert looked["view"]["id"] == other
    assert stale["status"] == 412
    assert stale["view"]["version"] == 5


def show_small_answers(tape: Tape) -> None:
    """Look at the groups of one's legal actions, and play without being shown the view."""
    by = "ada" if tape.ask("GET", tape.game, by="ada").json["deciding"][0]["seat"] == 0 else "grace"
    tape.call(
        "getGame",
        "grouped",
        "The legal actions in groups",
        "GET",
        f"{tape.game}?legal_actions=grouped",
        by=by,
    )
    action = choice_of("draw_card")(tape.ask("GET", tape.game, by=by).json)
    tape.call(
        "playAction",
        "minimal",
        "An answer without the view",
        "POST",
        f"{tape.game}/actions",
        action,
        by=by,
        headers=MINIMAL,
    )
