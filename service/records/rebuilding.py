"""``fogg rebuild``: rebuild everything that is computed from histories."""

from collections.abc import Callable, Iterable

from service.games.games import Games
from service.records import deriving
from service.records.keeping import Kept


def rebuild(games: Games, progress: Callable[[str], object] = lambda some_id: None) -> list[str]:
    """Rebuild everything that is computed from histories. Return the ids of broken histories, which
    stay as they are. ``progress`` gets the id of each game.

    Processes of the service may work meanwhile."""
    lists(games.kept, progress)
    faults = deriving.rebuild(games, progress)
    return [*games.broken, *(where for _, where, _ in faults)]


def lists(kept: Iterable[Kept], progress: Callable[[str], object] = lambda some_id: None) -> None:
    """Rebuild the heads and lists of what is not recorded, and compare all else with the records.
    Broken histories stay where they are listed. ``progress`` gets the id of each history."""
    for one in kept:
        one.recover(anew=True, progress=progress)
