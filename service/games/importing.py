"""Import finished games: each is checked and stored as a whole, or not at all."""

from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from domain.board.board import Board
from domain.entry import canonical
from domain.errors import FoggError
from domain.game.difference import short
from domain.game.proof import Proof, Wrong
from domain.game.state import FINISHED
from service.games import listing
from service.games.marks import Marks
from service.games.store import GameStore, LoadedGame
from service.times import in_ms, now, now_in_ms

AHEAD_MS = 3_600_000  # milliseconds by which the clock of another service may be ahead
LONGEST_PLAYER = 1_000  # characters of all members; each list of games repeats them


class NotImported(FoggError):
    """The history cannot be imported here; ``code`` says why."""

    def __init__(self, code: str, reason: str):
        super().__init__(reason)
        self.code = code


def put(store: GameStore, boards: Mapping[str, Board], entries: Iterable[dict]) -> tuple[str, bool]:
    """Import the entries of a finished game; return its id and whether it is new.

    ``boards`` are by digest. The stored bytes are those that the hashes cover. Raise Wrong for an
    invalid history, NotImported for a valid one that cannot be stored here."""
    proof = Proof(boards)
    history: list[tuple[bytes, str]] = []
    times: list[str] = []
    for entry in entries:
        proof.add(entry)
        if not 0 <= in_ms(entry["at"]) <= now_in_ms() + AHEAD_MS:
            raise Wrong(proof.version, "clock", f"at is {entry['at']}, not from 1970 to {now()}")
        history.append((proof.text, proof.hash))
        times = [*times[:1], entry["at"]]
    state = proof.state
    if state is None or state.status != FINISHED:
        raise Wrong(proof.version + 1, "unfinished", "the history ends here, the game does not")
    if proof.unknown:  # unknown members would be shown to others
        raise NotImported(
            "unknown-members",
            "has members of entries that this Fogg does not know: " + short(sorted(proof.unknown)),
        )
    if not store.is_id(state.id):
        raise NotImported("game-id", f"{state.id!r} is no id that a game has here"[:200])
    for player in filter(None, state.players):
        said = "".join(map(str, player.as_json().values()))
        if "\0" in said or len(said) > LONGEST_PLAYER:
            raise NotImported("player", f"{short(player.name)} is no player that lists can show")
    _check_text(history)
    game, is_new = LoadedGame(state, proof.hash, created=times[0], updated=times[-1]), False
    if not store.has(state.id):
        store.keep_table(state.board)
        Marks(store.redis).mark(state.id, state.version)  # in case this process dies
        is_new = store.put(game, history)
    if is_new:
        listing.project(store, store.refold(state.id))
    elif list(store.entries(state.id)) != history:
        raise NotImported("another-game", f"{state.id} is here already, with another history")
    return state.id, is_new


def known_boards(store: GameStore, more: Iterable[Board] = ()) -> Mapping[str, Board]:
    """Return the boards on which histories can be checked: those that the service offers, those in
    ``more``, and every stored table of a game."""
    return _Boards(store, {board.digest: board for board in (*store.boards.values(), *more)})


class _Boards(dict[str, Board]):
    """Boards by digest. A missing one is looked up among the stored tables."""

    def __init__(self, store: GameStore, boards: dict[str, Board]):
        super().__init__(boards)
        self._store = store

    def get(self, digest: str, default: Any = None) -> Any:
        is_new = isinstance(digest, str) and digest not in self
        if is_new and (board := self._store.kept_table(digest)):
            return board
        return super().get(digest, default)


def _check_text(history: list[tuple[bytes, str]]) -> None:
    """Raise NotImported unless each text is canonical JSON, which is written as it was read."""
    for text, _ in history:
        try:
            is_same = canonical(orjson.loads(text)) == text
        except ValueError:
            is_same = False
        if not is_same:
            raise NotImported("another-text", "an entry would not be stored as it is")
