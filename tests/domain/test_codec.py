"""Commands and events as JSON and back."""

import json

import pytest

from domain.commands import (
    ACTIONS,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    KeepTickets,
    Pass,
    Resign,
    action_from_json,
)
from domain.events import EVENTS, CardDrawn, GameEnded, SeatTaken, event_from_json

JSON_OF_ACTIONS = [
    (KeepTickets(("a--b", "c--d")), {"type": "keep_tickets", "tickets": ["a--b", "c--d"]}),
    (DrawCard("deck"), {"type": "draw_card", "from": "deck"}),
    (DrawCard("row", "red"), {"type": "draw_card", "from": "row", "card": "red"}),
    (ClaimRoute("a--b", {"red": 2, "wild": 1}),
     {"type": "claim_route", "route": "a--b", "cards": {"red": 2, "wild": 1}}),
    (DrawTickets(), {"type": "draw_tickets"}),
    (Pass(), {"type": "pass"}),
    (Resign(), {"type": "resign"}),
]


def through_text(value: dict) -> dict:
    """The object as it comes back from text."""
    return json.loads(json.dumps(value))


def test_every_action_has_its_json():
    assert {type(action).type for action, _ in JSON_OF_ACTIONS} == ACTIONS.keys()


@pytest.mark.parametrize(("action", "written"), JSON_OF_ACTIONS)
def test_an_action_is_written_as_documented_and_read_back(action, written):
    assert through_text(action.as_json()) == written
    assert action.json == action.as_json()
    assert action_from_json(written) == action


@pytest.mark.parametrize(("event", "written"), [
    (CardDrawn(1, "deck", "red"),
     {"type": "card_drawn", "seat": 1, "from": "deck", "card": "red"}),
    (CardDrawn(1, "row", "red", place=0),
     {"type": "card_drawn", "seat": 1, "from": "row", "card": "red", "place": 0}),
    (SeatTaken(0, {"id": "p", "name": "P"}),
     {"type": "seat_taken", "seat": 0, "player": {"id": "p", "name": "P"}}),
    (GameEnded("all_passed", ({"total": 1}, {"total": 2})),
     {"type": "game_ended", "reason": "all_passed", "results": [{"total": 1}, {"total": 2}]}),
])
def test_an_event_leaves_out_what_it_does_not_have_and_is_read_back(event, written):
    assert through_text(event.as_json()) == written
    assert event_from_json(written) == event


def test_types_are_the_names_in_snake_case():
    assert list(ACTIONS) == [
        "keep_tickets", "draw_card", "claim_route", "draw_tickets", "pass", "resign",
    ]
    assert EVENTS["tickets_returned"].__name__ == "TicketsReturned"
    assert all(cls.type == name for name, cls in (ACTIONS | EVENTS).items())


@pytest.mark.parametrize("value", [
    {},
    {"type": "fold_map"},
    {"type": None},
    {"type": ["pass"]},
    {"type": "card_drawn"},
    {"type": "claim_route", "route": "a--b"},
    {"type": "pass", "reason": "bored"},
    {"type": "draw_card", "from_": "deck"},
    {"type": "draw_card", "from": "deck", "from_": "row"},
    [],
    "pass",
    None,
])
def test_what_is_no_action_is_refused(value):
    with pytest.raises(ValueError, match=r"no type|not an object|members"):
        action_from_json(value)


def test_an_event_with_a_member_too_few_is_refused():
    with pytest.raises(ValueError, match="card_drawn has members"):
        event_from_json({"type": "card_drawn", "seat": 1})
