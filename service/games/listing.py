"""Keep the lists and deadlines of games up to date with their histories. All other data about
finished games is derived from their records (``service.records``)."""

import re

from redis import ResponseError

from domain.game.state import State
from service.eventlog.steps import Steps
from service.games import index
from service.games.marks import Marks
from service.games.store import GameStore, LoadedGame

# the names of the keys that are derived from histories and the database: backups leave them out
DERIVED = re.compile(
    r"\{(games:[^}]*|ratings)\}:.*|tournaments(:.*)?"
    r"|player:[^:]*:(games|current|over|invited|declined|organised|entered|announced)"
)


def project(
    store: GameStore, game: LoadedGame, was: State | None = None, steps: Steps | None = None
) -> None:
    """Update the lists after a game's last entry, and notify its players; first do what waits in
    ``steps``. ``was`` is the state before, which shows who has left. It is idempotent; if a crash
    interrupts it, the sweep repeats it. If another process may have listed a later version at the
    same time, list the game again."""

    def check(is_current: int) -> None:
        if not is_current:
            relist(store, game.state.id, game.state)

    steps = steps or Steps(store.redis)
    index.add_steps(steps, game, was, on_answer=check)
    try:
        steps.execute()
    except ResponseError:  # perhaps not of the command that removes the mark
        Marks(store.redis).mark(game.state.id, game.state.version)
        raise


def relist(store: GameStore, game_id: str, was: State | None = None) -> None:
    """Put a game into the lists where it belongs, even if they have it at a later status."""
    steps = Steps(store.redis)
    index.add_steps(steps, store.load(game_id), was, anew=True)
    steps.execute()


def move(store: GameStore, game_id: str, was: State | None = None) -> None:
    """Move a game back from the lists of a later status. It may wait for a bot again."""
    marks = Marks(store.redis)
    marks.mark_uncertain(game_id)
    relist(store, game_id, was)
    marks.schedule_check(game_id)
