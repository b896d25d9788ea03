"""A board, or a game on it, as a card to share: an SVG picture of 1200 by 630 pixels, which is the
size that other sites show next to a link. The cards of shipped boards are files of half that size.

It has the map without names, which would be too small to read, and the seats in large letters.
"""

from collections.abc import Iterator

from domain.board.board import Board
from domain.codec import Json
from domain.drawing.layout import layout
from domain.drawing.marks import FAINT, INK, LAND, PAPER, SEA, SHORE, badge, text
from domain.drawing.picture import chart

WIDTH, HEIGHT = 1200, 630
SMALLER = 2  # times, of the files of shipped boards
HEADER, PANEL, MARGIN = 96, 430, 24
MAX_ROW = 110  # height of a seat's row


def card(board: Board, view: Json | None = None) -> str:
    plan, map_width = layout(board), WIDTH - (PANEL if view else 0)
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'width="{WIDTH}" height="{HEIGHT}" font-weight="bold" '
            'font-family="Helvetica, Arial, Liberation Sans, Lato, sans-serif">',
            "<style>[data-location]{display:none}</style>",
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{SEA}"/>',
            f'<svg y="{HEADER}" width="{map_width}" height="{HEIGHT - HEADER}" overflow="visible" '
            f'viewBox="0 0 {plan.width:.0f} {plan.height:.0f}">',  # the land goes on at its sides
            *chart(board, plan, view or {}),
            "</svg>",
            f'<rect width="{WIDTH}" height="{HEADER}" fill="{INK}"/>',
            text(MARGIN + 8, 66, board.name, 52, fill=PAPER, room=WIDTH - 260),
            text(WIDTH - MARGIN - 8, 64, "Fogg", 38, fill=SHORE, anchor="end"),
            *(_seats(view) if view else ()),
            "</svg>",
        )
    )


def _seats(view: Json) -> Iterator[str]:
    left, room = WIDTH - PANEL, HEIGHT - HEADER
    yield f'<path d="M{left} {HEADER}h{PANEL}v{room}h{-PANEL}z" fill="{LAND}" '
    yield f'stroke="{SHORE}" stroke-width="3"/>'
    seats = sorted(view["seats"], key=lambda seat: seat.get("result", {}).get("rank", 0))
    row = min(MAX_ROW, (room - MARGIN) / len(seats))
    top = HEADER + (room - row * len(seats)) / 2
    for seat in seats:
        yield from _seat(seat, left + 16, top, PANEL - 32, row - 10)
        top += row


def _seat(seat: Json, left: float, top: float, wide: float, high: float) -> Iterator[str]:
    result, middle = seat.get("result", {}), top + high / 2
    has_won, points = result.get("rank") == 1, result.get("total", seat.get("score"))
    yield (
        f'<rect x="{left}" y="{top:.1f}" width="{wide}" height="{high:.1f}" rx="14" '
        f'fill="{PAPER}" stroke="{INK if has_won else SHORE}" '
        f'stroke-width="{6 if has_won else 2}"/>'
    )
    yield badge(complex(left + 42, middle), seat["seat"], 20)
    name = seat["player"]["name"] if "player" in seat else "…"
    yield text(
        left + 76, middle + 10, name, 28, room=wide - 180, fill=INK if "player" in seat else FAINT
    )
    if points is not None:
        yield text(left + wide - 20, middle + 15, points, 42, anchor="end")
