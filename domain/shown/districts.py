"""How districts are shown (7.3)."""

from collections.abc import Iterator

from domain.board.board import Board
from domain.board.parts import Location
from domain.drawing.labels import SPOT
from domain.drawing.layout import Layout
from domain.drawing.marks import INK, Drawing, Mark, clean, text
from domain.rules.districts import RULE, districts
from domain.shown.shown import Shown, Sign

HALO = 24  # radius of a district's colour around its locations, in units of the picture
# Districts are strong in colour, and numbered: each colour goes round its locations.
TINTS = ("#7d5a86", "#2f7f79", "#a3663a", "#53658f", "#74782f", "#8f4b56")


def key(board: Board) -> Iterator[Mark]:
    yield "", -8, "for connecting all of a district:"
    for number in sorted(board.once(districts)):
        points = f"{number} point" + "s" * (number > 1)
        yield _mark(0j, number, f"district {number}"), 2 * SPOT, points


def halos(board: Board, plan: Layout) -> Iterator[str]:
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
    return (
        f'<g><title>{clean(said)}</title><circle cx="{at.real:.1f}" cy="{at.imag:.1f}" '
        f'r="{SPOT}" fill="{_tint(number)}" stroke="{INK}" stroke-width="1.5"/>'
        + text(at.real, at.imag + 4.2, number, 12, fill="#fff", anchor="middle")
        + "</g>"
    )


def _tint(number: int) -> str:
    return TINTS[(number - 1) % len(TINTS)]


SHOWN = Shown(
    rule=RULE,
    number="7.3",
    says="A district whose places are all connected by a player's routes gives as many points as "
    "its number.",
    locations={"district": Sign(says="district {district}")},
    drawing=Drawing(key=key, under=halos, location=spot),
)
