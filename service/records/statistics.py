"""The sums over published games: results of players, routes and tickets, players' paces, and what
each two players have played against each other."""

from __future__ import annotations

import sqlalchemy as sa

from service.store.games import LoadedGame


def add_game(db: sa.Connection, over: LoadedGame) -> None:
    """Add a published game to all sums."""
