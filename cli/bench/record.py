"""Write a game to a file while it is played: a history that ``fogg verify`` checks."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cli.recorded.recording import recording_of
from domain.board.board import Board
from domain.entry import NOTE_BYTES, SALT_BYTES, Step, entry_of, text_of
from domain.errors import FoggError
from domain.game.commands import Command, CreateGame
from domain.game.events import Event
from domain.game.fold import play
from domain.game.state import State
from domain.game.view import redacted
from service.times import now


class Damaged(FoggError):
    """A file of a run has a line that no run has written."""


class Record:
    """The history of one game, in a file with an entry in each line."""

    def __init__(self, file: Path):
        self._file = file
        self.entries: list[dict[str, Any]] = []

    @staticmethod
    def begun(file: Path, board: Board, create: CreateGame) -> tuple[Record, State]:
        """Return the record of a game and its last state: a new game, or that of a file."""
        record = Record(file)
        if file.exists():
            lines = lines_in(file)
            if lines:
                recording = recording_of({board.digest: board}, lines)
                record.entries = recording.entries
                return record, recording.at(None)
        events, state = play(State(board), None, create)
        file.write_text("")
        record.add(events, state)
        return record, state

    def add(self, events: Iterable[Event], state: State, seat: int | None = None,
            action: Command | None = None, note: str | None = None) -> None:
        """Append the entry that has led to a state."""
        salt = self.entries[0]["salt"] if self.entries else secrets.token_hex(SALT_BYTES)
        before = self.entries[-1]["hash"] if self.entries else ""
        step = Step(now(), [*events], seat, action.as_json() if action else None, note)
        line = text_of(entry_of(step, state.version, salt, before))
        self.entries.append(json.loads(line))  # as a later run reads it
        with self._file.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    def seen_by(self, seat: int) -> list[dict[str, Any]]:
        """Return the entries as a seat may see them while the game goes on."""
        return [dict(redacted(entry, seat, False)) for entry in self.entries]


def lines_in(file: Path) -> list[dict[str, Any]]:
    """Return the values of a file's lines; remove a last line that was not written whole."""
    text = file.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        file.write_text(whole, encoding="utf-8")
    try:
        return [json.loads(line) for line in whole.splitlines()]
    except ValueError as error:
        raise Damaged(f"{file} is damaged: name another folder by --out ({error})") from error


def as_note(text: str) -> str | None:
    """Return a text as a note of a history, cut to its limit; None if there is none."""
    kept = text.strip().encode(errors="replace")[:NOTE_BYTES].decode(errors="ignore")
    return kept or None
