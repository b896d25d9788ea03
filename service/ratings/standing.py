"""Players' standings, rated games, and the changes by each game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import hypot
from typing import NamedTuple

from domain.skill import Skill
from service.accounts.bots import BUILT_IN
from service.games.strengths import OVERALL
from service.times import as_time

SETTLED_GAMES, SETTLED_SIGMA = 20, 6.0  # least games, largest sigma of a settled rating
RESIGNED, TIME, ABORTED = "resigned", "time", "aborted"  # why a seat has left
START_SIGMA = Skill().sigma
WIDER = START_SIGMA / 4  # sigma of the difference between a new version and the last one
LEVEL, SCALE = 10**9, 10**6  # ratings from -1000 on are points from 0 on


class Standing(NamedTuple):
    """A player's strength and record in a scope. ``shown`` is as in ``Skill``, ``last`` in
    milliseconds since 1970. The last three members count the games that the player has left, by
    reason."""

    mu: float = Skill().mu
    sigma: float = Skill().sigma
    games: int = 0
    wins: int = 0
    last: int = 0
    shown: float = 0.0
    resigned: int = 0
    timed_out: int = 0
    aborted: int = 0  # aborted after seeing tickets; not in ``games``

    @property
    def skill(self) -> Skill:
        """The part that the next game changes."""
        return Skill(self.mu, self.sigma, self.shown)

    @property
    def rating(self) -> float:
        """The strength that the player almost certainly exceeds, mu - 3 sigma."""
        return self.mu - 3 * self.sigma

    @property
    def is_provisional(self) -> bool:
        """Whether the rating is uncertain: after few games, after unequal ones, or against few
        players whose strength is known."""
        return self.games < SETTLED_GAMES or self.sigma > SETTLED_SIGMA or self.skill.proven < 1

    @property
    def points(self) -> int:
        """The rating as a whole number of at least 0."""
        return max(0, round(self.rating * SCALE) + LEVEL)

    def after(self, skill: Skill, has_won: bool, left: str, at: int) -> Standing:
        return Standing(
            skill.mu,
            skill.sigma,
            self.games + 1,
            self.wins + has_won,
            at,
            skill.shown,
            self.resigned + (left == RESIGNED),
            self.timed_out + (left == TIME),
            self.aborted,
        )

    def of_new_version(self, aborted: int) -> Standing:
        """Return the standing of a new version after this one: the same mu, a larger sigma."""
        return Standing(
            self.mu, min(START_SIGMA, hypot(self.sigma, WIDER)), shown=self.shown, aborted=aborted
        )

    def with_skill(self, skill: Skill) -> Standing:
        return self._replace(mu=skill.mu, sigma=skill.sigma, shown=skill.shown)


class Change(NamedTuple):
    """A game's change of a player in a scope: the standing before, mu and sigma after, the weight
    of the game (0 to 1), and the version that had played last, if it was another. ``own`` is the
    earlier strength of an older version that continues from the last one's."""

    before: Standing
    mu: float
    sigma: float
    weight: float
    last: str = ""
    own: Skill | None = None

    @property
    def undone(self) -> Standing:
        return self.before.with_skill(self.own) if self.own else self.before

    def as_undo(self) -> list:
        """Return the data that undoes the change, without the columns mu and sigma before."""
        return [*self.before[2:], self.last, self.own and [*self.own]]

    @staticmethod
    def of_row(before: Sequence, after: Sequence, undo: Sequence) -> Change:
        (mu, sigma, weight), (*rest, last, own) = after, undo
        return Change(Standing(*before, *rest), mu, sigma, weight, last, own and Skill(*own))


@dataclass(frozen=True)
class RatedGame:
    """The data needed to rate a game. ``at`` is when it counts, in milliseconds since 1970.
    ``players`` are in the order of seats, each with their rank, 0 if the game was aborted.
    ``deal`` has the ids of all games of a deal that is played several times. ``idle`` are the seats
    that have not played (``domain.skill.MOVES``), ``left`` says why seats have left. Once the game
    is counted, ``changes`` has its changes by scope and seat.

    ``rules`` is the version of the rules that rate the game. By version 2, the games of a deal are
    rated as one result: the last game has the players' ranks over the whole deal (``deal_ranks``).
    The other games have zeros there and change no rating."""

    id: str
    board: str
    at: int
    players: tuple[tuple[str, int], ...]
    deal: tuple[str, ...] = ()
    idle: tuple[int, ...] = ()
    left: Mapping[int, str] = field(default_factory=dict)
    changes: Mapping[str, tuple[Change, ...]] = field(default_factory=dict)
    rules: int = 1
    deal_ranks: tuple[int, ...] = ()

    @property
    def place(self) -> tuple[int, str]:
        """The place of the game in the order of games: (when it counts, id)."""
        return self.at, self.id

    @property
    def month(self) -> str:
        """The month in which the game counts: 2026-11, for example."""
        return as_time(self.at)[:7]

    @property
    def was_aborted(self) -> bool:
        """Whether the game was aborted: no rating changes, but the abort is counted."""
        return not self.players[0][1]

    @property
    def is_part(self) -> bool:
        """Whether another game of its deal is rated for this one."""
        return bool(self.deal_ranks) and not any(self.deal_ranks)

    @property
    def scopes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((OVERALL, self.board)))

    @cached_property
    def named(self) -> Mapping[str, list[str]]:
        """The names of the players in each scope. Since version 4, a built-in bot has an overall
        rating for each board, under PLAYER:BOARD, because it is weaker on some."""
        players = [player for player, _ in self.players]
        overall = (
            players
            if self.rules < 4
            else [
                f"{player}:{self.board}" if player.startswith(BUILT_IN) else player
                for player in players
            ]
        )
        return {self.board: players, OVERALL: overall}

    @property
    def names(self) -> list[str]:
        """The names of the standings that the game changes: "SCOPE PLAYER"."""
        return [f"{scope} {player}" for scope in self.scopes for player in self.named[scope]]

    def as_row(self) -> dict:
        """Return the stored form of the game, without its id and its changes."""
        if_any = {
            "deal": self.deal,
            "idle": self.idle,
            "left": {str(seat): reason for seat, reason in self.left.items()},
            "rules": self.rules if self.rules > 1 else None,
            "deal_ranks": self.deal_ranks,
        }
        return {"board": self.board, "at": self.at, "players": self.players} | {
            name: value for name, value in if_any.items() if value
        }

    @staticmethod
    def of_row(game_id: str, row: Mapping) -> RatedGame:
        return RatedGame(
            game_id,
            row["board"],
            row["at"],
            tuple((player, rank) for player, rank in row["players"]),
            tuple(row.get("deal", ())),
            tuple(row.get("idle", ())),
            {int(seat): reason for seat, reason in row.get("left", {}).items()},
            rules=row.get("rules", 1),
            deal_ranks=tuple(row.get("deal_ranks", ())),
        )
