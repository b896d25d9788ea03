"""The boards that this service offers: its own, and those in the folder FOGG_BOARDS."""

from __future__ import annotations

import os

from domain.board.board import Board
from domain.boards import load_folder
from domain.errors import BrokenTable


def all_boards() -> dict[str, Board]:
    """Return the boards by id; raise BrokenTable for one that is wrong, or has another's id."""
    boards = load_folder()
    if folder := os.environ.get("FOGG_BOARDS"):
        for board in load_folder(folder).values():
            if board.id in boards:
                raise BrokenTable(f"{folder}: board", None, f"{board.id} is a board of Fogg's own")
            boards[board.id] = board
    return boards
