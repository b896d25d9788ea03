"""A recorded game that can be replayed."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice, tee

from domain.board.board import Board
from domain.game.proof import Wrong, fold
from domain.game.state import State


@dataclass(frozen=True)
class Recording:
    """A game at each version: ``states[n - 1]`` is its state at version n."""

    entries: list[dict]
    states: list[State]
    wrong: Wrong | None = None  # the fault that ended it early

    @property
    def board(self) -> Board:
        return self.states[0].board

    def at(self, version: int | None) -> State:
        """Return the state at a version, or the last; raise LookupError if it does not exist."""
        last = len(self.states)
        if version is None:
            version = last
        if not 1 <= version <= last:
            raise LookupError(f"there is no version {version}; the last is {last}")
        return self.states[version - 1]


def recording_of(boards: dict[str, Board], entries: Iterable[dict]) -> Recording:
    """Return a recording of a history, without the entries from the first one that does not fold.
    Raise Wrong if that is the first entry of the game."""
    entries, kept = tee(entries)
    states, wrong = [], None
    try:
        for state in fold(boards, entries):
            states.append(state)
    except Wrong as error:
        wrong = error
    if not states:
        raise wrong or Wrong(1, "empty", "there is no entry")
    return Recording([*islice(kept, len(states))], states, wrong)
