"""Write a game to a file while it is played: a history that ``fogg verify`` checks."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from domain.board.board import Board
from domain.entry import NOTE_BYTES, SALT_BYTES, Step, entry_of, text_of
from domain.errors import FoggError
from domain.game.asked import asked
from domain.game.commands import Command, CreateGame
from domain.game.events import Event
from domain.game.fold import play
from domain.game.proof import Proof, Wrong
from domain.game.state import State
from domain.game.view import redacted
from service.times import now


class Damaged(FoggError):
    """A file of a run has a line that no run has written: its name, and why."""

    def __str__(self) -> str:
        return "{} is damaged: name another folder by --out ({})".format(*self.args)


class Record:
    """The history of one game, in a file with an entry in each line."""

    def __init__(self, file: Path):
        self._file = file
        self.entries: list[dict[str, Any]] = []

    @staticmethod
    def begun(file: Path, board: Board, create: CreateGame) -> tuple[Record, State]:
        """Return the record of a game and its last state: a new game, or that of a file. Raise
        Damaged if the file holds anything but this game."""
        record, proof = Record(file), Proof({board.digest: board})
        record.entries = lines_in(file) if file.exists() else []
        try:
            for entry in record.entries:
                proof.add(entry)
        except Wrong as wrong:
            raise Damaged(file, str(wrong)) from wrong
        if proof.state:
            if asked(None, record.entries[0])[1] != create:
                raise Damaged(file, "it is of another game")
            return record, proof.state
        events, state = play(State(board), None, create)
        file.write_text("")
        record.add(events, state)
        return record, state

    def add(
        self,
        events: Iterable[Event],
        state: State,
        seat: int | None = None,
        action: Command | None = None,
        note: str | None = None,
    ) -> None:
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
    *lines, rest = file.read_bytes().split(b"\n")
    try:
        values = [json.loads(line) for line in lines]
    except (ValueError, RecursionError) as error:
        raise Damaged(file, str(error)) from error
    if rest:
        os.truncate(file, file.stat().st_size - len(rest))
    return values


def as_note(text: str) -> str | None:
    """Return a text as a note of a history, cut to its limit; None if there is none."""
    kept = text.strip().encode(errors="replace")[:NOTE_BYTES].decode(errors="ignore")
    return kept or None
