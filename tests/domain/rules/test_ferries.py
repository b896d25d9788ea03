"""Rule 4.3."""

import pytest

from domain.boards import load_folder
from domain.game.commands import ClaimRoute
from domain.game.events import RouteClaimed, TurnBegan
from domain.game.fold import decide
from domain.game.state import State
from domain.rules.ferries import wilds_of
from domain.rules.tunnels import is_tunnel
from tests.domain.given import EUROPE, after, given, hand_of, refusal
from tests.domain.rules.test_claiming import payments

ONE, TWO = "athina--brindisi", "palermo--smyrna"  # 4 spaces with one symbol, 6 with two
ALL_SYMBOLS = "amsterdam--london"  # 2 spaces, both with a symbol
TRACKS = ("dieppe--london", "dieppe--london--2")  # 2 spaces with one symbol each
FERRIES = [route for route in EUROPE.routes if wilds_of(route)]


def holding(**hand: int) -> State:
    """A position in which seat 0, on turn, holds these cards."""
    return given(board=EUROPE, hands={0: hand})


def test_4_3_only_europe_has_ferries():
    assert {b.id for b in load_folder().values() if any(map(wilds_of, b.routes))} == {"europe"}
    assert all(route.color == "grey" and not is_tunnel(route) for route in FERRIES)


def test_4_3_a_ferry_takes_as_many_wilds_as_it_shows_symbols_and_one_colour():
    state = holding(red=4, wild=2)
    assert payments(state, TWO) == [{"red": 4, "wild": 2}]
    claim = ClaimRoute(TWO, {"red": 4, "wild": 2})
    assert decide(state, 0, claim) == [RouteClaimed(0, TWO, claim.cards, 15), TurnBegan(1)]
    assert hand_of(after(state, (0, claim)), 0) == {}


@pytest.mark.parametrize("cards", [{"red": 6}, {"red": 5, "wild": 1}])
def test_4_3_too_few_wilds_are_refused(cards):
    state = holding(red=6, wild=6)
    assert refusal(state, 0, ClaimRoute(TWO, cards)) == ("4.3", "too-few-wilds")
    assert cards not in payments(state, TWO)


def test_4_3_more_wilds_than_symbols_may_stand_in_for_the_colour():
    state = holding(red=4, wild=5)
    assert payments(state, TWO) == [
        {"red": 4, "wild": 2}, {"red": 3, "wild": 3}, {"red": 2, "wild": 4}, {"red": 1, "wild": 5},
    ]
    for cards in payments(state, TWO):
        assert after(state, (0, ClaimRoute(TWO, cards))).points[0] == 15


@pytest.mark.parametrize("route", [ONE, TWO])
def test_4_3_wilds_alone_claim_a_ferry(route):
    length = EUROPE.lengths[EUROPE.route_index[route]]
    state = holding(wild=length)
    assert payments(state, route) == [{"wild": length}]
    state = after(state, (0, ClaimRoute(route, {"wild": length})))
    assert state.owner(EUROPE.route_index[route]) == 0


def test_4_3_a_ferry_with_a_symbol_on_every_space_takes_wilds_alone():
    state = holding(red=6, wild=3)
    assert payments(state, ALL_SYMBOLS) == [{"wild": 2}]
    claim = ClaimRoute(ALL_SYMBOLS, {"red": 1, "wild": 1})
    assert refusal(state, 0, claim) == ("4.3", "too-few-wilds")


def test_4_3_without_a_wild_no_ferry_can_be_claimed():
    state = holding(red=12, blue=12)
    assert not [route.id for route in FERRIES if payments(state, route.id)]


def test_4_3_the_rest_is_of_one_colour():
    state = holding(red=3, blue=3, wild=3)
    claim = ClaimRoute(ONE, {"red": 2, "blue": 1, "wild": 1})
    assert refusal(state, 0, claim) == ("4.1", "wrong-cards")


def test_4_3_exactly_as_many_cards_as_spaces_are_played():
    state = holding(red=6, wild=3)
    for cards in ({"red": 2, "wild": 1}, {"red": 4, "wild": 1}):
        assert refusal(state, 0, ClaimRoute(ONE, cards)) == ("4.1", "wrong-cards")


@pytest.mark.parametrize("route", FERRIES, ids=lambda route: route.id)
def test_4_3_every_ferry_asks_for_its_own_wilds(route):
    fewest = min(cards.get("wild", 0) for cards in payments(holding(red=9, wild=9), route.id))
    assert fewest == wilds_of(route) > 0


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_4_2_a_double_ferry_is_a_double(seats):
    state = given(seats, board=EUROPE, routes={1: TRACKS[:1]}, hands={0: {"red": 1, "wild": 1}})
    expected = [{"red": 1, "wild": 1}] if seats > 3 else []
    assert payments(state, TRACKS[1]) == expected
