"""Delete games that were over before anybody had played."""

from collections.abc import Sequence

import sqlalchemy as sa

from domain.errors import BrokenHistory
from domain.game.state import FINISHED, State
from service import settings
from service.errors import UnknownThing
from service.eventlog.histories import Written
from service.games.games import Games
from service.records.keeping import KeptGames
from service.records.tables import game
from service.times import now_in_ms

BATCH_SIZE = 100  # games that are deleted in one transaction
DAY_MS = 86_400_000  # milliseconds
ACTION = b'{"action":'  # the start of the text of an entry with a player's action


def is_unplayed(state: State, history: Sequence[Written]) -> bool:
    """Return whether a game is over without a result, a player's action or a trace. Games of
    tournaments do not count, as these still refer to them, nor do aborts that are recorded
    (8.4)."""
    return (
        state.status == FINISHED
        and not state.results
        and state.terms.tournament is None
        and "aborted" not in state.left
        and not any(text.startswith(ACTION) for text, _ in history)
    )


def delete(games: Games) -> int:
    """Delete games that ended FOGG_FORGET_DAYS ago and that nobody has played, from Redis and from
    the records; return their number. Their lines in the public log stay."""
    before = now_in_ms() - int(settings.FORGET_DAYS.value() * DAY_MS)
    old = (
        sa.select(game.c.n, game.c.id)
        .where(game.c.is_unplayed, game.c.is_settled, game.c.ended < before)
        .limit(BATCH_SIZE)
    )
    with games.database.writing() as db:
        rows = db.execute(old).all()
        for row in rows:
            _forget(games, row.id)
        db.execute(sa.delete(game).where(game.c.n.in_([row.n for row in rows])))
    return len(rows)


def _forget(games: Games, game_id: str) -> None:
    """Remove a game from Redis, and remember that it was deleted, not lost."""
    try:
        over = games.get(game_id)
    except (UnknownThing, BrokenHistory):
        return
    kept = KeptGames(games.store)
    kept.forget(over)
    games.redis.zrem(kept.key(game_id), game_id)
    games.store.remove(game_id, over.state.version, over.hash)
