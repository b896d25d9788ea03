"""The boards that Fogg ships (``*.json`` beside this file), and how a table becomes a board.

A table is a JSON file: numbers, cards, locations, routes, tickets, and the names of the rules that
the board adds to the common ones. ``load`` checks it and says where it is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from domain.board import reading
from domain.board.board import Board
from domain.board.parts import REMOVED, UNDER_THE_DECK, WILD
from domain.board.table import Table
from domain.rules import BY_NAME, TIE_BREAKS, ruleset

FOLDER = Path(__file__).parent
FORMER = FOLDER / "former"  # tables as they were before a correction, for the games played on them


def load(path: Path | str) -> Board:
    """Return the board in a table file; raise BrokenTable naming the line that is wrong.

    A table may name, as its ``map``, another in the same folder whose locations and routes it uses.
    """
    path = Path(path)
    return parse(path.read_text(encoding="utf-8"), path.parent)


def load_folder(folder: Path | str = FOLDER) -> dict[str, Board]:
    """Return the boards of every table in a folder, by id."""
    boards = [load(path) for path in sorted(Path(folder).glob("*.json"))]
    return {board.id: board for board in boards}


def boards_by_digest(folders: Iterable[str] = ()) -> dict[str, Board]:
    """Return our boards, as they are and as they were, and those in folders, by digest; raise
    BrokenTable where one is wrong."""
    paths = [path for folder in (FOLDER, FORMER, *map(Path, folders))
             for path in sorted(folder.glob("*.json"))]
    return {board.digest: board for board in map(load, paths)}


def parse(text: str, folder: Path = FOLDER) -> Board:
    """Return the board that a table's text describes; raise BrokenTable where it is wrong."""
    table = Table(text)
    place = _map_of(table, folder)
    content = {name: value for name, value in table.value.items() if name != "map"} | {
        name: place.value[name] for name in ("locations", "routes") if name in place.value
    }
    cards = table.member("cards").counts()
    if list(cards)[-1:] != [WILD] or len(cards) < 2:
        table.member("cards").refuse("needs a colour or more and then, last, wild")
    rules = ruleset(r.one_of(BY_NAME, "rule module") for r in table.member("rules").items())
    locations = reading.locations(place.member("locations"), rules)
    places = {location.id for location in locations}
    points = reading.points(table.member("points"))
    start = table.member("tickets_at_start")
    board = Board(
        id=table.member("board").slug(),
        name=table.member("name").text(),
        players=range(
            table.member("players").member("least").whole(2),
            table.member("players").member("most").whole(2, 8) + 1,
        ),
        trains=table.member("trains").whole(1, 99),
        cards=cards,
        hand=table.member("hand").whole(0),
        points=points,
        tickets_at_start=reading.offer(start),
        tickets_on_a_turn=reading.offer(table.member("tickets_on_a_turn")),
        refused_at_start=(
            start["refused"].one_of((UNDER_THE_DECK, REMOVED), "place for refused tickets")
            if "refused" in start.value else UNDER_THE_DECK
        ),
        doubles_closed_for=frozenset(
            number.whole(2) for number in table.member("doubles_closed_for").items()
        ),
        rules=rules.added,
        settings=reading.settings(table, rules),
        tie_breaks=tuple(
            t.one_of(TIE_BREAKS, "tie-break") for t in table.member("tie_breaks").items()
        ),
        locations=locations,
        routes=reading.routes(place.member("routes"), places, cards, points, rules),
        tickets=reading.tickets(table.member("tickets"), places),
        table=content,
        digest=sha256(
            json.dumps(content, sort_keys=True, separators=(",", ":")).encode()
        ).hexdigest(),
        ruleset=rules,
    )
    reading.check_enough(table, board)
    reading.check_rules(table, place, board)
    return board


def _map_of(table: Table, folder: Path) -> Table:
    """Return the table that has the locations and routes: this one, or the one named as its map."""
    if "map" not in table.value:
        return table
    path = folder / f"{table.member('map').slug()}.json"
    if not path.is_file():
        table.member("map").refuse(f"there is no table {path.name} beside this one")
    return Table(path.read_text(encoding="utf-8"), name=path.name)
