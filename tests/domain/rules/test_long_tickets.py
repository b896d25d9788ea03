"""Rule 2.2 where the first tickets are a long one and three regular ones (europe)."""

import pytest

from domain.game.commands import DrawTickets, KeepTickets, Resign
from domain.game.events import TicketsKept, TicketsRemoved, TicketsReturned, TurnBegan
from domain.game.fold import decide
from domain.game.legal import legal_actions
from domain.game.state import State
from tests.domain.given import EUROPE, after, dealt, names, refusal

LONG = {i for i, ticket in enumerate(EUROPE.tickets) if ticket.long}
ALL = set(range(len(EUROPE.tickets)))


def keeping(state: State, seat: int, count: int = 2, first: int = 0) -> KeepTickets:
    """A choice of some of a seat's offered tickets."""
    return KeepTickets(names(state.offered[seat][first : first + count], EUROPE))


def chosen(seats: int = 3, count: int = 2, first: int = 0) -> State:
    """A game in which every seat has made its first choice."""
    state = dealt(seats, board=EUROPE)
    return after(state, *((seat, keeping(state, seat, count, first)) for seat in state.seats))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_2_2_every_seat_is_dealt_a_long_and_three_regular_tickets_and_other_long_ones_leave(seats):
    state = dealt(seats, board=EUROPE)
    for seat in state.seats:
        assert [t in LONG for t in state.offered[seat]] == [True, False, False, False]
    held = {t for offered in state.offered for t in offered}
    assert (len(held), len(state.ticket_deck)) == (4 * seats, 40 - 3 * seats)
    assert set(state.unseen) == LONG - held
    assert (len(state.unseen), state.long_deck) == (6 - seats, ())
    assert not LONG & set(state.ticket_deck)


def test_2_2_any_two_or_more_of_the_four_may_be_kept_and_the_long_one_refused():
    state = dealt(board=EUROPE)
    sizes = [len(action.tickets) for action in legal_actions(state, 0)]
    assert sizes == [2] * 6 + [3] * 4 + [4]
    for choice in (keeping(state, 0, 1), KeepTickets(())):
        assert refusal(state, 0, choice) == ("2.2", "too-few-tickets")
    kept = after(state, (0, keeping(state, 0, 2, first=1)))
    assert (kept.tickets[0], kept.refused[0][0] in LONG) == (state.offered[0][1:3], True)


@pytest.mark.parametrize("first", [0, 1, 2])
def test_2_2_refused_tickets_of_both_kinds_leave_the_game(first):
    state = chosen(first=first)
    assert state.ticket_deck == dealt(board=EUROPE).ticket_deck
    kept = {t for tickets in state.tickets for t in tickets}
    assert set(state.unseen) == ALL - kept - set(state.ticket_deck)
    assert len(state.unseen) == 3 + 3 * 2
    assert state.refused == ((), (), ())


def test_2_2_they_leave_it_when_all_have_chosen_in_seat_order():
    state = dealt(board=EUROPE)
    refused = [state.offered[seat][2:] for seat in state.seats]
    early = after(state, (2, keeping(state, 2)), (0, keeping(state, 0)))
    assert early.unseen == state.unseen
    assert [type(event) for event in decide(early, 1, keeping(state, 1))] == [
        TicketsKept,
        TicketsRemoved,
        TurnBegan,
    ]
    late = after(early, (1, keeping(state, 1)))
    assert late.unseen == (*state.unseen, *(t for seat in refused for t in seat))


def test_2_2_if_nobody_refuses_any_none_are_removed():
    state = dealt(board=EUROPE)
    state = after(state, (0, keeping(state, 0, 4)), (1, keeping(state, 1, 4)))
    events = decide(state, 2, keeping(state, 2, 4))
    assert [type(event) for event in events] == [TicketsKept, TurnBegan]


def test_5_1_tickets_refused_on_a_turn_go_under_the_deck():
    state = chosen()
    drawing = after(state, (0, DrawTickets()))
    kinds = [type(event) for event in decide(drawing, 0, keeping(drawing, 0, 1))]
    assert kinds == [TicketsKept, TicketsReturned, TurnBegan]
    kept = after(drawing, (0, keeping(drawing, 0, 1)))
    assert kept.ticket_deck[-2:] == drawing.offered[0][1:]
    assert kept.unseen == state.unseen


@pytest.mark.parametrize("by", [0, 1, 2])
def test_8_2_the_tickets_of_a_seat_that_leaves_while_choosing_are_set_aside(by):
    state = dealt(board=EUROPE)
    left = after(state, (by, Resign()))
    assert left.removed[by] == state.offered[by]
    others = [seat for seat in state.seats if seat != by]
    done = after(left, *((seat, keeping(state, seat)) for seat in others))
    assert len(done.unseen) == 3 + 2 * 2
    assert done.removed[by] == state.offered[by]
    assert done.deciding() == [(1 if by == 0 else 0, "turn")]
