"""The public log: a line for each game that was begun and is over (docs/fairness.md)."""

from __future__ import annotations

import sqlalchemy as sa

from domain.log import EMPTY, Head, line_after
from service.games.games import Games
from service.games.visibility import is_public
from service.records.tables import game, log
from service.store.games import LoadedGame


def add_line(db: sa.Connection, games: Games, n: int, over: LoadedGame) -> None:
    """Add the line of a game, unless it was imported or never begun. A private game has a line
    without its id, as the hash of its last entry reveals nothing."""
    if not over.state.was_begun or db.scalar(
            sa.select(game.c.is_imported).where(game.c.n == n)):
        return
    line = line_after(head(db), over.hash, over.state.id if is_public(over.state) else None)
    db.execute(sa.insert(log).values(
        n=line["n"], game=line.get("game"), last_hash=bytes.fromhex(over.hash),
        hash=bytes.fromhex(line["hash"])))


def head(db: sa.Connection) -> Head:
    """Return the end of the log: the number and the hash of its last line."""
    last = db.execute(sa.select(log.c.n, log.c.hash).order_by(log.c.n.desc()).limit(1)).first()
    return Head(last.n, last.hash.hex()) if last else EMPTY
