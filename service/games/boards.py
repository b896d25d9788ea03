"""The boards that this service offers, Fogg's own and those in the folder FOGG_BOARDS; and all
boards that games were ever started on."""

import os
from functools import cache

from domain.board.board import Board
from domain.boards import boards_by_digest, load_folder
from domain.errors import BrokenTable
from service import settings
from service.games.store import GameStore

_of_our_own = cache(boards_by_digest)


def all_boards() -> dict[str, Board]:
    """Return the boards by id; raise BrokenTable for one that is wrong, or has another's id."""
    boards = load_folder()
    if folder := settings.BOARDS.value():
        if not os.path.isdir(folder):
            raise BrokenTable("FOGG_BOARDS", None, f"there is no folder {folder}")
        for board in load_folder(folder).values():
            if board.id in boards:
                raise BrokenTable(f"{folder}: board", None, f"{board.id} is a board of Fogg's own")
            boards[board.id] = board
    return boards


def board_by_digest(store: GameStore, digest: str) -> Board | None:
    """Return the board whose table has a digest, None if it is unknown. Search the offered boards,
    earlier versions of Fogg's own, and those of the games in this store."""
    offered = {board.digest: board for board in store.boards.values()}
    return offered.get(digest) or _of_our_own().get(digest) or store.kept_table(digest)
