"""Finished games from elsewhere, put where the service's own are: whole, checked, or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from domain.board.board import Board
from domain.entry import canonical
from domain.errors import FoggError
from domain.game.difference import short
from domain.game.proof import Proof, Wrong
from domain.game.state import FINISHED
from service.games.marks import Marks
from service.projections import projecting
from service.store.games import GameStore, KnownGame


class NotImported(FoggError):
    """A history that cannot become a game here; ``code`` says why."""

    def __init__(self, code: str, reason: str):
        super().__init__(reason)
        self.code = code


def put(store: GameStore, boards: Mapping[str, Board], entries: Iterable[dict]) -> tuple[str, bool]:
    """Make a finished game's entries a game of this service; return its id and whether it is new.

    ``boards`` are by digest. The bytes that are stored are those which the hashes cover. Raise
    Wrong for a history that is not right, NotImported for one that has no place here.
    """
    proof = Proof(boards)
    history: list[tuple[bytes, str]] = []
    times: list[str] = []
    for entry in entries:
        proof.add(entry)
        history.append((proof.text, proof.hash))
        times = [*times[:1], entry["at"]]
    state = proof.state
    if state is None or state.status != FINISHED:
        raise Wrong(proof.version + 1, "unfinished", "the history ends here, the game does not")
    if proof.unknown:  # they would be shown to others
        raise NotImported("unknown-members", "has members of entries that this Fogg does not know: "
                          + short(sorted(proof.unknown)))
    if not store.is_id(state.id):
        raise NotImported("game-id", f"{state.id!r} is no id that a game has here"[:200])
    _check_text(history)
    is_new = False
    if not store.has(state.id):
        store.keep_table(state.board)
        Marks(store.redis).unfiled(state.id, state.version)  # should this process die
        game = KnownGame(state, proof.hash, created=times[0], updated=times[-1])
        is_new = store.put(game, history)
    if not is_new and list(store.entries(state.id)) != history:
        raise NotImported("another-game", f"{state.id} is here already, with another history")
    projecting.project(store.redis, store.refold(state.id))
    return state.id, is_new


def known_boards(store: GameStore, more: Iterable[Board] = ()) -> Mapping[str, Board]:
    """Return the boards that histories can be checked on: those offered, those given, and every
    table that some game here was started with."""
    return _Boards(store, {board.digest: board for board in (*store.boards.values(), *more)})


class _Boards(dict[str, Board]):
    """Boards by digest; one that is not there is looked for among the tables that are kept."""

    def __init__(self, store: GameStore, boards: dict[str, Board]):
        super().__init__(boards)
        self._store = store

    def get(self, digest: str, default: Any = None) -> Any:
        is_new = isinstance(digest, str) and digest not in self
        if is_new and (board := self._store.kept_table(digest)):
            return board
        return super().get(digest, default)


def _check_text(history: list[tuple[bytes, str]]) -> None:
    """Make sure that what is to be stored is read as what it was, and would be written alike."""
    for text, _ in history:
        try:
            is_same = canonical(orjson.loads(text)) == text
        except ValueError:
            is_same = False
        if not is_same:
            raise NotImported("another-text", "an entry would not be stored as it is")
