"""``fogg rebuild``: make everything that follows from histories anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from domain.game.state import FINISHED
from service.games import index, listing
from service.games.games import Games
from service.games.marks import Marks
from service.records import deriving, keeping
from service.store.batches import batches_of
from service.store.games import GameStore
from service.store.loaded import K
from service.store.store import Store
from service.store.tournaments import TournamentStore
from service.tournaments import index as tournaments_index

BATCH_SIZE = 500  # histories that are looked up in the database together
# keys of versions without a database, and a copy of ratings that the recorder makes anew
FORMER = ("{stats}:*", "{ratings}:*", "{log}:*")


def rebuild(games: Games, progress: Callable[[str], object] = lambda some_id: None) -> list[str]:
    """Make everything that follows from histories anew; return the ids of those that are broken,
    which stay as they are. ``progress`` gets the id of each game.

    Processes of the service may work meanwhile."""
    for pattern in FORMER:
        for key in games.redis.scan_iter(pattern, count=1000):
            games.redis.delete(key)
    lists(games.store, games.tournaments, progress)
    keeping.recover(games)
    faults = deriving.rebuild(games, progress)
    return [*games.store.broken, *games.tournaments.broken, *(where for _, where, _ in faults)]


def lists(
    games: GameStore, tournaments: TournamentStore, progress: Callable[[str], object]
) -> None:
    """Make the heads and lists of all that is not recorded anew. Broken histories stay where they
    are listed."""
    ids = set[str]()
    for game in _unrecorded(games):
        ids.add(game.state.id)
        listing.move(games, game.state.id)
        if game.state.status != FINISHED:
            Marks(games.redis).mark_uncertain(game.state.id)  # the sweep notes its deadline
        progress(game.state.id)
    index.forget_others(games, ids | {*games.broken})
    for tournament in _unrecorded(tournaments):
        tournaments_index.rebuild(tournaments, tournament)


def _unrecorded(store: Store[K]) -> Iterator[K]:
    """Yield what is in Redis and not recorded, folded from its first entry, its head written."""
    for ids in batches_of(BATCH_SIZE, store.ids()):
        recorded = store.records.ends(ids)
        yield from store.refold_all(some_id for some_id in ids if some_id not in recorded)
