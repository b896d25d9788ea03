"""When games count: at once, or, if their deal is played several times, once all games of the deal
are over, so that nothing reveals a deal that is still played."""

from __future__ import annotations

import sqlalchemy as sa

from domain.game.state import State
from service.games.games import Games
from service.games.visibility import is_duplicate, is_public
from service.records import ratings, statistics
from service.store.games import LoadedGame
from service.store.sql.tables import game, seat
from service.times import now_in_ms


def settle(db: sa.Connection, games: Games, n: int, over: LoadedGame) -> None:
    """Count a new game; if it ends its deal, all games of the deal, in the order in which they
    ended."""
    if not is_duplicate(over.state):
        count(db, games, n, over)
        return
    ids = over.state.deal
    rows = db.execute(sa.select(game.c.n, game.c.id).where(game.c.id.in_(ids), game.c.n <= n)
                      .order_by(game.c.ended, game.c.id)).all()
    if len(rows) < len(ids):
        return
    for number, some_id in rows:
        count(db, games, number, over if number == n else games.get(some_id))
    db.execute(sa.update(game).where(game.c.n.in_([number for number, _ in rows]))
               .values(is_settled=True))


def count(db: sa.Connection, games: Games, n: int, over: LoadedGame) -> None:
    """Count a game wherever it should: publish it, add it to the sums, rate it."""
    state = over.state
    if is_counted(state):
        publish(db, n)
        statistics.add_game(db, over)
    ratings.add_game(db, games, n, over)


def is_counted(state: State) -> bool:
    """Return whether a game counts for statistics once its deal is over: it has a result, everybody
    may see it then, and it is no fork."""
    return bool(state.results and state.fork is None
                and (is_public(state) or is_duplicate(state)))


def publish(db: sa.Connection, n: int) -> None:
    """Give a game its place among the games that everybody may read, for ever."""
    last = db.scalar(sa.select(sa.func.max(game.c.published))) or 0
    place = {"published": db.scalar(sa.select(game.c.published).where(game.c.n == n))
             or max(now_in_ms(), last + 1)}
    db.execute(sa.update(game).where(game.c.n == n).values(place))
    db.execute(sa.update(seat).where(seat.c.game == n).values(place))
