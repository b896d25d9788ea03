"""A recorded game that can be gone through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from domain.board.board import Board
from domain.game.proof import Wrong, fold
from domain.game.state import State


@dataclass(frozen=True)
class Recording:
    """A game that can be gone through: ``states[n - 1]`` is how it was at version n."""

    entries: list[dict]
    states: list[State]
    wrong: Wrong | None = None  # what made it end early

    @property
    def board(self) -> Board:
        return self.states[0].board

    def at(self, version: int | None) -> State:
        """Return the state at a version, the last if none is named; raise LookupError if there is
        none."""
        last = len(self.states)
        if version is None:
            version = last
        if not 1 <= version <= last:
            raise LookupError(f"there is no version {version}; the last is {last}")
        return self.states[version - 1]


def recording_of(boards: dict[str, Board], entries: Iterable[dict]) -> Recording:
    """Return a recording of a history, as far as it can be folded; raise Wrong where that is
    nowhere."""
    kept: list[dict] = []

    def entries_kept() -> Iterator[dict]:
        for entry in entries:
            kept.append(entry)
            yield entry

    states, wrong = [], None
    try:
        for state in fold(boards, entries_kept()):
            states.append(state)
    except Wrong as error:
        wrong = error
    if not states:
        raise wrong or Wrong(1, "empty", "there is no entry")
    return Recording(kept[: len(states)], states, wrong)
