"""Rule 4.3."""

import pytest

from domain.boards import load_folder
from domain.game.commands import ClaimRoute
from domain.game.events import RouteClaimed, TurnBegan
from domain.game.fold import decide
from domain.game.state import State
from domain.rules.ferries import wilds_of
from domain.rules.tunnels import is_tunnel
from tests.domain.given import EUROPE, after, given, refusal
from tests.domain.rules.test_claiming import payments

ONE, TWO = "athina--brindisi", "palermo--smyrna"  # 4 spaces with one symbol, 6 with two
ALL_SYMBOLS = "amsterdam--london"  # 2 spaces, both with a symbol
FERRIES = [route for route in EUROPE.routes if wilds_of(route)]


def holding(**hand: int) -> State:
    """A position in which seat 0, on turn, holds these cards."""
    return given(board=EUROPE, hands={0: hand})


def test_4_3_only_europe_has_ferries():
    assert {b.id for b in load_folder().values() if any(map(wilds_of, b.routes))} == {"europe"}
    assert all(route.color == "grey" and not is_tunnel(route) for route in FERRIES)


@pytest.mark.parametrize(
    ("route", "hand", "expected"),
    [
        (TWO, {"red": 4, "wild": 2}, [{"red": 4, "wild": 2}]),
        # more wilds than symbols may stand in for the colour
        (
            TWO,
            {"red": 4, "wild": 5},
            [
                {"red": 4, "wild": 2},
                {"red": 3, "wild": 3},
                {"red": 2, "wild": 4},
                {"red": 1, "wild": 5},
            ],
        ),
        (ONE, {"wild": 4}, [{"wild": 4}]),
        (TWO, {"wild": 6}, [{"wild": 6}]),
        (ALL_SYMBOLS, {"red": 6, "wild": 3}, [{"wild": 2}]),
        *((route.id, {"red": 12, "blue": 12}, []) for route in FERRIES),
    ],
)
def test_4_3_a_ferry_takes_as_many_wilds_as_it_shows_symbols_and_one_colour(route, hand, expected):
    state = holding(**hand)
    assert payments(state, route) == expected
    points = EUROPE.points[EUROPE.lengths[EUROPE.route_index[route]]]
    for cards in expected:
        assert decide(state, 0, ClaimRoute(route, cards)) == [
            RouteClaimed(0, route, cards, points),
            TurnBegan(1),
        ]
        assert after(state, (0, ClaimRoute(route, cards))).points[0] == points


@pytest.mark.parametrize(
    ("route", "cards", "refused"),
    [
        (TWO, {"red": 6}, ("4.3", "too-few-wilds")),
        (TWO, {"red": 5, "wild": 1}, ("4.3", "too-few-wilds")),
        (ALL_SYMBOLS, {"red": 1, "wild": 1}, ("4.3", "too-few-wilds")),
        (ONE, {"red": 2, "blue": 1, "wild": 1}, ("4.1", "wrong-cards")),
        (ONE, {"red": 2, "wild": 1}, ("4.1", "wrong-cards")),
        (ONE, {"red": 4, "wild": 1}, ("4.1", "wrong-cards")),
    ],
)
def test_4_3_other_payments_are_refused(route, cards, refused):
    assert refusal(holding(red=6, blue=3, wild=6), 0, ClaimRoute(route, cards)) == refused


@pytest.mark.parametrize("route", FERRIES, ids=lambda route: route.id)
def test_4_3_every_ferry_asks_for_its_own_wilds(route):
    fewest = min(cards.get("wild", 0) for cards in payments(holding(red=9, wild=9), route.id))
    assert fewest == wilds_of(route) > 0
