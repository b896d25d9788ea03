"""``fogg rebuild``: make everything that follows from histories anew."""

from __future__ import annotations

from collections.abc import Callable

from service.games import index
from service.games.games import Games
from service.records import deriving, log
from service.records.keeping import KeptGames, KeptTournaments
from service.store.games import GameStore
from service.store.tournaments import TournamentStore

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
    lists(games.store, games.tournaments, progress)
    faults = deriving.rebuild(games, progress)
    return [*games.store.broken, *games.tournaments.broken, *(where for _, where, _ in faults)]


def lists(
    games: GameStore, tournaments: TournamentStore,
    progress: Callable[[str], object] = lambda some_id: None,
) -> None:
    """Make the heads and lists of all in Redis anew that is not recorded, and compare the rest with
    the records. Broken histories stay where they are listed."""
    KeptGames(games).recover(anew=True, progress=progress)
    index.forget_others(games)
    KeptTournaments(tournaments).recover(anew=True)
