"""How flags are shown (4.5)."""

from collections.abc import Iterable, Iterator, Mapping

from domain.board.board import Board
from domain.drawing.marks import INK, SOFT, Drawing, Mark, clean
from domain.rules.flags import FLAG, POINTS, RULE, FlagCompleted
from domain.shown.shown import Shown

STRIPE = 14  # width of each stripe of a flag in a picture


def key(_board: Board) -> Iterable[Mark]:
    yield (
        _flag(0j, FLAG),
        3 * STRIPE,
        (f"a card kept from each of these routes makes a flag: {POINTS} points"),
    )


def seat_mark(seat: Mapping[str, Iterable[str]], wide: int) -> Iterator[str]:
    colors = tuple(seat.get("flag", ()))
    said = " ".join(["flag:", *colors] if colors else ["no flag card"])
    if "flag" in seat:
        yield f"<g><title>{clean(said)}</title>{_flag(complex(wide - 40, 52), colors)}</g>"


def _flag(at: complex, colors: Iterable[str]) -> str:
    left, top, have = at.real - 1.5 * STRIPE, at.imag - 9, set(colors)
    return "".join(
        f'<rect x="{left + i * STRIPE:.1f}" y="{top:.1f}" width="{STRIPE}" height="18" '
        f'fill="{SOFT[color] if color in have else "none"}" stroke="{INK}" '
        f'stroke-opacity="{0.8 if color in have else 0.25}"/>'
        for i, color in enumerate(FLAG)
    )


SHOWN = Shown(
    rule=RULE,
    number="4.5",
    says="On claiming a blue, white or red route a card may be kept; blue, white and red together "
    "score 4 points.",
    events={FlagCompleted: "{seat} completes a flag with {cards}: {points point}"},
    drawing=Drawing(key=key, seat_mark=seat_mark),
)
