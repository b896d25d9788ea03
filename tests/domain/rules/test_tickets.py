"""Rules 5.1 and 5.2; 5.3 is in test_scoring.py and test_view.py."""

import pytest

from domain.game.commands import ClaimRoute, DrawTickets, KeepTickets, Pass
from domain.game.events import TicketsDrawn, TicketsKept, TicketsReturned, TurnBegan
from domain.game.fold import decide
from tests.domain.given import BLIND, after, given, listed, names, refusal, take

FIVE = ("boston--miami", "denver--el-paso", "duluth--houston", "los-angeles--miami",
        "new-york--seattle")
DRAW = DrawTickets()


def test_5_1_three_tickets_are_drawn_from_the_top():
    state = given(ticket_deck=FIVE)
    assert decide(state, 0, DRAW) == [TicketsDrawn(0, FIVE[:3])]
    state = after(state, (0, DRAW))
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


def test_5_1_none_can_be_drawn_if_none_is_left():
    state = given(ticket_deck=())
    assert listed(state, 0, DrawTickets) == []
    assert refusal(state, 0, DRAW) == ("5.1", "no-tickets-left")


def test_5_1_any_choice_of_at_least_one_is_legal():
    a, b, c = FIVE[:3]
    choices = [(a,), (b,), (c,), (a, b), (a, c), (b, c), (a, b, c)]
    state = after(given(ticket_deck=FIVE, tickets={0: [FIVE[4]]}), (0, DRAW))
    assert listed(state, 0, KeepTickets) == [KeepTickets(choice) for choice in choices]
    for choice in choices:
        assert names(after(state, (0, KeepTickets(choice))).tickets[0]) == (FIVE[4], *choice)
    assert refusal(state, 0, KeepTickets(())) == ("5.1", "too-few-tickets")


@pytest.mark.parametrize("kept", [1, 0, 2])
def test_5_1_the_refused_go_to_the_bottom_in_drawn_order(kept):
    state = after(given(ticket_deck=FIVE), (0, DRAW))
    refused = tuple(ticket for ticket in FIVE[:3] if ticket != FIVE[kept])
    assert decide(state, 0, KeepTickets(FIVE[kept : kept + 1])) == [
        TicketsKept(0, FIVE[kept : kept + 1], refused), TicketsReturned(refused), TurnBegan(1),
    ]
    state = after(state, (0, KeepTickets(FIVE[kept : kept + 1])))
    assert names(state.ticket_deck) == FIVE[3:] + refused


def test_5_1_nothing_is_returned_where_all_are_kept():
    state = after(given(ticket_deck=FIVE), (0, DRAW))
    assert decide(state, 0, KeepTickets(FIVE[:3])) == [TicketsKept(0, FIVE[:3], ()), TurnBegan(1)]


@pytest.mark.parametrize(("tickets", "code"), [
    (FIVE[:1] + FIVE[3:4], "ticket-not-offered"),
    (("boston--seattle",), "ticket-not-offered"),
    (FIVE[:1] * 2, "ticket-twice"),
])
def test_5_1_only_offered_tickets_can_be_kept_and_each_once(tickets, code):
    state = after(given(ticket_deck=FIVE), (0, DRAW))
    assert refusal(state, 0, KeepTickets(tickets)) == ("5.1", code)


def test_5_1_the_order_in_which_tickets_are_named_does_not_matter():
    state = after(given(ticket_deck=FIVE), (0, DRAW))
    named, reversed_ = (KeepTickets(FIVE[:2]), KeepTickets(FIVE[1::-1]))
    assert decide(state, 0, reversed_) == decide(state, 0, named)


@pytest.mark.parametrize("action", [
    BLIND, take("red"), DRAW, Pass(), ClaimRoute("denver--santa-fe", {"wild": 2}),
])
def test_5_2_the_seat_that_drew_must_choose_before_anything_else(action):
    state = given(ticket_deck=FIVE, hands={0: {"wild": 2}}, row="red red red red red")
    state = after(state, (0, DRAW))
    assert refusal(state, 0, action) == ("5.2", "wrong-decision")
    assert state.deciding() == [(0, "keep_tickets")]


@pytest.mark.parametrize("action", [BLIND, DRAW, KeepTickets(FIVE[:1])])
def test_5_2_no_other_seat_plays_until_the_choice_is_made(action):
    state = after(given(ticket_deck=FIVE), (0, DRAW))
    assert refusal(state, 1, action) == ("2.3", "not-your-turn")
    state = after(state, (0, KeepTickets(FIVE[:1])))
    assert state.deciding() == [(1, "turn")]


def test_5_2_tickets_cannot_be_kept_when_none_are_offered():
    state = given(ticket_deck=FIVE)
    assert refusal(state, 0, KeepTickets(FIVE[:1])) == ("3.1", "wrong-decision")
