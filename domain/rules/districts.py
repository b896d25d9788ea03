"""Districts: a seat that connects all places of a district scores its number (7.3)."""

from domain import network
from domain.board.board import Board
from domain.board.shapes import whole
from domain.game.state import State
from domain.rules import settling
from domain.rules.rule import InTable, Number, Rule


def districts(board: Board) -> dict[int, tuple[str, ...]]:
    ids: dict[int, tuple[str, ...]] = {}
    for place in board.locations:
        number = place.marks.get("district")
        if number is not None:
            ids[number] = (*ids.get(number, ()), place.id)
    return ids


def district_points(state: State, seat: int) -> int:
    """Return the numbers of the districts whose places a seat's own routes all connect."""
    group = network.connections(settling.links(state, seat))
    return sum(
        number
        for number, places in state.board.once(districts).items()
        if len({group[place] for place in places}) == 1
    )


RULE = Rule(
    name="districts",
    table=InTable(
        location={"district": whole("Its district, where the board has them.", 1)},
        is_printed=lambda board: bool(board.once(districts)),
    ),
    numbers=(
        Number(
            "districts", "Points for districts, where the board has them (7.3).", everywhere=True
        ),
    ),
    scores=lambda state, _numbers: {
        "districts": [district_points(state, seat) for seat in state.seats]
    },
)
