"""``fogg rebuild``: make everything that follows from histories anew."""

from __future__ import annotations

from collections.abc import Callable

from domain.game.state import FINISHED
from service.games import index, listing
from service.games.games import Games
from service.games.marks import Marks
from service.records import deriving, log
from service.records.keeping import KeptGames, KeptTournaments
from service.store.games import GameStore
from service.store.tournaments import TournamentStore
from service.tournaments import index as tournaments_index

# keys of versions without a database, and a copy of ratings that the recorder makes anew
FORMER = ("{stats}:*", "{ratings}:*", "{log}:*", "{g:*}:rematch")


def rebuild(games: Games, progress: Callable[[str], object] = lambda some_id: None) -> list[str]:
    """Make everything that follows from histories anew; return the ids of those that are broken,
    which stay as they are. ``progress`` gets the id of each game.

    Processes of the service may work meanwhile."""
    log.take_over(games)
    for pattern in FORMER:
        for key in games.redis.scan_iter(pattern, count=1000):
            games.redis.delete(key)
    in_redis(games, progress)
    faults = deriving.rebuild(games, progress)
    return [*games.store.broken, *games.tournaments.broken, *(where for _, where, _ in faults)]


def in_redis(games: Games, progress: Callable[[str], object] = lambda some_id: None) -> None:
    """Make everything in Redis anew that follows from histories and from what is recorded."""
    lists(games.store, games.tournaments, progress)
    for kept in (KeptGames(games), KeptTournaments(games.tournaments)):
        kept.recover()


def lists(
    games: GameStore, tournaments: TournamentStore, progress: Callable[[str], object]
) -> None:
    """Make the heads and lists of all that is not recorded anew. Broken histories stay where they
    are listed."""
    ids = set[str]()
    for game in games.refold_unrecorded():
        ids.add(game.state.id)
        listing.move(games, game.state.id)
        if game.state.status != FINISHED:
            Marks(games.redis).mark_uncertain(game.state.id)  # the sweep notes its deadline
        progress(game.state.id)
    index.forget_others(games, ids | {*games.broken})
    tournaments_index.rebuild(tournaments)
