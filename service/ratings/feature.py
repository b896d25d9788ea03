"""Ratings as the rest of the service uses them: what the recorder counts, and how strong players
are."""

from collections.abc import Iterable, Iterator, Sequence

import sqlalchemy as sa

from domain.codec import Json
from domain.game.clock import Clock
from domain.game.commands import Player
from domain.game.state import State
from domain.skill import RATING_RULES
from service.accounts.versions import version_id
from service.feature import Feature, Services
from service.games.games import Games
from service.games.strengths import Place, Strengths
from service.ratings import leaderboards, opponents, present, ratings
from service.ratings.opponents import Opponents
from service.ratings.rating_rules import clock_unrated_because, unrated_because
from service.records.comparing import Transaction
from service.records.projection import Fault, Progress, Projection, RecordedGame, named
from service.records.tables import rated, standing


class Ratings(Projection):
    """The rated games, and the ratings that are their fold."""

    code, parts = "ratings-differ", (rated,)

    def count(self, db: sa.Connection, one: RecordedGame) -> None:
        if new := ratings.rated_game_of(db, one.over, one.is_imported):
            ratings.rate(db, one.n, new)

    def after(self, recorded: int) -> None:
        """Continue to count all games again, if that was begun; copy ratings to Redis."""
        ratings.step(self.games.database)
        present.copy(self.games.redis, self.games.database)

    def rows(self, db: sa.Connection, one: RecordedGame) -> dict[sa.Table, list[Json]]:
        new = one.is_settled and ratings.rated_game_of(db, one.over, one.is_imported)
        return {rated: [ratings.row_of_game(one.n, new)] if new else []}

    def differences(self, transaction: Transaction, progress: Progress) -> Iterator[Fault]:
        if names := ratings.differences(self.games.database):
            yield self.code, standing.name, named(names)

    def finish(self) -> None:
        """Count all rated games again, in a generation of its own."""
        ratings.recount(self.games.database)
        self.games.redis.delete(present.KEY)  # the recorder copies all again

    def about_games(self, db: sa.Connection, ids: Sequence[str]) -> dict[str, Json]:
        return {
            game_id: {"ratings": rows}
            for game_id, rows in leaderboards.ratings_before(db, ids).items()
        }


class RatedStrengths(Strengths):
    """How strong players are by their ratings."""

    def __init__(self, games: Games):
        self._games = games

    def unrated_because(self, state: State) -> str:
        return unrated_because(state)

    def unrated_clock(self, clock: Clock, built_in: Iterable[str]) -> str:
        return clock_unrated_because(clock, built_in, RATING_RULES)

    def overall(self, player: Player) -> float:
        return present.rating(self._games.redis, version_id(player))

    def have_played(self, one: str, other: str) -> bool:
        with self._games.database.reading() as db:
            return opponents.have_played(db, one, other)

    def mus(self, versions: Sequence[str]) -> list[float]:
        return present.strengths(self._games.redis, versions)

    def standings(self, scope: str, players: Sequence[Player]) -> list[tuple[int, Place]]:
        with self._games.database.reading() as db:
            stands = leaderboards.standings(db, scope, [version_id(one) for one in players])
        return [
            (
                one.points,
                {
                    **leaderboards.rating_of(one),
                    "games": one.games,
                    "provisional": one.is_provisional,
                },
            )
            for one in stands
        ]


def _build(services: Services) -> None:
    games = services.games
    games.projections += Opponents, Ratings
    games.strengths = RatedStrengths(games)


FEATURE = Feature("ratings", _build)
