"""Histories that must always fold to the same result: ``python -m tools.histories``.

tests/histories has each as ``NAME.ndjson.gz``, and its result in ``expected.json``. An existing
file is never overwritten: a history that was once valid stays valid. To add one, give it a line in
``GAMES`` and run this; with ``--add NAME FILE`` any finished history can be added, such as one that
a service has served.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

from domain.game.commands import (
    AbortGame,
    CloseInvitation,
    LeaveSeat,
    Resign,
    StartGame,
    TakeSeat,
)
from domain.game.events import PlayerInvited, RatingRangeSet
from tools.histories.kept import FORMER_USA, expected, keep
from tools.histories.written import begun, game, player


def lobby() -> list[dict]:
    """A game of five seats, two of them taken, one left, one put away; one player resigns."""
    history = begun(
        "usa",
        5,
        11,
        open_seats=4,
        first_seat=2,
        clock={"bank": 60.0, "increment": 0.5},
        on_timeout="act",
    )
    history.play(None, TakeSeat(player(1), "x-1", seat=4))
    history.play(None, TakeSeat(player(2)))
    history.play(1, LeaveSeat())
    history.play(None, TakeSeat(player(3), "left_and_right", seat=2))
    history.play(None, StartGame())
    for _ in range(12):
        seat, _ = history.state.deciding()[-1]
        history.play(seat, history.due(seat))
    history.play(history.state.turn, None, late=True)
    history.play(history.state.active[0], Resign())
    return history.play_on().entries


def invited() -> list[dict]:
    """A game of five seats: an invitation that was declined, one that has expired, one that was
    accepted, and seats for a range of ratings that one player leaves and others take."""
    invitations = [
        PlayerInvited(seat, player(seat).as_json(), "2026-09-21T14:28:20.000Z", "open")
        for seat in (1, 2, 3)
    ]
    history = begun(
        "usa",
        5,
        15,
        open_seats=4,
        invitations=tuple(invitations),
        rating_ranges=(RatingRangeSet(4, -3),),
    )
    history.play(None, CloseInvitation(player(1).id, "too_fast"))
    history.play(None, CloseInvitation(player(2).id, "expired"))
    history.play(None, TakeSeat(player(4), seat=4))
    history.play(4, LeaveSeat())
    for number, seat in ((4, 4), (5, 1), (3, 3), (2, 2)):
        history.play(None, TakeSeat(player(number), seat=seat))
    return history.play_on().entries


def not_invited() -> list[dict]:
    """A game that was aborted as its invitation was withdrawn."""
    history = begun(
        "usa",
        2,
        16,
        open_seats=1,
        visibility="private",
        spectators=False,
        invitations=(
            PlayerInvited(1, player(1).as_json(), "2026-09-21T14:28:20.000Z", "withdraw"),
        ),
    )
    history.play(None, CloseInvitation(player(1).id, "withdrawn"))
    return history.entries


def timed_out() -> list[dict]:
    """A game in which a seat thinks too long, and so loses."""
    history = begun("london", 2, 12, clock={"per_decision": 30.0}, visibility="unlisted")
    for _ in range(6):
        seat, _ = history.state.deciding()[0]
        history.play(seat, history.due(seat))
    history.play(history.state.turn, None, late=True)
    return history.entries


def aborted() -> list[dict]:
    """A game that was aborted while tickets were chosen."""
    history = begun("paris", 2, 13, visibility="private", spectators=False)
    seat, _ = history.state.deciding()[0]
    history.play(seat, history.due(seat))
    history.play(None, AbortGame("aborted"))
    return history.entries


def expired() -> list[dict]:
    """A game that nobody came to."""
    history = begun("europe", 3, 14, open_seats=2)
    history.play(None, AbortGame("expired"))
    return history.entries


GAMES: dict[str, Callable[[], list[dict]]] = {
    "usa": lambda: game("usa", 3, 1),
    "usa-10th": lambda: game("usa-10th", 2, 2, first_seat=1),
    "europe": lambda: game("europe", 3, 3),
    "london": lambda: game("london", 4, 4),
    "paris": lambda: game("paris", 2, 5, seed_known=True),
    "lobby": lobby,
    "invited": invited,
    "not-invited": not_invited,
    "timed-out": timed_out,
    "aborted": aborted,
    "expired": expired,
    "former-usa": lambda: game(FORMER_USA, 5, 121),  # two that are equal but for their paths
}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--add", nargs=2, metavar=("NAME", "FILE"), help="keep this history, too")
    added = asked.parse_args().add
    if added:
        keep(added[0], [json.loads(line) for line in Path(added[1]).read_text().splitlines()])
        return
    for name, made in GAMES.items():
        if name not in expected():
            keep(name, made())


if __name__ == "__main__":
    main()
