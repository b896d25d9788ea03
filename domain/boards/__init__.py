"""The boards that Fogg ships (``*.json`` in this folder), and how a table becomes a board.

A table is a JSON file: numbers, cards, locations, routes, tickets, and the names of the rules that
the board adds to the common ones. ``load`` checks it and names the place of each fault.
"""

import json
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path

from domain.board import reading
from domain.board.board import Board
from domain.board.table import Table
from domain.errors import BrokenTable
from domain.rules import RULES, ruleset
from domain.rules.rule import Rule
from domain.shown import Showing

FOLDER = Path(__file__).parent
FORMER = FOLDER / "former"  # tables before a correction, for the games played on them


def load(path: Path | str) -> Board:
    """Return the board in a table file; raise BrokenTable with the line of the fault.

    A table's ``map`` may name another table in the same folder; its locations and routes are used.
    """
    return _read(Path(path), is_offered=True)


def check(path: Path | str) -> Board:
    """Return the board of a new table file; checks that older tables are exempt from apply."""
    return _read(Path(path), is_new=True, is_offered=True)


def load_folder(folder: Path | str = FOLDER) -> dict[str, Board]:
    return {board.id: board for board in _boards_in(Path(folder), is_offered=True)}


def boards_by_digest(folders: Iterable[str] = ()) -> dict[str, Board]:
    """Return boards by digest: Fogg's own, with former versions, and those in folders. Raise
    BrokenTable for a faulty one. Tables of former games may exceed the limits on work."""
    return {
        board.digest: board
        for folder in (FOLDER, FORMER, *map(Path, folders))
        for board in _boards_in(folder)
    }


def _boards_in(folder: Path, *, is_offered: bool = False) -> list[Board]:
    return _shipped(folder) if folder in (FOLDER, FORMER) else _loaded(folder, is_offered)


def _loaded(folder: Path, is_offered: bool = False) -> list[Board]:
    return [_read(path, is_offered=is_offered) for path in sorted(folder.glob("*.json"))]


_shipped = cache(_loaded)  # the shipped files do not change while a process runs


def parse(
    text: str,
    folder: Path = FOLDER,
    *,
    is_new: bool = False,
    is_offered: bool = False,
    rules: Iterable[Rule] = RULES,
) -> Board:
    """Return the board that a table's text describes; raise BrokenTable with all faults. With
    ``is_new``, unknown members and useless tickets and routes are faults; with ``is_offered``, what
    asks for too much work in new games is. In older tables, on which games were played, neither is.
    The table may name any of these ``rules``: ``(*RULES, RULE)`` tries out a rule that is not in
    ``domain/rules``."""
    table = Table(text)
    place = _map_of(table, folder)
    content = {name: value for name, value in table.value.items() if name != "map"} | {
        name: place.value[name] for name in ("locations", "routes") if name in place.value
    }
    known = ruleset((), rules)
    facts = reading.facts(table, known.names, known.tie_breaks)
    in_force = ruleset(facts.get("rules", ()), rules)
    facts["settings"] = reading.settings(table, in_force)
    places = reading.ids(place)
    facts |= place.all_of(
        {"locations": lambda place: reading.locations(place.member("locations"), in_force)}
    )
    if {"cards", "points"} <= facts.keys():
        facts |= place.all_of(
            {
                "routes": lambda place: reading.routes(
                    place.member("routes"), places, facts["cards"], facts["points"], in_force
                )
            }
        )
    facts |= table.all_of(
        {"tickets": lambda table: reading.tickets(table.member("tickets"), places, in_force)}
    )
    if is_new:
        reading.note_unknown(table, in_force)
    table.settle()
    board = Board(
        **facts,
        table=content,
        digest=sha256(
            json.dumps(content, sort_keys=True, separators=(",", ":")).encode()
        ).hexdigest(),
        ruleset=in_force,
        shown=Showing(in_force),
    )
    reading.check_enough(table, board)
    reading.check_rules(table, place, board)
    if is_offered and board.players:
        for name, reason in reading.too_much(board):
            (table if name in table.value else place).member(name).note(reason)
    if is_new:
        reading.check_use(table, place, board)
    table.settle()
    return board


def _map_of(table: Table, folder: Path) -> Table:
    """Return the table with the locations and routes: this one, or the one named as its map."""
    if "map" not in table.value:
        return table
    path = folder / f"{table.member('map').slug()}.json"
    if not path.is_file():
        table.member("map").refuse(f"there is no table {path.name} beside this one")
    return Table(_text_of(path), name=path.name, faults=table.faults)


def _read(path: Path, *, is_new: bool = False, is_offered: bool = False) -> Board:
    try:
        return parse(_text_of(path), path.parent, is_new=is_new, is_offered=is_offered)
    except BrokenTable as error:
        error.file = str(path)
        raise


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise BrokenTable("table", None, "is no text in UTF-8: save it as such") from None
    except OSError as error:
        raise BrokenTable("table", None, error.strerror or str(error)) from None
