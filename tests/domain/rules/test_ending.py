"""Rules 7.1, 8.1, 8.2 and 8.6; how seats that left rank is in test_scoring.py."""

from itertools import permutations

import pytest

from domain.game.commands import ClaimRoute, DrawTickets, KeepTickets, Pass, Resign
from domain.game.events import FinalTurnsBegan, GameEnded, Passed, Resigned, TurnBegan
from domain.game.fold import decide
from domain.game.legal import legal_actions
from domain.game.state import FINISHED, SECOND_CARD, State
from domain.game.view import view
from domain.rules.ending import MAX_IDLE
from domain.rules.stations import BuildStation
from tests.domain.given import (
    BLIND,
    BOARDS,
    EUROPE,
    USA,
    after,
    changed,
    dealt,
    deck_of,
    discards_of,
    given,
    hand_of,
    happened,
    names,
    refusal,
    row_of,
    take,
)

CLAIM = ClaimRoute("calgary--helena", {"red": 4})
ONE = ClaimRoute("portland--seattle", {"red": 1})
TICKETS = ("boston--miami", "denver--el-paso", "duluth--houston", "los-angeles--miami")
PASS, RESIGN = Pass(), Resign()
NOTHING_TO_DO = {"row": "", "deck": "", "discards": {}, "ticket_deck": ()}


def about_to_claim(seat: int, trains: int, seats: int = 3, **members) -> State:
    """A position in which a seat on turn can claim four spaces with so many trains."""
    return given(seats, turn=seat, hands={seat: {"red": 4}}, trains={seat: trains}, **members)


def turns(state: State) -> list[int]:
    """The seats on turn from now to the end of the game, each drawing two cards."""
    seats = []
    while state.status != FINISHED:
        seats.append(state.turn)
        state = after(state, (state.turn, BLIND), (state.turn, BLIND))
    return seats


def stuck(hands: dict[int, dict[str, int]] | None = None, **members) -> State:
    """A position with nothing to draw, in which hands are empty but those named."""
    return given(hands={seat: {} for seat in range(3)} | (hands or {}), **NOTHING_TO_DO | members)


@pytest.mark.parametrize("trains", [4, 5, 6])
@pytest.mark.parametrize(("seat", "order"), [(0, (1, 2, 0)), (1, (2, 0, 1)), (2, (0, 1, 2))])
def test_7_1_two_or_fewer_trains_left_give_every_seat_one_more_turn(seat, order, trains):
    state = about_to_claim(seat, trains)
    assert happened(state, seat, CLAIM, FinalTurnsBegan) == [FinalTurnsBegan(order)]
    assert turns(after(state, (seat, CLAIM))) == list(order)


def test_7_1_the_last_turn_is_followed_by_the_scoring():
    state = after(about_to_claim(1, 4), (1, CLAIM))
    for seat in (2, 0, 1):
        state = after(state, (seat, BLIND))
        ended = happened(state, seat, BLIND, GameEnded)
        state = after(state, (seat, BLIND))
    assert (state.status, state.ending, state.deciding()) == (FINISHED, "final_turns", [])
    assert ended == [GameEnded("final_turns", state.results)]


def test_7_1_the_end_is_triggered_once():
    hands = {0: {"red": 4}, 1: {"white": 4}}
    state = after(given(hands=hands, trains={0: 4, 1: 4}), (0, CLAIM))
    last = ClaimRoute("calgary--seattle", {"white": 4})
    assert happened(state, 1, last, FinalTurnsBegan) == []
    assert turns(after(state, (1, last))) == [2, 0]


@pytest.mark.parametrize(
    "action",
    [
        BLIND,
        take("red"),
        CLAIM,
        DrawTickets(),
        PASS,
        RESIGN,
        KeepTickets(TICKETS[:1]),
    ],
)
def test_7_1_nothing_follows_the_end(action):
    state = given(2, final=(1,), turn=1)
    state = after(state, (1, BLIND), (1, BLIND))
    assert refusal(state, 0, action) == ("7", "game-finished")


def test_7_1_every_final_turn_is_a_whole_turn_of_any_kind():
    state = given(2, final=(0, 1), ticket_deck=TICKETS, hands={1: {"red": 4}})
    state = after(state, (0, DrawTickets()))
    assert state.deciding() == [(0, "keep_tickets")]
    state = after(state, (0, KeepTickets(TICKETS[:1])))
    assert state.deciding() == [(1, "turn")]
    state = after(state, (1, CLAIM))
    assert (state.status, state.results[1]["routes"]) == (FINISHED, 7)


@pytest.mark.parametrize(
    "possible",
    [
        {"row": "wild"},
        {"deck": "red"},
        {"discards": {"red": 1}},
        {"ticket_deck": TICKETS},
        {"hands": {0: {"red": 3, "wild": 1}}},
    ],
)
def test_8_1_a_seat_that_can_draw_or_claim_may_not_pass(possible):
    assert refusal(stuck(**possible), 0, PASS) == ("8.1", "cannot-pass")


def test_8_1_a_seat_without_another_action_passes_and_when_all_have_the_game_ends():
    state = stuck()
    assert legal_actions(state, 0) == [PASS]
    assert decide(state, 0, PASS) == [Passed(0), TurnBegan(1)]
    state = after(stuck(turn=1), (1, PASS), (2, PASS))
    assert [type(event) for event in decide(state, 0, PASS)] == [Passed, GameEnded]
    state = after(state, (0, PASS))
    assert (state.status, state.ending, len(state.results)) == (FINISHED, "all_passed", 3)


def test_8_1_passes_count_only_in_a_row():
    state = after(stuck(hands={2: {"red": 1}}), (0, PASS), (1, PASS), (2, ONE))
    assert row_of(state) == "red"
    state = after(state, (0, take("red")), (1, PASS), (2, PASS))
    assert state.deciding() == [(0, "turn")]


@pytest.mark.parametrize("action", [BLIND, take("red"), CLAIM, DrawTickets()])
def test_8_1_any_other_action_restarts_the_count_of_passes(action):
    state = given(hands={0: {"red": 4}}, row="red red red red red", passes=2)
    assert after(state, (0, action)).passes == 0


def test_8_1_seats_that_left_need_not_pass_and_a_pass_of_theirs_counts_no_more():
    state = after(stuck(), (1, RESIGN), (0, PASS))
    assert happened(state, 2, PASS, GameEnded)[0].reason == "all_passed"
    state = after(stuck(hands={2: {"red": 1}}), (0, PASS), (0, RESIGN))
    assert row_of(state) == ""
    assert after(state, (1, PASS)).deciding() == [(2, "turn")]


def test_8_1_passing_is_a_turn_in_the_final_turns_too():
    state = stuck(hands={2: {"red": 1}}, final=(0, 1, 2))
    state = after(state, (0, PASS), (1, PASS), (2, ONE))
    assert (state.status, state.ending) == (FINISHED, "final_turns")


def test_8_2_the_hand_goes_to_the_discards_and_the_tickets_are_set_aside():
    state = given(hands={1: {"red": 2, "wild": 1}}, discards={"red": 1}, tickets={1: TICKETS[:2]})
    before = state.ticket_deck
    assert decide(state, 1, RESIGN) == [
        Resigned(1, "resigned", {"red": 2, "wild": 1}, TICKETS[:2]),
    ]
    state = after(state, (1, RESIGN))
    assert (discards_of(state), hand_of(state, 1)) == ({"red": 3, "wild": 1}, {})
    assert (names(state.removed[1]), state.tickets[1]) == (TICKETS[:2], ())
    assert state.ticket_deck == before


def test_8_2_routes_and_their_points_stay():
    state = after(given(routes={1: ["calgary--helena"]}), (1, RESIGN))
    assert (state.owner(USA.route_index["calgary--helena"]), state.points[1]) == (1, 7)


def test_8_2_a_seat_that_left_is_passed_over_from_then_on():
    state = after(given(), (1, RESIGN), (0, BLIND), (0, BLIND))
    assert state.deciding() == [(2, "turn")]
    assert after(state, (2, BLIND), (2, BLIND)).deciding() == [(0, "turn")]


@pytest.mark.parametrize("step", ["turn", SECOND_CARD])
def test_8_2_leaving_on_turn_ends_the_turn_and_out_of_turn_does_not(step):
    state = given(turn=1, step=step)
    assert happened(state, 1, RESIGN, TurnBegan) == [TurnBegan(2)]
    assert after(state, (1, RESIGN)).deciding() == [(2, "turn")]
    assert after(state, (2, RESIGN)).deciding() == [(1, step)]


@pytest.mark.parametrize("action", [RESIGN, BLIND, PASS])
def test_8_2_a_seat_that_left_does_nothing_more(action):
    assert refusal(after(given(), (0, RESIGN)), 0, action) == ("8.2", "seat-left")


@pytest.mark.parametrize("kept", [0, 2])
def test_8_2_leaving_during_set_up_sets_offered_and_kept_tickets_aside(kept):
    state = dealt(3)
    offered = state.offered[1]
    choice = [(1, KeepTickets(names(offered[:kept])))] if kept else []
    state = after(state, *choice, (1, RESIGN))
    assert state.deciding() == [(0, "keep_tickets"), (2, "keep_tickets")]
    assert (state.removed[1][: kept or 3], state.offered[1], state.tickets[1]) == (
        offered[: kept or 3],
        (),
        (),
    )


def test_8_2_leaving_while_choosing_tickets_drops_the_choice():
    state = after(given(ticket_deck=TICKETS, tickets={0: TICKETS[3:]}), (0, DrawTickets()))
    left = after(state, (0, RESIGN))
    assert left.deciding() == [(1, "turn")]
    assert names(left.removed[0]) == TICKETS[3:] + TICKETS[:3]
    other_left = after(state, (1, RESIGN))
    assert other_left.deciding() == [(0, "keep_tickets")]
    assert after(other_left, (0, KeepTickets(TICKETS[:1]))).deciding() == [(2, "turn")]


@pytest.mark.parametrize(
    ("seats", "moves", "leaver", "order"),
    [(4, 0, 2, [0, 1, 3]), (3, 0, 0, [1, 2]), (3, 2, 0, [1, 2])],
    ids=["before it", "on it", "after it"],
)
def test_8_2_leaving_forgoes_ones_own_final_turn_alone(seats, moves, leaver, order):
    state = given(seats, final=tuple(range(seats)))
    assert turns(after(state, *[(0, BLIND)] * moves, (leaver, RESIGN))) == order


def test_8_2_leaving_on_the_last_final_turn_ends_the_game():
    over = after(given(final=(1,), turn=1), (1, RESIGN))
    assert (over.status, over.ending) == (FINISHED, "final_turns")


def test_8_2_leaving_with_few_trains_does_not_trigger_the_final_turns():
    assert after(given(trains={0: 2}), (0, RESIGN)).final is None


@pytest.mark.parametrize("board", ["usa", "europe"])
@pytest.mark.parametrize("leavers", [*permutations(range(3), 2)])
@pytest.mark.parametrize("chosen", [(), (0,), (2,), (0, 1)])
def test_8_2_seats_may_leave_in_set_up_in_any_order_down_to_the_last(board, leavers, chosen):
    board = BOARDS[board]
    state = dealt(3, board=board)
    for seat in chosen:
        offered = names(state.offered[seat], board)
        state = after(state, (seat, KeepTickets(offered[1:])))
    first, second = leavers
    state = after(state, (first, RESIGN))
    waiting = [seat for seat in range(3) if seat not in (*chosen, first)]
    assert state.deciding() == (
        [(s, "keep_tickets") for s in waiting]
        or [(state.next_seat(2) if first == 0 else 0, "turn")]
    )
    state = after(state, (second, RESIGN))
    assert (state.status, state.ending, state.leavers) == (FINISHED, "one_seat_left", leavers)
    held = state.tickets + state.offered + state.refused + state.removed
    assert sorted(
        [
            *state.ticket_deck,
            *state.long_deck,
            *state.unseen,
            *(t for tickets in held for t in tickets),
        ]
    ) == [*range(len(board.tickets))]


def test_8_2_tickets_that_the_last_seat_had_still_to_choose_from_do_not_count():
    state = after(given(2, tickets={0: ()}, ticket_deck=TICKETS), (0, DrawTickets()), (1, RESIGN))
    assert state.status == FINISHED
    assert state.results[0]["tickets"] == 0
    assert view(state, 0, sealed=False)["you"] == {
        "seat": 0,
        "hand": hand_of(state, 0),
        "tickets": [],
    }


@pytest.mark.parametrize("leavers", [(0, 1), (1, 0), (2, 1), (1, 2)])
def test_8_2_the_game_ends_when_one_seat_is_left(leavers):
    state = after(given(), *((seat, RESIGN) for seat in leavers))
    assert (state.status, state.ending, state.leavers) == (FINISHED, "one_seat_left", leavers)
    assert state.results[3 - sum(leavers)]["rank"] == 1


def test_8_2_the_hand_of_a_seat_that_left_can_be_drawn_again():
    state = given(row="red", deck="", discards={}, hands={0: {"blue": 6}})
    state = after(state, (0, RESIGN))
    assert (row_of(state), deck_of(state)) == ("red blue blue blue blue", "blue blue")
    assert state.deciding() == [(1, "turn")]


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_8_3_the_fewest_tickets_and_those_listed_first_are_the_first_choice(board):
    state = dealt(board=board)
    for seat in state.seats:
        offered = names(state.offered[seat], board)
        least = board.tickets_at_start.keep
        assert legal_actions(state, seat)[0] == KeepTickets(offered[:least])
    drawn = after(given(board=board), (0, DrawTickets()))
    assert legal_actions(drawn, 0)[0] == KeepTickets(names(drawn.offered[0], board)[:1])


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
@pytest.mark.parametrize("members", [{}, {"deck": "", "discards": {"red": 1, "blue": 1}}])
def test_8_3_a_blind_draw_is_listed_first_if_there_is_one(board, members):
    if board.id == "london" and members:
        members = {"deck": "", "discards": {"pink": 1, "blue": 1}}
    state = given(board=board, **members)
    assert legal_actions(state, 0)[0] == BLIND
    assert legal_actions(after(state, (0, BLIND)), 0)[0] == BLIND
    empty = given(board=board, **NOTHING_TO_DO | {"row": board.colors[0]})
    assert legal_actions(empty, 0)[0] == take(board.colors[0])


def idle(decisions: int, **members) -> State:
    """A position with nothing to draw, in which so many decisions in a row have brought nothing."""
    state = stuck(**members)
    return changed(state, last_progress=state.version - 1 - decisions)


def test_8_6_a_game_ends_after_many_decisions_without_progress():
    state = after(idle(MAX_IDLE - 2, hands={2: {"red": 1}}), (0, PASS))
    assert state.deciding() == [(1, "turn")]
    state = after(state, (1, PASS))
    assert (state.status, state.ending, len(state.results)) == (FINISHED, "no_progress", 3)


@pytest.mark.parametrize(
    ("position", "actions"),
    [
        ({"row": "wild"}, [take("wild")]),
        ({"hands": {0: {"red": 4}}}, [CLAIM]),
        ({"ticket_deck": TICKETS}, [DrawTickets(), KeepTickets(TICKETS[:1])]),
        ({"board": EUROPE, "hands": {0: {"red": 1}}}, [BuildStation("berlin", {"red": 1})]),
    ],
)
def test_8_6_a_card_a_route_a_ticket_or_a_station_begins_the_count_anew(position, actions):
    state = after(idle(MAX_IDLE, **position), *((0, action) for action in actions))
    assert state.deciding() == [(1, "turn")]
