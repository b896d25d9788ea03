"""``fogg rebuild`` and ``fogg restore``: make the lists in Redis anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from redis import Redis

from domain.game.state import FINISHED
from service.games import index, listing
from service.store.batches import batches_of
from service.store.games import GameStore
from service.store.loaded import K
from service.store.store import Store
from service.store.tournaments import TournamentStore
from service.tournaments import index as tournaments_index

BATCH_SIZE = 500  # histories that are looked up in the database together
FORMER = ("{stats}:*", "{ratings}:*", "{log}:*")  # keys of versions without a database


def lists(
    games: GameStore, tournaments: TournamentStore, progress: Callable[[int], object]
) -> None:
    """Make the heads, lists and deadlines of all that is not recorded anew from the histories.
    ``progress`` gets the number of games so far. Broken histories stay where they are listed."""
    ids = set[str]()
    for game in _unrecorded(games):
        ids.add(game.state.id)
        (listing.relist if game.state.status == FINISHED else listing.move)(games, game.state.id)
        progress(len(ids))
    index.forget_others(games, ids | {*games.broken})
    for tournament in _unrecorded(tournaments):
        tournaments_index.rebuild(tournaments, tournament)


def _unrecorded(store: Store[K]) -> Iterator[K]:
    """Yield what is in Redis and not recorded, folded from its first entry, its head written."""
    for ids in batches_of(BATCH_SIZE, store.ids()):
        recorded = store.records.ends(ids)
        yield from store.refold_all(some_id for some_id in ids if some_id not in recorded)


def forget_former(redis: Redis) -> None:
    """Delete what versions without a database have kept in Redis, and copies of what is in the
    database, which the recorder makes anew."""
    for pattern in FORMER:
        for key in redis.scan_iter(pattern, count=1000):
            redis.delete(key)
