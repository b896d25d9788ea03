"""Rule 4.4, and what 8.2 says of a tunnel under way."""

from itertools import permutations

import pytest

from domain.game.commands import ClaimRoute, DrawTickets, Resign
from domain.game.events import (
    DeckShuffled,
    FinalTurnsBegan,
    GameEnded,
    Resigned,
    RouteClaimed,
    TurnBegan,
)
from domain.game.fold import decide
from domain.game.legal import legal_actions
from domain.game.state import State
from domain.game.view import view
from domain.rules import EVOLVES
from domain.rules.stations import BuildStation
from domain.rules.tunnels import (
    PayTunnel,
    TunnelAttempted,
    TunnelCardsDiscarded,
    TunnelCardTurned,
    TunnelCostRaised,
    TunnelWithdrawn,
    WithdrawTunnel,
    is_tunnel,
)
from tests.domain.given import (
    BLIND,
    EUROPE,
    Hand,
    after,
    cards_in,
    discards_of,
    given,
    hand_of,
    happened,
    refusal,
)

RED = "erzurum--sochi"  # 3 spaces, a tunnel
GREY = "angora--constantinople"  # 2 spaces, a tunnel
WHITE_TRACK, BLACK_TRACK = "madrid--pamplona--2", "madrid--pamplona"  # 3 spaces, tunnels
NO_TUNNEL = "brindisi--roma"  # 2 white spaces
CLAIM = ClaimRoute(RED, {"red": 3})
TUNNELS = [route.id for route in EUROPE.routes if is_tunnel(route)]


def before(deck: str, hand: Hand | None = None, **members) -> State:
    """A position in which seat 0, on turn, may lay three red cards before this deck."""
    return given(
        **{
            "board": EUROPE,
            "deck": deck,
            "hands": {0: hand or {"red": 6, "wild": 3}},
            "discards": {},
        }
        | members
    )


def laid(deck: str, hand: Hand | None = None, claim: ClaimRoute = CLAIM, **members) -> State:
    """The position once seat 0 has laid cards for a tunnel."""
    return after(before(deck, hand, **members), (0, claim))


def owner(state: State, route: str = RED) -> int | None:
    return state.owner(EUROPE.route_index[route])


@pytest.mark.parametrize("deck", ["blue green white", "blue blue blue", "yellow black purple"])
def test_4_4_a_tunnel_that_asks_for_nothing_more_is_claimed_at_once(deck):
    state = before(deck)
    turned = deck.split()
    assert decide(state, 0, CLAIM) == [
        TunnelAttempted(0, RED, {"red": 3}),
        *map(TunnelCardTurned, turned),
        RouteClaimed(0, RED, {"red": 3}, 4),
        TunnelCardsDiscarded(tuple(turned)),
        TurnBegan(1),
    ]
    state = after(state, (0, CLAIM))
    assert (owner(state), state.tunnel, state.points[0]) == (0, None, 4)
    assert hand_of(state, 0) == {"red": 3, "wild": 3}


@pytest.mark.parametrize(
    ("deck", "cards", "extra"),
    [
        *(
            (deck, {"red": 3}, extra)
            for deck, extra in (
                ("red blue green", 1),
                ("blue wild green", 1),
                ("red red blue", 2),
                ("wild red blue", 2),
                ("wild wild blue", 2),
                ("red red red", 3),
                ("wild wild wild", 3),
                ("red wild red", 3),
            )
        ),
        # wilds laid next to a colour do not change what counts
        ("red wild blue", {"red": 1, "wild": 2}, 2),
        # with fewer than three cards left only those are turned
        ("red", {"red": 3}, 1),
        ("red red", {"red": 3}, 2),
        ("wild blue", {"red": 3}, 1),
    ],
)
def test_4_4_each_turned_card_of_the_colour_or_wild_asks_for_one_more(deck, cards, extra):
    state, claim = before(deck), ClaimRoute(RED, cards)
    assert decide(state, 0, claim)[-1] == TunnelCostRaised(0, extra)
    state = after(state, (0, claim))
    assert (state.tunnel.extra, len(state.tunnel.turned)) == (extra, len(deck.split()))
    assert (state.deciding(), owner(state)) == ([(0, "tunnel")], None)


def test_4_4_only_three_cards_are_turned():
    state = laid("blue green white red red")
    assert (EUROPE.names(state.deck), owner(state)) == (("red", "red"), 0)


@pytest.mark.parametrize("color", ["red", "blue", "white"])
def test_4_4_on_a_grey_tunnel_the_colour_laid_counts(color):
    claim = ClaimRoute(GREY, {color: 2})
    state = laid(f"red {color} black", {color: 3}, claim)
    assert state.tunnel.extra == 1 + (color == "red")


@pytest.mark.parametrize(
    ("deck", "extra"),
    [
        ("wild blue green", 1),
        ("wild wild red", 2),
        ("wild wild wild", 3),
    ],
)
def test_4_4_if_only_wilds_were_laid_only_wilds_count_and_only_wilds_pay(deck, extra):
    claim = ClaimRoute(RED, {"wild": 3})
    state = laid(deck, {"red": 6, "wild": 6}, claim)
    assert legal_actions(state, 0) == [PayTunnel({"wild": extra}), WithdrawTunnel()]
    assert refusal(state, 0, PayTunnel({"red": extra})) == ("4.4", "wrong-cards")
    state = after(state, (0, PayTunnel({"wild": extra})))
    assert (owner(state), hand_of(state, 0)) == (
        0,
        {"red": 6, "wild": 3 - extra} if extra < 3 else {"red": 6},
    )


@pytest.mark.parametrize("color", EUROPE.colors[:-1])
@pytest.mark.parametrize("route", [RED, GREY])
def test_4_4_if_only_wilds_were_laid_no_colour_counts_not_even_that_of_the_route(route, color):
    claim = ClaimRoute(route, {"wild": EUROPE.lengths[EUROPE.route_index[route]]})
    assert owner(laid(f"{color} {color} {color}", {"wild": 3}, claim), route) == 0


def test_4_4_the_extra_is_paid_in_the_colour_or_in_wilds():
    state = laid("red red blue")
    assert legal_actions(state, 0) == [
        PayTunnel({"red": 2}),
        PayTunnel({"red": 1, "wild": 1}),
        PayTunnel({"wild": 2}),
        WithdrawTunnel(),
    ]
    for action in legal_actions(state, 0)[:-1]:
        assert owner(after(state, (0, action))) == 0


def test_4_4_paying_claims_the_route_and_discards_laid_paid_and_turned():
    state = laid("red blue wild")
    pay = PayTunnel({"red": 1, "wild": 1})
    assert decide(state, 0, pay) == [
        RouteClaimed(0, RED, {"red": 4, "wild": 1}, 4),
        TunnelCardsDiscarded(("red", "blue", "wild")),
        TurnBegan(1),
    ]
    paid = after(state, (0, pay))
    assert hand_of(paid, 0) == {"red": 2, "wild": 2}
    assert discards_of(paid) == {"red": 5, "blue": 1, "wild": 2}
    assert (owner(paid), paid.trains[0], paid.points[0], paid.tunnel) == (0, 42, 4, None)


@pytest.mark.parametrize(
    ("hand", "cards", "code"),
    [
        *(
            ({"red": 6, "wild": 3, "blue": 3}, cards, "wrong-cards")
            for cards in (
                {},
                {"red": 1},
                {"red": 3},
                {"red": 2, "wild": 1},
                {"blue": 2},
                {"blue": 1, "wild": 1},
                {"red": 1, "blue": 1},
                {"red": 3, "wild": -1},
                {"red": 2, "wild": 0},
            )
        ),
        ({"red": 6}, {"pink": 2}, "unknown-card"),
        ({"red": 4}, {"red": 2}, "wrong-cards"),  # the laid cards cannot pay the extra
    ],
)
def test_4_4_any_other_payment_is_refused(hand, cards, code):
    assert refusal(laid("red red blue", hand), 0, PayTunnel(cards)) == ("4.4", code)


def test_4_4_withdrawing_returns_the_laid_cards_and_ends_the_turn():
    state = laid("red red blue")
    assert decide(state, 0, WithdrawTunnel()) == [
        TunnelWithdrawn(0),
        TunnelCardsDiscarded(("red", "red", "blue")),
        TurnBegan(1),
    ]
    state = after(state, (0, WithdrawTunnel()))
    assert hand_of(state, 0) == {"red": 6, "wild": 3}
    assert discards_of(state) == {"red": 2, "blue": 1}
    assert (owner(state), state.trains[0], state.points[0], state.tunnel) == (None, 45, 0, None)
    assert state.deciding() == [(1, "turn")]


def test_4_4_a_tunnel_given_up_may_be_tried_again_by_anyone():
    state = after(laid("red red blue green white", turn=0), (0, WithdrawTunnel()))
    state.hands = (state.hands[0], EUROPE.counts({"wild": 3}), state.hands[2])
    assert ClaimRoute(RED, {"wild": 3}) in legal_actions(state, 1)


@pytest.mark.parametrize("action", [BLIND, DrawTickets(), CLAIM, BuildStation("roma", {"red": 1})])
def test_4_4_nothing_else_may_be_done_while_the_tunnel_is_open(action):
    assert refusal(laid("red red blue"), 0, action) == ("4.4", "wrong-decision")


@pytest.mark.parametrize("action", [PayTunnel({"red": 2}), WithdrawTunnel()])
def test_4_4_only_the_seat_of_an_open_tunnel_decides(action):
    assert refusal(laid("red red blue"), 1, action) == ("2.3", "not-your-turn")
    assert refusal(before("red red blue"), 0, action) == ("4.4", "wrong-decision")


def test_4_4_a_route_that_is_no_tunnel_turns_no_cards():
    state = before("white white white", {"white": 2})
    claim = ClaimRoute(NO_TUNNEL, {"white": 2})
    assert [type(e) for e in decide(state, 0, claim)] == [RouteClaimed, TurnBegan]


@pytest.mark.parametrize("route", TUNNELS)
def test_4_4_every_tunnel_turns_cards(route):
    length = EUROPE.lengths[EUROPE.route_index[route]]
    state = before("wild blue green", {"wild": 9})
    state = after(state, (0, ClaimRoute(route, {"wild": length})), (0, PayTunnel({"wild": 1})))
    assert owner(state, route) == 0
    assert hand_of(state, 0) == ({"wild": 8 - length} if length < 8 else {})


def test_4_4_with_no_cards_left_the_claim_simply_succeeds():
    state = before("")
    assert happened(state, 0, CLAIM, TunnelCardTurned) == []
    state = after(state, (0, CLAIM))
    assert (owner(state), discards_of(state)) == (0, {"red": 3})


def test_4_4_the_deck_is_rebuilt_in_the_middle_of_turning():
    state = before("red", discards={"blue": 2, "wild": 3})
    kinds = [type(event) for event in decide(state, 0, CLAIM)]
    assert kinds[:5] == [
        TunnelAttempted,
        TunnelCardTurned,
        DeckShuffled,
        TunnelCardTurned,
        TunnelCardTurned,
    ]
    tried = after(state, (0, CLAIM))
    assert (len(tried.deck), discards_of(tried), len(tried.tunnel.turned)) == (3, {}, 3)


def test_4_4_neither_laid_nor_turned_cards_are_shuffled_into_the_deck():
    state = before("red red", discards={"blue": 1})
    [shuffle] = happened(state, 0, CLAIM, DeckShuffled)
    assert shuffle.cards == ("blue",)
    tried = after(state, (0, CLAIM))
    assert EUROPE.names(tried.tunnel.turned) == ("red", "red", "blue")
    assert (tried.tunnel.extra, discards_of(tried)) == (2, {})


@pytest.mark.parametrize("answer", [PayTunnel({"red": 1}), WithdrawTunnel()])
def test_4_4_an_empty_place_in_the_row_is_filled_from_what_the_tunnel_discards(answer):
    state = after(laid("red blue", row="blue green white"), (0, answer))
    assert (len(state.row), state.turn) == (5, 1)


def test_4_4_the_extra_cards_ask_for_no_more_trains():
    state = after(laid("red red red", trains={0: 3}), (0, PayTunnel({"red": 3})))
    assert state.trains[0] == 0
    too_few = before("blue green white", trains={0: 2})
    assert refusal(too_few, 0, CLAIM) == ("4.1", "too-few-trains")


def test_4_2_a_tunnel_that_is_a_double_closes_its_twin_only_once_claimed():
    state = laid("black red red", {"black": 4}, ClaimRoute(BLACK_TRACK, {"black": 3}))
    for moves, is_open in (
        ((), True),
        ((WithdrawTunnel(),), True),
        ((PayTunnel({"black": 1}),), False),
    ):
        reached = after(state, *((0, move) for move in moves))
        assert reached.open >> EUROPE.route_index[WHITE_TRACK] & 1 == is_open


def test_7_1_a_tunnel_may_trigger_the_end():
    state = laid("red blue blue", trains={0: 5})
    final = [FinalTurnsBegan((1, 2, 0))]
    assert happened(state, 0, PayTunnel({"red": 1}), FinalTurnsBegan) == final
    assert happened(state, 0, WithdrawTunnel(), FinalTurnsBegan) == []


@pytest.mark.parametrize("answer", [PayTunnel({"red": 1}), WithdrawTunnel(), Resign()])
def test_7_1_a_game_that_ends_with_a_tunnel_leaves_none_open(answer):
    over = after(laid("red blue blue", final=(0,)), (0, answer))
    assert (over.status, over.tunnel, over.step) == ("finished", None, "turn")
    assert over.ending == "final_turns"


def test_8_1_an_attempt_is_no_pass():
    assert laid("red blue blue", passes=1).passes == 0


def test_8_2_resigning_over_an_open_tunnel_discards_the_laid_cards_with_the_hand():
    left = after(laid("red red blue"), (0, Resign()))
    assert discards_of(left) == {"red": 8, "wild": 3, "blue": 1}
    assert (left.tunnel, owner(left), left.deciding()) == (None, None, [(1, "turn")])


def test_8_2_a_tunnel_stays_open_when_another_seat_resigns():
    state = laid("red red blue", {"red": 6})
    left = after(state, (2, Resign()))
    assert (left.tunnel, left.deciding()) == (state.tunnel, [(0, "tunnel")])
    assert owner(after(left, (0, PayTunnel({"red": 2})))) == 0
    assert hand_of(after(left, (0, WithdrawTunnel())), 0) == {"red": 6}


def test_8_2_a_tunnel_still_open_when_one_seat_is_left_is_given_up_with_the_game():
    state = laid("red red blue", seats=2, row="black " * 5)
    assert [type(event) for event in decide(state, 1, Resign())] == [
        Resigned,
        TunnelWithdrawn,
        TunnelCardsDiscarded,
        GameEnded,
    ]
    over = after(state, (1, Resign()))
    assert (over.status, over.ending) == ("finished", "one_seat_left")
    assert (owner(over), over.tunnel, over.step) == (None, None, "turn")
    assert hand_of(over, 0) == {"red": 6, "wild": 3}
    assert "tunnel" not in view(over, None, sealed=False)


@pytest.mark.parametrize("turn", [0, 1, 2])
@pytest.mark.parametrize("leavers", [*permutations(range(3), 2)])
def test_8_2_an_open_tunnel_ends_well_if_seats_resign_in_any_order(turn, leavers):
    state = before("red red blue", turn=turn, hands={turn: {"red": 6, "wild": 3}})
    state, there = after(state, (turn, CLAIM)), cards_in(state)
    for i, leaver in enumerate(leavers):
        for event in decide(state, leaver, Resign()):
            EVOLVES[type(event)](state, event)
            assert cards_in(state) == there
        open_still = turn not in leavers[: i + 1] and i == 0
        shown = view(state, None, sealed=False)
        assert (state.tunnel is not None) == ("tunnel" in shown) == open_still
        assert (state.step == "tunnel") == open_still
        assert state.status == ("finished" if i else "playing")
    assert (hand_of(state, turn) == {"red": 6, "wild": 3}) == (turn not in leavers)


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_4_4_everybody_sees_the_tunnel(viewer):
    state = laid("red wild blue")
    assert view(state, viewer, sealed=False)["tunnel"] == {
        "seat": 0,
        "route": RED,
        "laid": {"red": 3},
        "turned": ("red", "wild", "blue"),
        "extra": 2,
    }
    assert "tunnel" not in view(after(state, (0, WithdrawTunnel())), viewer, sealed=False)
