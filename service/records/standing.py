"""How players stand, and the rated games that they stand by, as they are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from domain.skill import START

OVERALL = "overall"
SETTLED_GAMES, SETTLED_SIGMA = 20, 6.0  # so many games, and no less certain than this
LEVEL, SCALE = 10**9, 10**6  # ratings from -1000 on as whole numbers, by which bytes are ordered


class Standing(NamedTuple):
    """What games have made of a player in a scope; ``last`` is in milliseconds since 1970."""

    mu: float = START[0]
    sigma: float = START[1]
    games: int = 0
    wins: int = 0
    last: int = 0

    @property
    def rating(self) -> float:
        """How strong the player is at least, almost surely: what players are ranked by."""
        return self.mu - 3 * self.sigma

    @property
    def is_provisional(self) -> bool:
        """Whether too few games, or too unequal ones, were played to say much."""
        return self.games < SETTLED_GAMES or self.sigma > SETTLED_SIGMA

    @property
    def points(self) -> str:
        """The rating as digits that are ordered as ratings are."""
        return f"{max(0, round(self.rating * SCALE) + LEVEL):010d}"

    def after(self, mu: float, sigma: float, won: bool, at: int) -> Standing:
        """Return the standing after one more game."""
        return Standing(mu, sigma, self.games + 1, self.wins + won, at)


class Change(NamedTuple):
    """What a game made of a player in a scope: how they stood before, and mu and sigma after."""

    before: Standing
    mu: float
    sigma: float


@dataclass(frozen=True)
class RatedGame:
    """What is kept of a game to rate it: when it counts, in milliseconds since 1970, and the
    players in the order of seats, each with their rank; of a deal that is played several times, the
    ids of all its games; once it is counted, what it has changed, by scope and seat."""

    id: str
    board: str
    at: int
    players: tuple[tuple[str, int], ...]
    deal: tuple[str, ...] = ()
    changes: Mapping[str, tuple[Change, ...]] = field(default_factory=dict)

    @property
    def place(self) -> tuple[int, str]:
        """Where in the order of games it belongs."""
        return self.at, self.id

    @property
    def scopes(self) -> tuple[str, ...]:
        """What it counts for."""
        return tuple(dict.fromkeys((OVERALL, self.board)))

    @property
    def names(self) -> list[str]:
        """What its players stand under: "SCOPE PLAYER"."""
        return [f"{scope} {player}" for scope in self.scopes for player, _ in self.players]

    def as_row(self) -> dict:
        """Return the game as it is kept, less its id."""
        row: dict = {"board": self.board, "at": self.at, "players": self.players}
        if self.deal:
            row["deal"] = self.deal
        if self.changes:
            row["changes"] = {scope: [[*change.before, change.mu, change.sigma] for change in rows]
                              for scope, rows in self.changes.items()}
        return row

    @staticmethod
    def of_row(game_id: str, row: Mapping) -> RatedGame:
        """Return the game that a row is kept of."""
        changes = {scope: tuple(Change(Standing(*before), mu, sigma)
                                for *before, mu, sigma in rows)
                   for scope, rows in row.get("changes", {}).items()}
        return RatedGame(game_id, row["board"], row["at"],
                         tuple((player, rank) for player, rank in row["players"]),
                         tuple(row.get("deal", ())), changes)
