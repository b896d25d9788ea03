"""Rules 2.1 to 2.3, and the lobby that leads to them."""

from collections import Counter
from dataclasses import replace
from itertools import chain, permutations

import pytest

from domain.chance import Chance
from domain.game.commands import (
    ClaimRoute,
    DrawTickets,
    KeepTickets,
    LeaveSeat,
    Pass,
    Resign,
    TakeSeat,
)
from domain.game.events import (
    CardTurned,
    DeckShuffled,
    HandDealt,
    RowDiscarded,
    TicketsDrawn,
    TicketsReturned,
    TicketsShuffled,
    TurnBegan,
)
from domain.game.fold import create, play
from domain.game.state import LOBBY, PLAYING, SETUP, State
from tests.domain.given import (
    BLIND,
    USA,
    after,
    creation,
    dealt,
    deck_of,
    discards_of,
    hand_of,
    happened,
    names,
    player,
    refusal,
    row_of,
)

WILD_ROW = bytes([2]) * 32  # a seed that turns three wilds up at set-up
EVERY_NUMBER_OF_SEATS = pytest.mark.parametrize("seats", [2, 3, 4, 5])


def keep(state: State, seat: int, *places: int) -> tuple[int, KeepTickets]:
    """The choice of some of a seat's offered tickets, by place."""
    offered = names(state.offered[seat])
    return seat, KeepTickets(tuple(offered[place] for place in places))


@EVERY_NUMBER_OF_SEATS
def test_2_1_the_whole_deck_is_shuffled_and_dealt_out_from_its_top(seats):
    creating = State(USA), None, creation(seats)
    [order] = [e.cards for e in happened(*creating, DeckShuffled)]
    hands = [e.cards for e in happened(*creating, HandDealt)]
    row = [e.card for e in happened(*creating, CardTurned)]
    assert Counter(order) == USA.cards
    assert sum(USA.cards.values()) == 110
    assert [len(hand) for hand in hands] == [4] * seats
    assert [*chain(*hands), *row] == list(order[: 4 * seats + 5])
    state = dealt(seats)
    assert deck_of(state).split() == list(order[4 * seats + 5 :])
    assert [Counter(hand_of(state, seat)) for seat in state.seats] == list(map(Counter, hands))


def test_2_1_the_deck_is_ordered_by_the_seed_and_the_seats_entropy():
    games = [{}, {"seed": bytes(32)}, {"entropy": "a"}, {"entropy": "b"}]
    assert len({deck_of(dealt(2, **game)) for game in games}) == 4
    assert deck_of(dealt(2)) == deck_of(dealt(2))


def test_2_1_a_row_with_three_wilds_is_turned_anew_at_once():
    command = creation(2, seed=WILD_ROW)
    discarded = happened(State(USA), None, command, RowDiscarded)
    state = create(USA, command)
    [cards] = [event.cards for event in discarded]
    assert cards.count("wild") >= 3 > row_of(state).count("wild")
    assert discards_of(state) == Counter(cards)
    assert (len(state.row), len(state.deck)) == (5, 110 - 2 * 4 - 5 - 5)


@EVERY_NUMBER_OF_SEATS
def test_2_2_each_seat_is_dealt_three_tickets_from_the_top(seats):
    creating = State(USA), None, creation(seats)
    [order] = [e.tickets for e in happened(*creating, TicketsShuffled)]
    drawn = happened(*creating, TicketsDrawn)
    assert sorted(order) == sorted(USA.ticket_index)
    assert len(order) == 30
    assert [e.seat for e in drawn] == list(range(seats))
    assert sum((e.tickets for e in drawn), ()) == order[: 3 * seats]
    assert names(dealt(seats).ticket_deck) == order[3 * seats :]


@pytest.mark.parametrize(
    "action", [BLIND, DrawTickets(), Pass(), ClaimRoute("calgary--helena", {"wild": 4})]
)
def test_2_2_every_seat_has_to_choose_and_may_do_nothing_else(action):
    state = dealt(3)
    assert state.deciding() == [(seat, "keep_tickets") for seat in range(3)]
    assert refusal(state, 0, action) == ("5.2", "wrong-decision")


def test_2_2_at_least_two_of_the_three_are_kept():
    state = dealt(3)
    for places in [(), (0,), (2,)]:
        assert refusal(state, *keep(state, 0, *places)) == ("2.2", "too-few-tickets")
    for places in [(0, 1), (0, 2), (1, 2), (0, 1, 2)]:
        kept = after(state, keep(state, 0, *places)).tickets[0]
        assert kept == tuple(state.offered[0][place] for place in places)


def test_2_2_a_seat_chooses_once_and_play_waits_for_the_others():
    state = dealt(3)
    state = after(state, keep(state, 1, 0, 1))
    assert state.deciding() == [(0, "keep_tickets"), (2, "keep_tickets")]
    for action in (BLIND, KeepTickets(names(state.tickets[1]))):
        assert refusal(state, 1, action) == ("2.3", "not-your-turn")


@pytest.mark.parametrize("order", [*permutations(range(3))])
def test_2_2_refused_tickets_go_under_the_deck_by_seat_in_any_order_of_choices(order):
    state = dealt(3)
    choices = [keep(state, 0, 0, 1), keep(state, 1, 1, 2), keep(state, 2, 0, 2)]
    refused = (state.offered[0][2], state.offered[1][0], state.offered[2][1])
    *first, last = order
    nearly = after(state, *(choices[seat] for seat in first))
    assert nearly.ticket_deck == state.ticket_deck
    assert happened(nearly, *choices[last], TicketsReturned) == [TicketsReturned(names(refused))]
    assert after(nearly, choices[last]).ticket_deck == state.ticket_deck + refused


def test_2_2_a_seats_own_refused_tickets_go_under_the_deck_in_dealt_order():
    state = dealt(2)
    offered = USA.tickets_at_start
    lenient = replace(USA, tickets_at_start=replace(offered, keep=1))
    state = replace(state, board=lenient)
    done = after(state, keep(state, 1, 2), keep(state, 0, 1))
    refused = (state.offered[0][0], state.offered[0][2], *state.offered[1][:2])
    assert done.ticket_deck == state.ticket_deck + refused


def test_2_2_nothing_is_returned_where_everyone_kept_all():
    state = dealt(2)
    state = after(state, keep(state, 0, 0, 1, 2))
    assert happened(state, *keep(state, 1, 0, 1, 2), TicketsReturned) == []


@EVERY_NUMBER_OF_SEATS
def test_2_3_the_first_seat_is_drawn_from_the_seed(seats):
    firsts = set()
    for number in range(40):
        seed = bytes([number]) * 32
        state = dealt(seats, seed=seed, first_seat=None)
        assert state.first_seat == Chance(seed, [""] * seats).draws("first-seat")(seats)
        firsts.add(state.first_seat)
    assert firsts == set(range(seats))


@pytest.mark.parametrize("first", [0, 1, 2])
def test_2_3_the_creator_may_fix_the_first_seat_and_play_goes_upwards_and_round(first):
    state = dealt(3, first_seat=first)
    for seat in (2, 0, 1):
        state = after(state, keep(state, seat, 0, 1))
    turns = []
    for _ in range(4):
        turns.append(state.turn)
        state = after(state, (state.turn, BLIND), (state.turn, BLIND))
    assert turns == [first, (first + 1) % 3, (first + 2) % 3, first]


def test_2_3_no_turn_begins_before_the_last_choice_and_then_only_one_seat_may_act():
    state = dealt(2)
    assert happened(state, *keep(state, 0, 0, 1), TurnBegan) == []
    state = after(state, keep(state, 0, 0, 1))
    assert happened(state, *keep(state, 1, 0, 1), TurnBegan) == [TurnBegan(0)]
    assert refusal(after(state, keep(state, 1, 0, 1)), 1, BLIND) == ("2.3", "not-your-turn")


@pytest.mark.parametrize("first", [-1, 3])
def test_2_3_a_first_seat_that_is_not_there_is_refused(first):
    assert refusal(State(USA), None, creation(3, first_seat=first)) == ("2.3", "no-such-seat")


def test_open_seats_are_taken_in_order_and_the_last_one_starts_the_game():
    lobby = create(USA, creation(3, open_seats=2))
    assert (lobby.status, lobby.deciding()) == (LOBBY, [])
    assert refusal(lobby, 0, BLIND) == ("2.2", "game-not-started")
    one, state = play(lobby, None, TakeSeat(player(7)))
    assert [e.seat for e in one] == [1]
    state = after(state, (None, TakeSeat(player(8), "salt")))
    assert [p.id for p in state.players] == ["p0", "p7", "p8"]
    assert (state.status, state.step, state.entropy) == (PLAYING, SETUP, ("", "", "salt"))


def test_a_seat_that_was_left_is_the_next_to_be_taken():
    lobby = create(USA, creation(3, open_seats=1))
    lobby = after(lobby, (0, LeaveSeat()), (None, TakeSeat(player(8))))
    assert [p and p.id for p in lobby.players] == ["p8", "p1", None]


def test_nobody_sits_twice():
    twice = replace(creation(2), seats=((player(0), None),) * 2)
    assert refusal(State(USA), None, twice) == ("2.2", "already-seated")
    lobby = create(USA, creation(2, open_seats=1))
    assert refusal(lobby, None, TakeSeat(player(0))) == ("2.2", "already-seated")


def test_the_seats_are_settled_once_the_game_has_begun():
    assert refusal(dealt(2), None, TakeSeat(player(7))) == ("2.2", "game-started")
    assert refusal(dealt(2), 0, LeaveSeat()) == ("2.2", "game-started")


@pytest.mark.parametrize(("leaver", "turn"), [(0, 1), (2, 0)])
def test_8_2_a_seat_leaves_during_set_up_and_the_next_one_begins(leaver, turn):
    state = dealt(3)
    others = [keep(state, seat, 0, 1) for seat in state.seats if seat != leaver]
    for moves in ([*others, (leaver, Resign())], [(leaver, Resign()), *others]):
        assert after(state, *moves).deciding() == [(turn, "turn")]
