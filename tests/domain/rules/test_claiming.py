"""Rules 4.1 and 4.2."""

import pytest

from domain.errors import Refused
from domain.game.commands import ClaimRoute, Resign
from domain.game.events import RouteClaimed, TurnBegan
from domain.game.fold import decide
from domain.game.state import State
from tests.domain.given import USA, after, discards_of, given, hand_of, listed, refusal

GREY, RED, BLUE = "calgary--helena", "dallas--el-paso", "chicago--omaha"  # 4 spaces each
SINGLES = {
    1: "atlanta--nashville",
    2: "denver--santa-fe",
    3: "el-paso--phoenix",
    4: GREY,
    5: "atlanta--miami",
    6: "sault-st-marie--winnipeg",
}
RED_TRACK, YELLOW_TRACK = "boston--new-york", "boston--new-york--2"  # 2 spaces
CLAIM = ClaimRoute(RED, {"red": 4})


def payments(state: State, route: str) -> list[dict[str, int]]:
    """The listed ways for seat 0 to pay for a route."""
    return [dict(claim.cards) for claim in listed(state, 0, ClaimRoute) if claim.route == route]


def holding(**hand: int) -> State:
    """A position in which seat 0, on turn, holds these cards."""
    return given(hands={0: hand})


@pytest.mark.parametrize("color", [color for color in USA.cards if color != "wild"])
def test_4_1_a_grey_route_takes_any_one_colour(color):
    state = holding(**{color: 4})
    assert payments(state, GREY) == [{color: 4}]
    assert after(state, (0, ClaimRoute(GREY, {color: 4}))).owner(USA.route_index[GREY]) == 0


def test_4_1_a_coloured_route_takes_its_own_colour_only():
    state = holding(red=4, blue=4)
    assert (payments(state, RED), payments(state, BLUE)) == ([{"red": 4}], [{"blue": 4}])


@pytest.mark.parametrize("route", [GREY, RED])
def test_4_1_wilds_stand_for_any_card(route):
    state = holding(red=4, wild=4)
    every = [
        {"red": 4},
        {"red": 3, "wild": 1},
        {"red": 2, "wild": 2},
        {"red": 1, "wild": 3},
        {"wild": 4},
    ]
    assert payments(state, route) == every
    for cards in every:
        assert decide(state, 0, ClaimRoute(route, cards))[0] == RouteClaimed(0, route, cards, 7)


@pytest.mark.parametrize(
    ("hand", "claim", "code"),
    [
        # not one colour, or not the route's
        ({"red": 2, "blue": 2}, ClaimRoute(GREY, {"red": 2, "blue": 2}), "wrong-cards"),
        ({"red": 2, "blue": 2}, ClaimRoute(RED, {"red": 2, "blue": 2}), "wrong-cards"),
        ({"red": 4, "blue": 4}, ClaimRoute(RED, {"blue": 4}), "wrong-cards"),
        # not as many cards as spaces
        *(
            ({"red": 6, "wild": 6, "blue": 6}, ClaimRoute(RED, cards), "wrong-cards")
            for cards in (
                {},
                {"red": 3},
                {"red": 5},
                {"wild": 3},
                {"wild": 5},
                {"red": 3, "wild": 2},
                {"red": 5, "wild": -1},
                {"red": 4, "wild": 0},
                {"red": 4, "blue": 0},
            )
        ),
        # cards that the hand does not hold
        ({"red": 3, "wild": 9}, CLAIM, "cards-not-held"),
        ({"red": 9}, ClaimRoute(RED, {"red": 3, "wild": 1}), "cards-not-held"),
        ({"red": 1, "wild": 3}, ClaimRoute(RED, {"red": 2, "wild": 2}), "cards-not-held"),
        ({"red": 9, "wild": 3}, ClaimRoute(RED, {"wild": 4}), "cards-not-held"),
        # routes and cards that the board does not have
        ({"red": 4}, ClaimRoute("boston--seattle", {"red": 4}), "unknown-route"),
        ({"red": 4}, ClaimRoute(RED, {"pink": 4}), "unknown-card"),
        ({"red": 4}, ClaimRoute(RED, {"grey": 4}), "unknown-card"),
    ],
)
def test_4_1_another_payment_is_refused_and_changes_nothing(hand, claim, code):
    state = holding(**hand)
    before = state.copy()
    assert refusal(state, 0, claim) == ("4.1", code)
    assert state == before


@pytest.mark.parametrize(
    ("route", "says"),
    [
        ("boston--seattle", "the board USA has no such route"),
        ("seattle--portland", "the board USA has no such route; it has portland--seattle"),
        ("seattle--portland--2", "the board USA has no such route; it has portland--seattle--2"),
    ],
)
def test_4_1_the_refusal_of_a_route_in_reversed_order_names_its_id(route, says):
    with pytest.raises(Refused, match=f"^{says}$"):
        decide(holding(red=4), 0, ClaimRoute(route, {"red": 4}))


@pytest.mark.parametrize(("length", "points"), [(1, 1), (2, 2), (3, 4), (4, 7), (5, 10), (6, 15)])
def test_4_1_the_points_are_scored_at_once_and_the_cards_are_discarded(length, points):
    """Routes may lie far from each other; their points add up."""
    state = given(
        hands={0: {"wild": 7, "red": 1}}, discards={"blue": 2}, routes={0: ["seattle--vancouver"]}
    )
    state = after(state, (0, ClaimRoute(SINGLES[length], {"wild": length})))
    assert state.points == (1 + points, 0, 0)
    assert state.trains == (44 - length, 45, 45)
    assert hand_of(state, 0) == {"wild": 7 - length, "red": 1}
    assert discards_of(state) == {"blue": 2, "wild": length}


def test_4_1_the_player_must_have_as_many_trains_as_the_route_has_spaces():
    assert after(given(hands={0: {"red": 4}}, trains={0: 4}), (0, CLAIM)).trains[0] == 0
    too_few = given(hands={0: {"red": 4}}, trains={0: 3})
    assert refusal(too_few, 0, CLAIM) == ("4.1", "too-few-trains")


def test_4_1_one_route_is_the_whole_turn():
    state = holding(red=8)
    assert [type(event) for event in decide(state, 0, CLAIM)] == [RouteClaimed, TurnBegan]
    assert after(state, (0, CLAIM)).deciding() == [(1, "turn")]


@pytest.mark.parametrize(("owner", "leaves"), [(0, False), (1, False), (1, True)])
def test_4_1_a_route_that_has_an_owner_is_refused_even_if_the_owner_left(owner, leaves):
    state = given(routes={owner: [RED]}, hands={0: {"red": 4}})
    state = after(state, (owner, Resign())) if leaves else state
    assert refusal(state, 0, CLAIM) == ("4.1", "route-taken")


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize("tracks", [(RED_TRACK, YELLOW_TRACK), (YELLOW_TRACK, RED_TRACK)])
def test_4_2_the_second_track_is_open_to_others_with_four_or_five_seats(seats, owner, tracks):
    first, second = tracks
    state = given(seats, routes={owner: [first]}, hands={0: {"wild": 2}})
    claim = ClaimRoute(second, {"wild": 2})
    if seats >= 4 and owner == 1:
        assert payments(state, second) == [{"wild": 2}]
        state = after(state, (0, claim))
        assert [state.owner(USA.route_index[track]) for track in tracks] == [1, 0]
    else:
        assert refusal(state, 0, claim) == ("4.2", "double-closed" if seats < 4 else "own-double")


def test_4_2_a_claim_closes_nothing_beside_its_own_twin():
    state = given(2, hands={0: {"wild": 14}, 1: {"wild": 14}})
    for route in (RED_TRACK, "atlanta--miami"):
        state = after(
            state, (state.turn, ClaimRoute(route, {"wild": USA.lengths[USA.route_index[route]]}))
        )
    claimable = {claim.route for claim in listed(state, 0, ClaimRoute)}
    assert set(USA.route_index) - claimable == {RED_TRACK, YELLOW_TRACK, "atlanta--miami"}
