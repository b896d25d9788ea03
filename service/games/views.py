"""The views of a game at many of its versions, folded once."""

from collections.abc import Iterator

from domain.game.legal import Listed
from service.games import rollbacks
from service.games.store import LoadedGame
from service.games.visibility import Viewer
from service.slices import Slices


def views(
    looking: Viewer, after: int, listed: Listed = "false", known: LoadedGame | None = None
) -> Iterator[dict]:
    """Yield the view after each entry after a version, up to the game that the viewer looks at:
    what ``Viewer.view_at`` shows of that version. Fold on from ``known``, an earlier state of the
    game that is at most at that version; without it, from the first entry. Raise HistoryLost if the
    game was rolled back meanwhile."""
    game, store, slices = looking.game, looking.games.store, Slices()
    game_id, version = game.state.id, game.state.version
    if after + 1 >= version:
        yield from [looking.view(listed)][: version - after]
        return
    rows = store.entries(game_id, known.state.version if known else 0, version)
    for was in store.fold_entries(rows, known):
        known = was
        if was.state.version > after:
            yield looking.view_at(was, listed)
        slices.pause()
    if known is None or known.hash != game.hash:
        rollbacks.refuse_if_rolled_back(game, looking.games.get(game_id))
