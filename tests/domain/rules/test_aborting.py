"""Aborting a game, and ending the wait for a silent seat (8.4, 8.5)."""

import pytest

from domain.errors import Refused
from domain.game.commands import AbortGame, TimeOut
from domain.game.fold import create, play
from domain.game.legal import legal_actions
from domain.game.state import FINISHED
from domain.game.timing import Times, WrongTime
from tests.domain.given import USA, after, creation, dealt

BEGAN = "2026-01-01T12:00:00.000Z"


def test_8_4_a_seat_that_calls_the_game_off_having_seen_tickets_is_said():
    events, state = play(dealt(), None, AbortGame("aborted", 0))
    assert events[0].seat == 0
    assert (state.status, state.ending, state.left) == (
        FINISHED,
        "aborted",
        ("aborted", None, None),
    )
    assert play(dealt(), None, AbortGame("aborted"))[1].left == (None, None, None)


def test_8_4_nobody_has_seen_tickets_before_they_are_dealt():
    with pytest.raises(Refused, match="has seen no tickets"):
        play(create(USA, creation(3, open_seats=1)), None, AbortGame("aborted", 0))


def test_8_4_once_the_first_turn_has_begun_no_game_is_aborted():
    state = dealt()
    state = after(state, *((seat, legal_actions(state, seat)[0]) for seat in range(3)))
    with pytest.raises(Refused, match="players may resign"):
        play(state, None, AbortGame("aborted", 0))


@pytest.mark.parametrize(
    ("at", "is_over"), [("2026-01-04T11:59:59.999Z", False), ("2026-01-04T12:00:00.000Z", True)]
)
def test_8_5_without_a_clock_a_seat_is_silent_after_three_days(at, is_over):
    state, times = dealt(), Times({0: BEGAN, 1: BEGAN, 2: BEGAN})
    entry = {"at": at, "available": BEGAN, "timed_out": True}
    if is_over:
        assert times.checked(state, 1, TimeOut(), entry) == {"available": BEGAN, "timed_out": True}
        assert play(state, 1, TimeOut())[1].left == (None, "time", None)
    else:
        with pytest.raises(WrongTime, match="they were not over"):
            times.checked(state, 1, TimeOut(), entry)
