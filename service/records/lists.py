"""Lists of recorded games, by creation, the newest first.

Each query goes along one index, that of the most selective filter, from a place on. The caller
checks all other filters with the heads, of which it reads a limited number (``page_of_newest``).
"""

from collections.abc import Mapping
from typing import Any

import orjson
import sqlalchemy as sa

from service.eventlog.histories import Place
from service.games.index import GameFilter
from service.records.tables import game, player, seat

Heads = tuple[Mapping[Place, Any], Place | None]


def newest_games(db: sa.Connection, which: GameFilter, below: Place, limit: int) -> Heads:
    """Return heads (``Records.newest``) by player, opponent or bot, else of all public games."""
    source: sa.FromClause = game.join(seat, seat.c.game == game.c.n)
    created, bot = seat.c.created, which.bot or which.built_in_opponent
    opponent = None if which.built_in_opponent else which.opponent
    if account := which.won_by or which.player or opponent:
        fits = seat.c.player == number_of(account)
        if which.won_by:
            fits = sa.and_(fits, seat.c.rank == 1)
    elif bot:
        fits = sa.and_(seat.c.bot == bot, seat.c.is_built_in)
    else:
        source, created, fits = game, game.c.created, game.c.is_listed
        if which.board:
            fits = sa.and_(fits, game.c.board == which.board)
    if which.since is not None:
        fits = sa.and_(fits, created >= which.since)
    return heads_of(db, sa.select(created, game.c.id, game.c.head).select_from(source).where(fits),
                  below, limit)


def number_of(account: str) -> sa.ScalarSelect[Any]:
    return sa.select(player.c.n).where(player.c.id == account).scalar_subquery()


def heads_of(db: sa.Connection, row: sa.Select[Any], below: Place, limit: int) -> Heads:
    """Return the heads that a query selects: time of creation, id, head. A game with several seats
    of a bot is selected several times."""
    (created, some_id, _), (at, last) = row.selected_columns, below
    rows = db.execute(row.where(created <= at, sa.or_(created < at, some_id < last))
                      .order_by(created.desc(), some_id.desc()).limit(limit)).all()
    texts = {(made, one): head for made, one, head in rows}
    return ({place: orjson.loads(text) for place, text in texts.items()},
            min(texts) if len(rows) == limit else None)


def notices_about_games(db: sa.Connection, account: str, since: int) -> set[str]:
    """Return an account's games that ended, and its own where an invitation was closed since."""
    over = sa.select(game.c.id).join_from(seat, game, seat.c.game == game.c.n).where(
        seat.c.player == number_of(account), seat.c.ended >= since)
    declined = sa.select(game.c.id).where(
        game.c.creator == account, game.c.declined.is_not(None), game.c.declined >= since)
    return {*db.scalars(over), *db.scalars(declined)}
