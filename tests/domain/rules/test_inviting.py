"""Invitations to seats of the lobby, and seats for some ratings."""

import pytest

from domain.game.commands import AbortGame, CloseInvitation, LeaveSeat, StartGame, TakeSeat
from domain.game.events import (
    GameAborted,
    InvitationClosed,
    PlayerInvited,
    RatingRangeSet,
    SeatLeft,
    SeatTaken,
)
from domain.game.fold import create, decide
from domain.game.state import FINISHED, LOBBY, PLAYING, State
from domain.game.view import view
from tests.domain.given import USA, after, creation, player, refusal

EARLY, EXPIRES, LATE = (f"2026-01-01T12:{minute}:00.000Z" for minute in (10, 15, 20))


def invited(number: int, seat: int, if_declined: str = "withdraw") -> PlayerInvited:
    return PlayerInvited(seat, player(number).as_json(), EXPIRES, if_declined)


def lobby(*invitations: PlayerInvited, seats: int = 3, open_seats: int = 2, **members) -> State:
    """A game in the lobby whose last seats are open or reserved."""
    return create(USA, creation(seats, open_seats=open_seats, invitations=invitations, **members))


def seats_of(state: State) -> list[str | None]:
    return [player and player.id for player in state.players]


def test_a_reserved_seat_is_taken_by_its_player_alone():
    state = lobby(invited(7, 1))
    assert refusal(state, None, TakeSeat(player(8), seat=1)) == ("2.2", "seat-taken")
    assert refusal(state, None, TakeSeat(player(7), seat=2)) == ("2.2", "seat-taken")
    state = after(state, (None, TakeSeat(player(8))))
    assert seats_of(state) == ["p0", None, "p8"]
    assert refusal(state, None, TakeSeat(player(9))) == ("2.2", "seat-taken")
    assert refusal(state, None, TakeSeat(player(8))) == ("2.2", "already-seated")
    state = after(state, (None, TakeSeat(player(7), at=EARLY)))
    assert (seats_of(state), state.status) == (["p0", "p7", "p8"], PLAYING)
    assert state.invitations == ()


@pytest.mark.parametrize("at", [EXPIRES, LATE])
def test_an_expired_invitation_is_not_accepted(at):
    assert refusal(lobby(invited(7, 1)), None, TakeSeat(player(7), at=at)) == (
        None,
        "invitation-closed",
    )


@pytest.mark.parametrize("reason", ["busy", "withdrawn", "expired"])
def test_a_closed_invitation_opens_its_seat_or_aborts_the_game(reason):
    state = lobby(invited(7, 1, "open"), invited(8, 2))
    closed = InvitationClosed(1, player(7).as_json(), reason)
    assert decide(state, None, CloseInvitation("p7", reason)) == [closed]
    state = after(state, (None, CloseInvitation("p7", reason)))
    assert (state.status, state.closed_invitations) == (LOBBY, (closed,))
    assert refusal(state, None, CloseInvitation("p7", reason)) == (None, "invitation-closed")
    over = after(state, (None, CloseInvitation("p8", reason)))
    ending = "expired" if reason == "expired" else "aborted"
    assert (over.status, over.ending, over.invitations) == (FINISHED, ending, ())
    assert decide(state, None, CloseInvitation("p8", reason))[1:] == [GameAborted(ending)]
    assert seats_of(after(state, (None, TakeSeat(player(9))))) == ["p0", "p9", None]


def test_a_reserved_seat_that_is_left_opens_or_the_game_is_aborted():
    seated = after(lobby(invited(7, 1, "open"), invited(8, 2)), (None, TakeSeat(player(7))))
    left = after(seated, (1, LeaveSeat()))
    assert decide(left, None, TakeSeat(player(9))) == [SeatTaken(1, player(9).as_json())]
    seated = after(lobby(invited(7, 1)), (None, TakeSeat(player(7))))
    assert decide(seated, 1, LeaveSeat()) == [SeatLeft(1), GameAborted("aborted")]
    assert after(seated, (1, LeaveSeat())).status == FINISHED
    assert after(seated, (0, LeaveSeat())).status == LOBBY  # this seat was not reserved


@pytest.mark.parametrize(
    "invitations",
    [
        [invited(0, 1)],
        [invited(7, 1), invited(7, 2)],
        [invited(7, 0)],
        [invited(7, 3)],
        [invited(7, 1), invited(8, 1)],
    ],
)
def test_a_player_is_invited_once_and_to_an_open_seat(invitations):
    _, code = refusal(State(USA), None, creation(3, open_seats=2, invitations=tuple(invitations)))
    assert code in ("already-seated", "seat-taken")


def test_a_game_is_started_or_aborted_without_the_invited():
    state = lobby(invited(7, 2), seats=3, open_seats=1)
    started = after(state, (None, StartGame()))
    assert (started.status, len(started.players), started.invitations) == (PLAYING, 2, ())
    assert refusal(started, None, CloseInvitation("p7", "busy")) == ("2.2", "game-started")
    assert after(state, (None, AbortGame("aborted"))).invitations == ()


@pytest.mark.parametrize(("rating", "seat"), [(4.99, 2), (5, 1), (20, 1), (20.01, 2), (None, 1)])
def test_a_player_takes_the_first_seat_for_their_rating(rating, seat):
    state = lobby(rating_ranges=(RatingRangeSet(1, 5, 20),))
    assert [event.seat for event in decide(state, None, TakeSeat(player(7), rating=rating))] == [
        seat
    ]


def test_a_rating_outside_of_the_range_is_refused():
    state = lobby(rating_ranges=(RatingRangeSet(1, 5), RatingRangeSet(2, None, -1)))
    outside = (None, "rating-outside")
    assert refusal(state, None, TakeSeat(player(7), rating=0)) == outside
    assert refusal(state, None, TakeSeat(player(7), seat=2, rating=6)) == outside
    assert (
        refusal(
            State(USA), None, creation(2, open_seats=1, rating_ranges=(RatingRangeSet(1, 2, 1),))
        )
        == outside
    )


def test_a_view_of_the_lobby_shows_the_invited_and_the_ranges():
    state = lobby(invited(7, 1), rating_ranges=(RatingRangeSet(2, 5),))
    for viewer in (None, 0):
        assert view(state, viewer, sealed=False)["seats"][1:] == [
            {"seat": 1, "invited": player(7).as_json(), "expires": EXPIRES},
            {"seat": 2, "rating_from": 5},
        ]
    state = after(state, (None, CloseInvitation("p7", "busy")))
    assert view(state, None, sealed=False)["seats"][1] == {"seat": 1}
