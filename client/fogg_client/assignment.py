"""The games that a runner plays."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fogg_client.bot import pace


@dataclass(frozen=True)
class Assignment:
    """Which games to play: by default, ``games`` (None: without end) against the built-in bot
    ``against``, ``at_once`` of them in parallel.

    ``open``: join open seats instead, and accept invitations, on ``board`` and clocks that leave at
    least ``shortest_clock`` seconds for a decision. ``pool``: play the games that the pool pairs,
    on the pool's ``clock``. ``resign``: whether to resign a game after an illegal action or an
    exception of the bot."""

    board: str | None = None
    against: str = "planner"
    seats: int = 2
    games: int | None = 1
    at_once: int = 1
    open: bool = False
    shortest_clock: float = 2.0
    pool: bool = False
    clock: str = "normal"
    resign: bool = True

    def games_under_way(self, ended: int) -> int:
        """Return how many games of our own should run after ``ended`` games; 0 if others create
        them."""
        return 0 if self.open or self.pool else self.room(ended)

    def room(self, ended: int) -> int:
        """Return how many games may run at once after ``ended`` games."""
        return self.at_once if self.games is None else min(self.at_once, self.games - ended)

    def against_game(self, game: Mapping[str, Any]) -> str | None:
        """Return why not to take a seat of a game in the lobby, None if nothing is against it."""
        if self.board not in (None, game["board"]):
            return "board"
        clock = game.get("clock")
        return "too_fast" if clock and pace(clock) < self.shortest_clock else None

    def pool_entry(self, ended: int) -> dict[str, Any]:
        """Return the body of ``PUT /v1/me/pool`` after ``ended`` games."""
        return {
            "boards": [self.board or "usa"],
            "seats": [self.seats],
            "clocks": [self.clock],
            "parallel_games": self.room(ended),
        }
