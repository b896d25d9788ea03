"""The ratings: a fold of the rated games in their order (docs/ratings.md)."""

from __future__ import annotations

import sqlalchemy as sa

from service.games.games import Games
from service.store.games import LoadedGame


def add_game(db: sa.Connection, games: Games, n: int, over: LoadedGame) -> None:
    """Rate a game, if it is rated."""
