"""Rules 5.1 and 5.2; 5.3 is in test_scoring.py and test_view.py."""

import pytest

from domain.game.commands import ClaimRoute, DrawTickets, KeepTickets, Pass
from domain.game.events import TicketsDrawn, TicketsKept, TicketsReturned, TurnBegan
from domain.game.fold import decide
from domain.game.state import State
from tests.domain.given import BLIND, after, given, listed, names, refusal, take

FIVE = (
    "boston--miami",
    "denver--el-paso",
    "duluth--houston",
    "los-angeles--miami",
    "new-york--seattle",
)
DRAW = DrawTickets()


def drawn(**members) -> State:
    """A position in which seat 0 has drawn three tickets."""
    return after(given(ticket_deck=FIVE, **members), (0, DRAW))


def test_5_1_three_tickets_are_drawn_from_the_top():
    assert decide(given(ticket_deck=FIVE), 0, DRAW) == [TicketsDrawn(0, FIVE[:3])]
    state = drawn()
    assert (names(state.offered[0]), names(state.ticket_deck)) == (FIVE[:3], FIVE[3:])


@pytest.mark.parametrize("left", [1, 2])
def test_5_1_fewer_are_drawn_if_fewer_are_left(left):
    state = given(ticket_deck=FIVE[:left])
    assert listed(state, 0, DrawTickets) == [DRAW]
    state = after(state, (0, DRAW))
    assert (names(state.offered[0]), state.ticket_deck) == (FIVE[:left], ())
    assert refusal(state, 0, KeepTickets(())) == ("5.1", "too-few-tickets")
    state = after(state, (0, KeepTickets(FIVE[:1])))
    assert names(state.ticket_deck) == FIVE[1:left]


def test_5_1_any_choice_of_at_least_one_is_legal():
    a, b, c = FIVE[:3]
    choices = [(a,), (b,), (c,), (a, b), (a, c), (b, c), (a, b, c)]
    state = drawn(tickets={0: [FIVE[4]]})
    assert listed(state, 0, KeepTickets) == [KeepTickets(choice) for choice in choices]
    for choice in choices:
        assert names(after(state, (0, KeepTickets(choice))).tickets[0]) == (FIVE[4], *choice)


@pytest.mark.parametrize("kept", [FIVE[1:2], FIVE[:1], FIVE[2:3], FIVE[:2], FIVE[1::-1], FIVE[:3]])
def test_5_1_the_refused_go_to_the_bottom_in_drawn_order_however_the_kept_are_named(kept):
    refused = tuple(ticket for ticket in FIVE[:3] if ticket not in kept)
    assert decide(drawn(), 0, KeepTickets(kept)) == [
        TicketsKept(0, tuple(sorted(kept)), refused),
        *([TicketsReturned(refused)] if refused else []),
        TurnBegan(1),
    ]
    assert names(after(drawn(), (0, KeepTickets(kept))).ticket_deck) == FIVE[3:] + refused


@pytest.mark.parametrize(
    ("tickets", "code"),
    [
        ((), "too-few-tickets"),
        (FIVE[:1] + FIVE[3:4], "ticket-not-offered"),
        (("boston--seattle",), "ticket-not-offered"),
        (FIVE[:1] * 2, "ticket-twice"),
    ],
)
def test_5_1_only_offered_tickets_can_be_kept_and_each_once(tickets, code):
    assert refusal(drawn(), 0, KeepTickets(tickets)) == ("5.1", code)


@pytest.mark.parametrize(
    "action",
    [
        BLIND,
        take("red"),
        DRAW,
        Pass(),
        ClaimRoute("denver--santa-fe", {"wild": 2}),
    ],
)
def test_5_2_the_seat_that_drew_must_choose_before_anything_else(action):
    state = drawn(hands={0: {"wild": 2}}, row="red red red red red")
    assert refusal(state, 0, action) == ("5.2", "wrong-decision")
    assert state.deciding() == [(0, "keep_tickets")]


@pytest.mark.parametrize("action", [BLIND, DRAW, KeepTickets(FIVE[:1])])
def test_5_2_no_other_seat_plays_until_the_choice_is_made(action):
    assert refusal(drawn(), 1, action) == ("2.3", "not-your-turn")
    assert after(drawn(), (0, KeepTickets(FIVE[:1]))).deciding() == [(1, "turn")]


def test_5_2_tickets_cannot_be_kept_when_none_are_offered_nor_drawn_when_none_are_left():
    state = given(ticket_deck=())
    assert refusal(state, 0, DRAW) == ("5.1", "no-tickets-left")
    assert refusal(state, 0, KeepTickets(FIVE[:1])) == ("5.2", "wrong-decision")
