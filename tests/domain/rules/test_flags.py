"""Rule 4.5."""

import pytest

from domain.game.commands import ClaimRoute, Resign
from domain.game.events import CardTurned, FinalTurnsBegan, RouteClaimed, TurnBegan
from domain.game.fold import decide
from domain.game.scoring import results
from domain.game.state import State
from domain.game.view import view
from domain.rules.flags import FlagCompleted
from tests.domain.given import (
    EUROPE,
    LONDON,
    PARIS,
    after,
    changed,
    discards_of,
    given,
    happened,
    listed,
    refusal,
)

BLUE, RED = "bastille--notre-dame", "bastille--notre-dame--2"  # 1 space each
WHITE = "batignolles--montmartre"  # 2 spaces
GREEN, VIOLET = "belleville--montmartre", "arc-de-triomphe--batignolles"  # 3 spaces
YELLOW = "arc-de-triomphe--tour-eiffel--2"  # 2 spaces
ROUTES = {"blue": BLUE, "red": RED, "white": WHITE}


def holding(flags: str = "", **hand: int) -> State:
    """A position in which seat 0, on turn, holds these cards, and those lie before it."""
    return given(board=PARIS, hands={0: hand}, flags={0: flags.split()}, discards={})


def keep(route: str, **cards: int) -> ClaimRoute:
    """A claim that keeps a card."""
    return ClaimRoute(route, cards, True)


def flag_of(state: State, seat: int = 0) -> tuple[str, ...]:
    return PARIS.names(state.flags[seat])


@pytest.mark.parametrize("color", ["blue", "white", "red"])
def test_4_5_a_card_of_a_blue_white_or_red_route_may_be_kept(color):
    route = PARIS.routes[PARIS.route_index[ROUTES[color]]]
    assert route.color == color
    state = holding(**{color: 2})
    claim = keep(route.id, **{color: route.length})
    points = PARIS.points[route.length]
    assert decide(state, 0, claim)[0] == RouteClaimed(0, route.id, claim.cards, points, color)
    kept = after(state, (0, claim))
    assert (flag_of(kept), kept.points[0]) == ((color,), points)
    assert discards_of(kept) == ({color: 1} if route.length == 2 else {})


@pytest.mark.parametrize("flags", ["", "white"])
def test_4_5_keeping_a_card_is_a_choice_unless_the_flag_has_its_colour(flags):
    state = holding(flags, white=2)
    claim = ClaimRoute(WHITE, {"white": 2})
    claims = [claim for claim in listed(state, 0, ClaimRoute) if claim.route == WHITE]
    assert claims == [claim] if flags else [claim, keep(WHITE, white=2)]
    state = after(state, (0, claim))
    assert (flag_of(state), discards_of(state)) == (tuple(flags.split()), {"white": 2})


def test_4_5_one_card_is_kept_and_the_wild_played_with_it_is_discarded():
    state = after(holding(white=1, wild=1), (0, keep(WHITE, white=1, wild=1)))
    assert (flag_of(state), discards_of(state)) == (("white",), {"wild": 1})


@pytest.mark.parametrize(
    ("flags", "route", "cards", "refused"),
    [
        ("", BLUE, {"wild": 1}, "no-flag-card"),
        ("", WHITE, {"wild": 2}, "no-flag-card"),
        ("", GREEN, {"green": 3}, "no-flag-card"),
        ("", VIOLET, {"violet": 3}, "no-flag-card"),
        ("", YELLOW, {"yellow": 2}, "no-flag-card"),
        ("white", WHITE, {"white": 2}, "flag-card-twice"),
    ],
)
def test_4_5_no_wild_no_other_colour_and_no_colour_twice_is_kept(flags, route, cards, refused):
    state = holding(flags, **cards)
    assert refusal(state, 0, keep(route, **cards)) == ("4.5", refused)
    assert ClaimRoute(route, cards) in listed(state, 0, ClaimRoute)


def test_4_5_a_colour_that_lies_before_another_seat_may_be_kept():
    state = given(board=PARIS, hands={0: {"white": 2}}, flags={1: ["white"]})
    assert flag_of(after(state, (0, keep(WHITE, white=2)))) == ("white",)


@pytest.mark.parametrize(
    ("board", "route", "cards"),
    [
        (LONDON, "baker-street--regents-park", {"blue": 2}),
        (EUROPE, "berlin--essen", {"blue": 2}),
    ],
)
def test_4_5_only_paris_has_flags(board, route, cards):
    state = given(board=board, hands={0: cards})
    assert refusal(state, 0, ClaimRoute(route, cards, True)) == ("4.5", "no-flag-card")
    assert "flag" not in view(state, 0, sealed=False)["seats"][0]


@pytest.mark.parametrize("color", ["blue", "white", "red"])
def test_4_5_a_whole_flag_gives_four_points_and_is_discarded_at_the_end_of_the_turn(color):
    state = holding(" ".join(ROUTES.keys() - {color}), **{color: 2})
    length = PARIS.lengths[PARIS.route_index[ROUTES[color]]]
    claim = keep(ROUTES[color], **{color: length})
    assert decide(state, 0, claim)[1:] == [
        FlagCompleted(0, {"blue": 1, "white": 1, "red": 1}, 4),
        TurnBegan(1),
    ]
    scored = after(state, (0, claim))
    assert (flag_of(scored), scored.flag_points[0]) == ((), 4)
    assert (scored.points[0], results(scored)[0]["flags"]) == (PARIS.points[length] + 4, 4)
    assert discards_of(scored) == {"blue": 1, "white": 1, "red": 1} | {color: length}


def test_4_5_two_colours_are_no_flag():
    state = holding("blue", red=1)
    assert happened(state, 0, keep(RED, red=1), FlagCompleted) == []
    assert flag_of(after(state, (0, keep(RED, red=1)))) == ("blue", "red")


def test_4_5_after_a_flag_another_can_be_begun_and_its_points_add_up():
    state = after(holding("blue red", white=4, blue=1), (0, keep(WHITE, white=2)))
    state = after(changed(state, turn=0), (0, keep(BLUE, blue=1)))
    assert flag_of(state) == ("blue",)
    flag = (*state.flags[0], PARIS.color_index["red"])
    state = after(
        changed(state, turn=0, flags=(flag, *state.flags[1:])),
        (0, keep("bastille--pere-lachaise", white=2)),
    )
    assert (flag_of(state), state.flag_points[0]) == ((), 8)


def test_4_5_the_row_is_filled_from_the_cards_of_a_flag():
    state = given(
        board=PARIS,
        hands={0: {"red": 1}},
        flags={0: ["blue", "white"]},
        deck="",
        discards={},
        row="green green yellow",
    )
    claim = keep(RED, red=1)
    kinds = [type(event) for event in decide(state, 0, claim)]
    assert kinds.index(FlagCompleted) < kinds.index(CardTurned)
    filled = after(state, (0, claim))
    assert (len(filled.row), len(filled.deck)) == (5, 1)


def test_4_5_a_card_kept_is_not_in_the_deck_when_it_is_rebuilt():
    state = given(
        board=PARIS, hands={0: {"white": 2}}, deck="", discards={}, row="green green yellow"
    )
    state = after(state, (0, keep(WHITE, white=2)))
    assert (len(state.row), state.deck, flag_of(state)) == (4, b"", ("white",))


def test_4_5_cards_before_a_seat_pay_for_nothing():
    assert refusal(holding("blue"), 0, ClaimRoute(BLUE, {"blue": 1})) == ("4.1", "cards-not-held")


def test_4_5_an_unfinished_flag_gives_nothing_at_the_end():
    state = given(board=PARIS, flags={0: ["blue", "white"]}, tickets=dict.fromkeys(range(3), ()))
    assert [result["total"] for result in results(state)] == [0, 0, 0]


def test_7_1_a_claim_that_completes_a_flag_may_trigger_the_end():
    state = given(board=PARIS, hands={0: {"red": 1}}, flags={0: ["blue", "white"]}, trains={0: 3})
    events = decide(state, 0, keep(RED, red=1))
    assert [type(event) for event in events] == [
        RouteClaimed,
        FlagCompleted,
        FinalTurnsBegan,
        TurnBegan,
    ]


def test_8_2_the_flag_cards_of_a_seat_that_leaves_are_discarded():
    state = given(board=PARIS, hands={1: {"green": 2}}, flags={1: ["blue", "white"]}, discards={})
    left = after(state, (1, Resign()))
    assert (discards_of(left), flag_of(left, 1)) == ({"white": 1, "blue": 1, "green": 2}, ())


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_4_5_the_cards_kept_lie_face_up_for_all(viewer):
    state = holding("blue white")
    assert view(state, viewer, sealed=False)["seats"][0]["flag"] == ("blue", "white")
