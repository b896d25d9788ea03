"""When games count: at once, or, if their deal is played several times, once all games of the deal
are over, so that nothing reveals a deal that is still played."""

from collections.abc import Sequence

import sqlalchemy as sa

from service.games.games import Games
from service.records.projection import Projection, RecordedGame
from service.records.tables import BIG, game, seat
from service.times import now_in_ms

_other = game.alias()
_last = sa.select(sa.func.coalesce(sa.func.max(_other.c.published), 0)).scalar_subquery()
_now, _this = sa.bindparam("now", type_=BIG), sa.bindparam("of_game", type_=BIG)
PUBLISH = (
    sa.update(game)
    .where(game.c.n == _this, game.c.published.is_(None))
    .values(published=sa.case((_last < _now, _now), else_=_last + 1))
)
PUBLISH_SEATS = (
    sa.update(seat)
    .where(seat.c.game == _this)
    .values(published=sa.select(_other.c.published).where(_other.c.n == _this).scalar_subquery())
)


def settle(db: sa.Connection, games: Games, hooks: Sequence[Projection], new: RecordedGame) -> None:
    """Count a new game; if it ends its deal, all its games in the order in which they ended."""
    if new.is_settled:
        count(db, hooks, new)
        return
    ids = new.over.state.terms.deal
    rows = db.execute(
        sa.select(game.c.n, game.c.id, game.c.is_imported)
        .where(game.c.id.in_(ids), game.c.n <= new.n)
        .order_by(game.c.ended, game.c.id)
    ).all()
    if len(rows) < len(ids):
        return
    for row in rows:
        over = new.over if row.n == new.n else games.get(row.id)
        count(db, hooks, RecordedGame(row.n, over, row.is_imported, is_settled=True))
    db.execute(sa.update(game).where(game.c.n.in_([row.n for row in rows])).values(is_settled=True))


def count(db: sa.Connection, hooks: Sequence[Projection], one: RecordedGame) -> None:
    """Count a game wherever it should, and publish it."""
    if one.is_counted:
        publish(db, one.n)
    for hook in hooks:
        hook.count(db, one)


def publish(db: sa.Connection, n: int) -> None:
    """Give a game its place among the games that everybody may read, for ever."""
    places = {"of_game": n, "now": now_in_ms()}
    db.execute(PUBLISH, places)
    db.execute(PUBLISH_SEATS, places)
