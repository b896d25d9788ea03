"""A board, or a game on it, as an SVG picture that needs nothing beside itself.

``draw(board)`` is the bare map; ``draw(board, view)`` the game in a public view, whoever's view it
is: what only one seat may know is never drawn. The same input gives the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape
from itertools import pairwise
from cmath import phase
from unicodedata import category

from domain.board import GREY, WILD, Board, Route
from domain.layout import FONT, LINE, SPOT, Layout, Space, layout, width

HEADER = 64  # above the map
PANEL, ROW = 300, 76  # width of the panel beside the map, height of a seat on it
INK, PAPER, FAINT = "#2b2a28", "#fffdf7", "#6f6a60"
SEA, LAND, SHORE, RAIL = "#d3e1e4", "#f5efdf", "#c2d3d4", "#bdb199"

# What routes and cards look like, by colour: soft, so that the trains stand out
SOFT = {
    "red": "#e0685c",
    "orange": "#f2a154",
    "yellow": "#f3d35c",
    "green": "#77b56a",
    "blue": "#6a9fdb",
    "purple": "#b083c9",
    "violet": "#b083c9",
    "pink": "#eea4c4",
    "white": "#ffffff",
    "black": "#55534f",
    GREY: "#c4beb2",
}
UNKNOWN = "#a8c6b8"  # a colour that a later table invents
STRIPES = ("red", "yellow", "green", "blue")  # of a wild card

# The trains of the seats, in order: strong, with dark edges, and numbered in case two look alike
SEATS = (
    "#00808f", "#b3126d", "#3f33a8", "#7a4a12", "#5f9e00", "#1c1c1c", "#d9480f", "#5b6b7c",
)  # fmt: skip


def draw(board: Board, view: dict | None = None) -> str:
    """Return the picture of a board, or of a game on it as its public view tells."""
    plan = layout(board)
    wide = plan.width + (PANEL if view else 0)
    high = HEADER + max(plan.height, _panel_height(view) if view else 0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high:.0f}" '
        f'width="{wide:.0f}" height="{high:.0f}" role="img" aria-label="{_clean(_say(board, view))}" '
        'font-family="Helvetica, Arial, Liberation Sans, sans-serif" font-weight="bold">',
        f"<title>{_clean(_say(board, view))}</title>",
        f'<rect width="{wide:.0f}" height="{high:.0f}" rx="18" fill="{SEA}"/>',
        f'<svg y="{HEADER}" width="{plan.width:.0f}" height="{high - HEADER:.0f}">',
        *_land(board, plan),
        *_routes(board, plan, view),
        *_locations(board, plan),
        "</svg>",
        f'<path d="M0 {HEADER}V18a18 18 0 0 1 18-18H{wide - 18:.0f}a18 18 0 0 1 18 18V{HEADER}z" '
        f'fill="{INK}"/>',
        _text(26, 42, board.name, 30, fill=PAPER),
        *(_panel(plan.width, high, view) if view else ()),
        "</svg>",
    ]
    return "\n".join(parts)


def _say(board: Board, view: dict | None) -> str:
    """Return the picture in one sentence."""
    if not view:
        return f"{board.name}: {len(board.locations)} locations, {len(board.routes)} routes"
    seats = [f"{_name(seat)} {seat.get('score', 0)}" for seat in view["seats"]]
    return f"{board.name}, {view['status']}: {', '.join(seats)}"


def _land(board: Board, plan: Layout) -> Iterable[str]:
    """Return the ground: around every location, land as far as its neighbours."""
    ways: dict[str, list[complex]] = {}
    for route in board.routes:
        ways.setdefault(route.a, []).append(plan.spots[route.b])
        ways.setdefault(route.b, []).append(plan.spots[route.a])
    stars = "".join(
        _path([at, *sorted(ways[i], key=lambda p, at=at: phase(p - at))]) + "z"
        for i, at in plan.spots.items()
    )
    for size, color in ((120, SHORE), (104, LAND)):
        yield (
            f'<path d="{stars}" fill="{color}" stroke="{color}" stroke-width="{size}" '
            'stroke-linejoin="round"/>'
        )


def _routes(board: Board, plan: Layout, view: dict | None) -> Iterable[str]:
    """Return the tracks: the free ones first, so that trains lie on top of them."""
    names = {location.id: location.name for location in board.locations}
    claims = {claim["route"]: claim["seat"] for claim in view.get("claims", ())} if view else {}
    for route in sorted(board.routes, key=lambda route: route.id in claims):
        spaces, seat = plan.spaces[route.id], claims.get(route.id)
        line = [plan.spots[route.a], *(space.at for space in spaces), plan.spots[route.b]]
        rail = _path(line)
        what = f"{names[route.a]} – {names[route.b]}: {route.length} {route.color}"
        if seat is None:
            yield f'<g data-route="{route.id}" fill="{SOFT.get(route.color, UNKNOWN)}" stroke="#0005">'
            yield f"<title>{_clean(what)}</title>"
            yield f'<path d="{rail}" fill="none" stroke="{RAIL}" stroke-width="2"/>'
            yield from (_space(space) for space in spaces)
        else:
            yield f'<g data-route="{route.id}" data-seat="{seat}" fill="{_paint(seat)}">'
            yield f"<title>{_clean(what)}, claimed by seat {seat}</title>"
            yield f'<path d="{rail}" fill="none" stroke="{INK}" stroke-width="3"/>'
            yield from (_wagon(space, space is spaces[-1]) for space in spaces)
            yield _badge(spaces[(len(spaces) - 1) // 2].at, seat, 7)
        yield "</g>"


def _path(points: Iterable[complex]) -> str:
    return "M" + "L".join(f"{p.real:.1f} {p.imag:.1f}" for p in points)


def _space(space: Space) -> str:
    """Return one free space of a track."""
    return f'<rect class="space" rx="3" {_box(space)}/>'


def _wagon(space: Space, engine: bool) -> str:
    """Return one train on its space: a wagon with windows, or the engine with its chimney."""
    x, y, half = space.at.real, space.at.imag, space.length / 2
    top = (
        f'<circle cx="{half - 7:.1f}" r="3" fill="{INK}" stroke="#fff"/>'
        if engine
        else f'<path d="M{4 - half:.1f} 0H{half - 4:.1f}" stroke="#fff" stroke-opacity=".8" '
        'stroke-width="3.5" stroke-dasharray="4 3"/>'
    )
    return (
        f'<rect class="space" rx="{6 if engine else 2.5}" stroke="{INK}" stroke-width="2" '
        f'{_box(space)}/><g transform="translate({x:.1f} {y:.1f}) rotate({space.angle:.1f})">'
        f"{top}</g>"
    )


def _box(space: Space) -> str:
    """Return the attributes of a rectangle on a space."""
    x, y, wide = space.at.real, space.at.imag, space.width
    return (
        f'x="{x - space.length / 2:.1f}" y="{y - wide / 2:.1f}" width="{space.length:.1f}" '
        f'height="{wide:.1f}" transform="rotate({space.angle:.1f} {x:.1f} {y:.1f})"'
    )


def _locations(board: Board, plan: Layout) -> Iterable[str]:
    """Return the locations, and over them their names."""
    for at in plan.spots.values():
        yield (
            f'<circle cx="{at.real:.1f}" cy="{at.imag:.1f}" r="{SPOT - 1}" fill="{PAPER}" '
            f'stroke="{INK}" stroke-width="2.5"/>'
        )
    yield f'<g fill="{INK}" stroke="{LAND}" stroke-width="3.5" paint-order="stroke" '
    yield f'stroke-linejoin="round" font-size="{FONT}" text-anchor="middle">'
    for location in board.locations:
        label = plan.labels[location.id]
        x, top = (label.box[0] + label.box[2]) / 2, label.box[1] + 0.78 * LINE
        lines = "".join(
            f'<tspan x="{x:.1f}" y="{top + i * LINE:.1f}">{_clean(line)}{" " * (i + 1 < len(label.lines))}</tspan>'
            for i, line in enumerate(label.lines)
        )
        yield f'<text data-location="{location.id}">{lines}</text>'
    yield "</g>"


def _panel_height(view: dict) -> float:
    return len(view["seats"]) * ROW + 240


def _panel(left: float, high: float, view: dict) -> Iterable[str]:
    """Return the side of the picture: seats, face-up cards, decks; and the game's state on top."""
    final = f"final turns: {view['final_turns']} · " if "final_turns" in view else ""
    said = f"{final}{view['status']} · version {view['version']}"
    yield _text(left + PANEL - 22, 41, said, 17, fill=PAPER, anchor="end")
    yield f'<path d="M{left:.0f} {HEADER}h{PANEL}V{high - 18:.0f}a18 18 0 0 1 -18 18h{18 - PANEL}z" '
    yield f'fill="{LAND}"/>'
    deciding = {each["seat"]: each["decision"] for each in view["deciding"]}
    top = HEADER + 14
    for seat in view["seats"]:
        yield from _seat(left + 14, top, seat, deciding.get(seat["seat"]))
        top += ROW
    for i, color in enumerate(view.get("row", ())):
        yield from _card(left + 14 + i * 55, top + 10, color)
    counts = (("deck", "deck"), ("discards", "discards"), ("ticket_deck", "tickets"))
    for i, (member, what) in enumerate(counts):
        if member in view:
            middle = left + PANEL * (i + 0.5) / 3
            yield _text(middle, top + 142, view[member], 22, anchor="middle")
            yield _text(middle, top + 160, what, 12, fill=FAINT, anchor="middle")


def _seat(left: float, top: float, seat: dict, decision: str | None) -> Iterable[str]:
    """Return what everyone may see of a seat."""
    number, result = seat["seat"], seat.get("result", {})
    yield (
        f'<g data-panel-seat="{number}"><rect x="{left:.0f}" y="{top:.0f}" width="{PANEL - 28}" '
        f'height="{ROW - 8}" rx="10" fill="{PAPER}" stroke="{INK if decision else SHORE}" '
        f'stroke-width="{3 if decision else 1}"/>'
    )
    yield _badge(complex(left + 25, top + 26), number, 14)
    facts = " · ".join(f"{seat[f]} {f}" for f in ("trains", "cards", "tickets") if f in seat)
    state = f"to decide: {decision.replace('_', ' ')}" if decision else seat.get("left", "")
    if result:
        state = f"rank {result['rank']}" + (f" · {state}" if state else "")
    for line, (text, size, fill) in enumerate(
        ((_name(seat), 17, INK), (facts, 13, FAINT), (state, 13, _paint(number)))
    ):
        yield _text(left + 50, top + (24, 42, 59)[line], text, size, fill=fill, room=(158, 206, 206)[line])
    score = result.get("total", seat.get("score"))
    if score is not None:
        yield _text(left + PANEL - 42, top + 26, score, 24, anchor="end")
    yield "</g>"


def _name(seat: dict) -> str:
    return seat["player"]["name"] if "player" in seat else "open seat"


def _card(left: float, top: float, color: str) -> Iterable[str]:
    """Return a face-up card; a wild one is striped."""
    yield (
        f'<rect x="{left:.0f}" y="{top:.0f}" width="50" height="74" rx="7" fill="{PAPER}" '
        f'stroke="{INK}" stroke-width="1.5"/>'
    )
    stripes = STRIPES if color == WILD else (color,)
    for i, stripe in enumerate(stripes):
        wide = 40 / len(stripes)
        yield (
            f'<rect x="{left + 5 + i * wide:.0f}" y="{top + 5:.0f}" width="{wide:.0f}" '
            f'height="64" fill="{SOFT.get(stripe, UNKNOWN)}" stroke="#0005"/>'
        )
    yield _text(left + 25, top + 89, color, 11, fill=FAINT, anchor="middle")


def _badge(at: complex, seat: int, radius: float) -> str:
    """Return a seat's mark: its number in its colour."""
    x, y, size = at.real, at.imag, radius * 1.5
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{PAPER}" stroke="{_paint(seat)}" '
        f'stroke-width="{radius / 4}"/>' + _text(x, y + size * 0.36, seat, size, anchor="middle")
    )


def _paint(seat: int) -> str:
    return SEATS[seat % len(SEATS)]


def _text(
    x: float, y: float, text: object, size: float, *, fill: str = INK, anchor: str = "start", room: float = math.inf
) -> str:
    """Return one line of text, cut off with an ellipsis where it takes more than its room."""
    shown = str(text)
    if width(shown, size) > room:
        while shown and width(shown + "…", size) > room:
            shown = shown[:-1]
        shown += "…"
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" fill="{fill}" '
        f'text-anchor="{anchor}">{_clean(shown)}</text>'
    )


def _clean(text: str) -> str:
    """Return a text as XML, without what XML does not allow and what would turn letters around."""
    return escape("".join(c for c in text if category(c)[0] != "C" or c == "\u200d"))
