"""Ratings as the recorder counts them."""

from __future__ import annotations

from collections.abc import Iterator

import sqlalchemy as sa

from domain.codec import Json
from service.records import present, ratings
from service.records.projection import Fault, Progress, Projection, RecordedGame, named
from service.store.sql.tables import rated, standing


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

    def differences(self, db: sa.Connection, progress: Progress) -> Iterator[Fault]:
        if names := ratings.differences(db):
            yield self.code, standing.name, named(names)

    def finish(self) -> None:
        """Count all rated games again, in a generation of its own."""
        ratings.recount(self.games.database)
