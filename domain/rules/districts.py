"""Districts: a seat that connects all places of a district scores its number (7.3)."""

from __future__ import annotations

from collections.abc import Iterator

from domain import network
from domain.board.board import Board
from domain.board.parts import Location
from domain.board.shapes import whole
from domain.drawing.labels import SPOT
from domain.drawing.layout import Layout
from domain.drawing.marks import INK, Drawing, Mark, clean, text
from domain.game.state import State
from domain.rules import settling
from domain.rules.rule import Number, Numbers, Rule

HALO = 24  # radius of a district's colour around its locations, in units of the picture
# Districts are strong in colour, and numbered: each colour goes round its locations.
TINTS = ("#7d5a86", "#2f7f79", "#a3663a", "#53658f", "#74782f", "#8f4b56")


def districts(board: Board) -> dict[int, tuple[str, ...]]:
    """Return the ids of each district's locations, by its number."""
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


def key(board: Board) -> Iterator[Mark]:
    yield "", -8, "for connecting all of a district:"
    for number in sorted(board.once(districts)):
        points = f"{number} point" + "s" * (number > 1)
        yield _mark(0j, number, f"district {number}"), 2 * SPOT, points


def halos(board: Board, plan: Layout) -> Iterator[str]:
    """Yield SVG: a soft background around the locations of each district, in its colour."""
    for number, places in board.once(districts).items():
        dots = "".join(f"M{plan.spots[i].real:.1f} {plan.spots[i].imag:.1f}h0" for i in places)
        yield (
            f'<path data-district="{number}" d="{dots}" fill="none" stroke="{_tint(number)}" '
            f'stroke-width="{2 * HALO}" stroke-opacity=".28" stroke-linecap="round"/>'
        )


def spot(location: Location, at: complex) -> str:
    number = location.marks.get("district")
    return "" if number is None else _mark(at, number, f"{location.name}: district {number}")


def _mark(at: complex, number: int, said: str) -> str:
    """Return the mark of a district: its number in its colour."""
    return (
        f'<g><title>{clean(said)}</title><circle cx="{at.real:.1f}" cy="{at.imag:.1f}" '
        f'r="{SPOT}" fill="{_tint(number)}" stroke="{INK}" stroke-width="1.5"/>'
        + text(at.real, at.imag + 4.2, number, 12, fill="#fff", anchor="middle") + "</g>"
    )


def _tint(number: int) -> str:
    return TINTS[(number - 1) % len(TINTS)]


def scores(state: State, _found: Numbers) -> Numbers:
    return {"districts": [district_points(state, seat) for seat in state.seats]}


RULE = Rule(
    name="districts",
    number="7.3",
    says="A district whose places are all connected by a player's routes gives as many points as "
         "its number.",
    location={"district": whole("Its district, where the board has them.", 1,
                                says="district {district}")},
    is_printed=lambda board: bool(board.once(districts)),
    numbers=(Number("districts", "Points for districts, where the board has them (7.3).",
                    everywhere=True),),
    scores=scores,
    drawing=Drawing(key=key, under=halos, location=spot),
)
