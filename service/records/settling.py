"""When games count: at once, or, if their deal is played several times, once all games of the deal
are over, so that nothing reveals a deal that is still played."""

from __future__ import annotations

import sqlalchemy as sa

from domain.game.state import State
from service.games.games import Games
from service.games.visibility import is_duplicate, is_public
from service.records import ratings, statistics
from service.store.games import LoadedGame
from service.store.sql.tables import BIG, game, seat
from service.times import now_in_ms

_other = game.alias()
_last = sa.select(sa.func.coalesce(sa.func.max(_other.c.published), 0)).scalar_subquery()
_now, _this = sa.bindparam("now", type_=BIG), sa.bindparam("of_game", type_=BIG)
PUBLISH = sa.update(game).where(game.c.n == _this, game.c.published.is_(None)).values(
    published=sa.case((_last < _now, _now), else_=_last + 1))
PUBLISH_SEATS = sa.update(seat).where(seat.c.game == _this).values(
    published=sa.select(_other.c.published).where(_other.c.n == _this).scalar_subquery())


def settle(
    db: sa.Connection, games: Games, n: int, over: LoadedGame, is_imported: bool
) -> None:
    """Count a new game; if it ends its deal, all games of the deal, in the order in which they
    ended."""
    if not is_duplicate(over.state):
        count(db, n, over, is_imported)
        return
    ids = over.state.terms.deal
    rows = db.execute(sa.select(game.c.n, game.c.id, game.c.is_imported).where(
        game.c.id.in_(ids), game.c.n <= n).order_by(game.c.ended, game.c.id)).all()
    if len(rows) < len(ids):
        return
    for row in rows:
        count(db, row.n, over if row.n == n else games.get(row.id), row.is_imported)
    db.execute(sa.update(game).where(game.c.n.in_([row.n for row in rows])).values(is_settled=True))


def count(db: sa.Connection, n: int, over: LoadedGame, is_imported: bool) -> None:
    """Count a game wherever it should: publish it, add it to the sums, rate it."""
    if is_counted(over.state):
        publish(db, n)
        statistics.add_game(db, over)
    if rated := ratings.rated_game_of(db, over, is_imported):
        ratings.rate(db, n, rated)


def is_counted(state: State) -> bool:
    """Return whether a game counts for statistics once its deal is over: it has a result, everybody
    may see it then, and it is no fork."""
    return bool(state.results and state.fork is None
                and (is_public(state) or is_duplicate(state)))


def publish(db: sa.Connection, n: int) -> None:
    """Give a game its place among the games that everybody may read, for ever."""
    places = {"of_game": n, "now": now_in_ms()}
    db.execute(PUBLISH, places)
    db.execute(PUBLISH_SEATS, places)
