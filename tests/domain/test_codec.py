"""Commands and events as JSON and back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.codec import from_json
from domain.game.commands import ClaimRoute, DrawCard, DrawTickets, KeepTickets, Pass, Resign
from domain.game.events import CardDrawn, GameEnded, RouteClaimed, TicketsShuffled
from domain.rules import ACTIONS, EVENTS, action_from_json, event_from_json
from domain.rules.stations import BuildStation
from domain.rules.tunnels import PayTunnel, WithdrawTunnel
from domain.tournament.events import EVENTS as TOURNAMENT_EVENTS

JSON_OF_ACTIONS = [
    (KeepTickets(("a--b", "c--d")), {"type": "keep_tickets", "tickets": ["a--b", "c--d"]}),
    (DrawCard("deck"), {"type": "draw_card", "from": "deck"}),
    (DrawCard("row", "red"), {"type": "draw_card", "from": "row", "card": "red"}),
    (
        ClaimRoute("a--b", {"red": 2, "wild": 1}),
        {"type": "claim_route", "route": "a--b", "cards": {"red": 2, "wild": 1}},
    ),
    (
        ClaimRoute("a--b", {"red": 1}, keep_for_flag=True),
        {"type": "claim_route", "route": "a--b", "cards": {"red": 1}, "keep_for_flag": True},
    ),
    (PayTunnel({"red": 1, "wild": 1}), {"type": "pay_tunnel", "cards": {"red": 1, "wild": 1}}),
    (WithdrawTunnel(), {"type": "withdraw_tunnel"}),
    (
        BuildStation("a", {"red": 2}),
        {"type": "build_station", "location": "a", "cards": {"red": 2}},
    ),
    (DrawTickets(), {"type": "draw_tickets"}),
    (Pass(), {"type": "pass"}),
    (Resign(), {"type": "resign"}),
]


def through_text(value: dict) -> dict:
    return json.loads(json.dumps(value))


def test_every_action_has_its_json():
    assert {type(action).type for action, _ in JSON_OF_ACTIONS} == ACTIONS.keys()


@pytest.mark.parametrize(("action", "written"), JSON_OF_ACTIONS)
def test_an_action_is_written_as_documented_and_read_back(action, written):
    assert through_text(action.as_json()) == written
    assert action.json == action.as_json()
    assert action_from_json(written) == action


@pytest.mark.parametrize(
    ("event", "written"),
    [
        (
            CardDrawn(1, "deck", "red"),
            {"type": "card_drawn", "seat": 1, "from": "deck", "card": "red"},
        ),
        (
            CardDrawn(1, "row", "red", place=0),
            {"type": "card_drawn", "seat": 1, "from": "row", "card": "red", "place": 0},
        ),
        (TicketsShuffled(("a--b",)), {"type": "tickets_shuffled", "tickets": ["a--b"]}),
        (
            TicketsShuffled(("a--b",), "long"),
            {"type": "tickets_shuffled", "tickets": ["a--b"], "kind": "long"},
        ),
        (
            RouteClaimed(0, "a--b", {"red": 1}, 1),
            {"type": "route_claimed", "seat": 0, "route": "a--b", "cards": {"red": 1}, "points": 1},
        ),
        (
            RouteClaimed(0, "a--b", {"red": 1}, 1, "red"),
            {
                "type": "route_claimed",
                "seat": 0,
                "route": "a--b",
                "cards": {"red": 1},
                "points": 1,
                "kept": "red",
            },
        ),
        (
            GameEnded("all_passed", ({"total": 1}, {"total": 2})),
            {"type": "game_ended", "reason": "all_passed", "results": [{"total": 1}, {"total": 2}]},
        ),
    ],
)
def test_an_event_leaves_out_what_it_does_not_have_and_is_read_back(event, written):
    assert through_text(event.as_json()) == written
    assert event_from_json(written) == event


def test_types_are_the_names_in_snake_case():
    assert list(ACTIONS) == [
        "draw_card",
        "draw_tickets",
        "keep_tickets",
        "claim_route",
        "build_station",
        "pay_tunnel",
        "withdraw_tunnel",
        "pass",
        "resign",
    ]
    assert EVENTS["tickets_returned"].__name__ == "TicketsReturned"
    assert all(cls.type == name for name, cls in (ACTIONS | EVENTS).items())


@pytest.mark.parametrize(
    "value",
    [
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
    ],
)
def test_a_value_that_is_no_action_is_refused(value):
    with pytest.raises(ValueError, match=r"no type|not an object|members"):
        action_from_json(value)


ANYTHING = st.sampled_from(
    [None, True, 0, -1, 0.5, "red", [], ["red", "blue"], [[1], [2]], {}, {"red": [1]}]
)


@st.composite
def objects(draw) -> tuple[type, dict]:
    """Draw a class and an object that may be one of its values: members may be missing, of any
    type, or additional."""
    cls = draw(st.sampled_from([*EVENTS.values(), *ACTIONS.values(), *TOURNAMENT_EVENTS.values()]))
    names = [member for _, member in cls.members]
    lacking = draw(st.sets(st.sampled_from(names), max_size=2)) if names else set()
    others = draw(st.sets(st.sampled_from(["from_", "note", "place", "kept"]), max_size=1))
    present = draw(st.permutations([*({*names} - lacking | others)]))
    return cls, {"type": cls.type} | {name: draw(ANYTHING) for name in present}


def constructed(cls: type, value: dict) -> object:
    """Return an object's value by the convention, built with the constructor."""
    values = {
        field: tuple(value[member]) if isinstance(value[member], list) else value[member]
        for field, member in cls.members
        if member in value
    }
    assert value.keys() - {"type"} == {member for field, member in cls.members if field in values}
    return cls(**values)


@given(objects())
def test_an_object_is_read_as_its_class_makes_it_of_the_same_members(named):
    cls, value = named
    try:
        expected = constructed(cls, value)
    except (AssertionError, TypeError):  # a member too many, or too few
        with pytest.raises(ValueError, match=f"^{cls.type} has members"):
            from_json({cls.type: cls}, value)
        return
    read = from_json({cls.type: cls}, value)
    assert type(read) is cls
    assert repr(read) == repr(expected)
    assert read == expected
