"""What a runner is to play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Assignment:
    """What is to be played: ``games`` against a built-in bot, so many ``at_once``; or, where
    ``open``, whatever seats are open and whatever the account is invited or challenged to (None:
    for ever). ``pool``: whatever the pool pairs it for, on a ``clock`` of the pool. ``resign``:
    whether a game in which the bot does what it may not is given up."""

    board: str | None = None
    against: str = "planner"
    seats: int = 2
    games: int | None = 1
    at_once: int = 1
    open: bool = False
    pool: bool = False
    clock: str = "normal"
    resign: bool = True

    def games_under_way(self, ended: int) -> int:
        """Return how many games are to be under way that we create, after so many have ended."""
        return 0 if self.open or self.pool else self.room(ended)

    def room(self, ended: int) -> int:
        """Return how many games may be under way, after so many have ended."""
        return self.at_once if self.games is None else min(self.at_once, self.games - ended)

    def wish(self, ended: int) -> dict[str, Any]:
        """Return what the pool is told, after so many games have ended."""
        return {"boards": [self.board or "usa"], "seats": [self.seats], "clocks": [self.clock],
                "at_once": self.room(ended)}
