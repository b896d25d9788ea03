"""A board, or a game on it, as an SVG picture that needs nothing beside itself.

``draw(board)`` is the bare map; ``draw(board, view)`` the game in a public view, whoever's view it
is: what only one seat may know is never drawn. The same input gives the same bytes.
"""

from __future__ import annotations

import math
from cmath import phase, rect
from collections.abc import Iterable, Iterator
from html import escape
from unicodedata import category

from domain.board import GREY, WILD, Board
from domain.layout import FONT, LINE, SPOT, Layout, Space, layout, width

HEADER = 64  # above the map
PANEL, ROW, COUNTS = 330, 76, 210  # beside it: width, height of a seat and of all that follows
INK, PAPER, FAINT = "#2b2a28", "#fffdf7", "#6f6a60"
SEA, LAND, SHORE, RAIL = "#d3e1e4", "#f5efdf", "#c2d3d4", "#bdb199"

# Routes and cards are soft in colour, so that the trains stand out.
SOFT = {
    "red": "#e0685c", "orange": "#f2a154", "yellow": "#f3d35c", "green": "#77b56a",
    "blue": "#6a9fdb", "purple": "#b083c9", "violet": "#b083c9", "pink": "#eea4c4",
    "white": "#ffffff", "black": "#55534f", GREY: "#c4beb2",
}  # fmt: skip
OTHER = "#a8c6b8"  # any colour that a later table invents
STRIPES = ("red", "yellow", "green", "blue")  # of a wild card

# Trains are strong in colour, by seat, dark at the edge, and numbered for whom two look alike.
SEATS = (
    "#00808f", "#b3126d", "#3f33a8", "#7a4a12", "#5f9e00", "#1c1c1c", "#d9480f", "#5b6b7c",
)  # fmt: skip


def draw(board: Board, view: dict | None = None) -> str:
    """Return the picture of a board, or of a game on it as its public view tells."""
    plan = layout(board)
    wide, high, said = round(plan.width), round(plan.height) + HEADER, _clean(_say(board, view))
    if view:
        wide, high = wide + PANEL, max(high, HEADER + len(view["seats"]) * ROW + COUNTS)
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" '
            f'height="{high}" role="img" aria-label="{said}" font-weight="bold" '
            'font-family="Helvetica, Arial, Liberation Sans, sans-serif">',
            f"<title>{said}</title>",
            f'<rect width="{wide}" height="{high}" rx="18" fill="{SEA}"/>',
            f'<svg y="{HEADER}" width="{plan.width:.0f}" height="{high - HEADER}">',
            *_land(board, plan),
            *_routes(board, plan, view or {}),
            *_locations(board, plan, view or {}),
            "</svg>",
            f'<path d="M0 {HEADER}V18a18 18 0 0 1 18-18H{wide - 18}a18 18 0 0 1 18 18V{HEADER}z" '
            f'fill="{INK}"/>',
            _text(26, 42, board.name, 30, fill=PAPER, room=plan.width - 52),
            *(_panel(wide - PANEL, high, view) if view else ()),
            "</svg>",
        )
    )


def _say(board: Board, view: dict | None) -> str:
    """Return the picture in one sentence."""
    if not view:
        return f"{board.name}: {len(board.locations)} locations, {len(board.routes)} routes"
    seats = [f"{_name(seat)} {seat.get('score', 0)}" for seat in view["seats"]]
    return f"{board.name}, {view['status']}: {', '.join(seats)}"


def _land(board: Board, plan: Layout) -> Iterator[str]:
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


def _routes(board: Board, plan: Layout, view: dict) -> Iterator[str]:
    """Return the tracks: the free ones first, so that trains lie on top of them."""
    names = {location.id: location.name for location in board.locations}
    claims = {claim["route"]: claim["seat"] for claim in view.get("claims", ())}
    for route in sorted(board.routes, key=lambda route: route.id in claims):
        spaces, seat = plan.spaces[route.id], claims.get(route.id)
        rail = _path([plan.spots[route.a], *(space.at for space in spaces), plan.spots[route.b]])
        what = f"{names[route.a]} to {names[route.b]}: {route.length} {route.color}"
        what += ", tunnel" * route.tunnel + f", ferry of {route.ferry}" * bool(route.ferry)
        if seat is None:
            look = f'fill="{SOFT.get(route.color, OTHER)}" stroke="#000" stroke-opacity=".35"'
            drawn = [_space(space, tunnel=route.tunnel) for space in spaces]
            drawn += [_wild(space) for space in spaces[: route.ferry]]
        else:
            look, what = f'data-seat="{seat}" fill="{_paint(seat)}"', f"{what}, seat {seat}"
            drawn = [_train(space, engine=space is spaces[-1]) for space in spaces]
            drawn.append(_badge(spaces[(len(spaces) - 1) // 2].at, seat, 7))
        yield f'<g data-route="{route.id}" {look}><title>{_clean(what)}</title>'
        yield f'<path d="{rail}" fill="none" stroke="{RAIL if seat is None else INK}" '
        yield f'stroke-width="2.5" stroke-opacity="1"/>{"".join(drawn)}</g>'


def _path(points: Iterable[complex]) -> str:
    return "M" + "L".join(f"{p.real:.1f} {p.imag:.1f}" for p in points)


def _space(space: Space, *, tunnel: bool) -> str:
    """Return one free space of a track, with a broken dark edge in a tunnel."""
    edge = f' stroke="{INK}" stroke-width="2.4" stroke-dasharray="4 2.5"' if tunnel else ""
    return f'<rect class="space" rx="3" {_size(space)} {_turn(space)}{edge}/>'


def _wild(space: Space) -> str:
    """Return the mark on a ferry's space that takes a wild card: a star."""
    outer, inner = space.width * 0.42, space.width * 0.18
    points = (
        rect(inner if i % 2 else outer, math.pi * (i / 5 - 0.5)) + space.at for i in range(10)
    )
    return f'<path d="{_path(points)}Z" fill="#fff" stroke="{INK}" stroke-width="1"/>'


def _train(space: Space, *, engine: bool) -> str:
    """Return one train on its space: a wagon with windows, or the engine with its chimney."""
    end = space.length / 2 - 4
    top = (
        f'<circle cx="{end - 3:.1f}" r="3" fill="{INK}" stroke="#fff"/>'
        if engine
        else f'<path d="M{-end:.1f} 0H{end:.1f}" stroke="#fff" stroke-opacity=".8" '
        'stroke-width="3.5" stroke-dasharray="4 3"/>'
    )
    return (
        f'<g {_turn(space)}><rect class="space" rx="{6 if engine else 2.5}" {_size(space)} '
        f'stroke="{INK}" stroke-width="2"/>{top}</g>'
    )


def _size(space: Space) -> str:
    long, wide = space.length, space.width
    return f'x="{-long / 2:.1f}" y="{-wide / 2:.1f}" width="{long:.1f}" height="{wide:.1f}"'


def _turn(space: Space) -> str:
    at = space.at
    return f'transform="translate({at.real:.1f} {at.imag:.1f}) rotate({space.angle:.1f})"'


def _locations(board: Board, plan: Layout, view: dict) -> Iterator[str]:
    """Return the locations with their stations, and over them their names."""
    for at in plan.spots.values():
        yield (
            f'<circle cx="{at.real:.1f}" cy="{at.imag:.1f}" r="{SPOT - 1}" fill="{PAPER}" '
            f'stroke="{INK}" stroke-width="2.5"/>'
        )
    for station in view.get("stations", ()):
        at, seat = plan.spots[station["location"]], station["seat"]
        yield (
            f'<rect data-station="{seat}" x="{at.real - 11:.1f}" y="{at.imag - 11:.1f}" width="22" '
            f'height="22" rx="4" fill="{_paint(seat)}" stroke="{INK}" stroke-width="2"/>'
        )
        yield _badge(at, seat, 7)
    yield f'<g fill="{INK}" stroke="{LAND}" stroke-width="3.5" paint-order="stroke" '
    yield f'stroke-linejoin="round" font-size="{FONT}" text-anchor="middle">'
    for location in board.locations:
        lines, (left, top, right, _) = plan.labels[location.id]
        x = f"{(left + right) / 2:.1f}"
        spans = " ".join(
            f'<tspan x="{x}" y="{top + (i + 0.78) * LINE:.1f}">{_clean(line)}</tspan>'
            for i, line in enumerate(lines)
        )
        yield f'<text data-location="{location.id}">{spans}</text>'
    yield "</g>"


def _panel(left: int, high: int, view: dict) -> Iterator[str]:
    """Return what is beside the map: seats, face-up cards, decks; and the game's state on top."""
    final = f"final turns: {view['final_turns']} · " if "final_turns" in view else ""
    said = f"{final}{view['status']} · version {view['version']}"
    yield _text(left + PANEL - 22, 41, said, 17, fill=PAPER, anchor="end")
    yield f'<path d="M{left} {HEADER}h{PANEL}V{high - 18}a18 18 0 0 1-18 18h{18 - PANEL}z" '
    yield f'fill="{LAND}"/>'
    deciding = {each["seat"]: each["decision"] for each in view["deciding"]}
    top = HEADER + 12
    for seat in view["seats"]:
        yield from _seat(left + 12, top, seat, deciding.get(seat["seat"]))
        top += ROW
    for i, color in enumerate(view.get("row", ())):
        yield from _card(left + 16 + i * 62, top + 10, color)
    counts = (("deck", "deck"), ("discards", "discards"), ("ticket_deck", "tickets"))
    for i, (member, what) in enumerate(counts):
        if member in view:
            middle = left + PANEL * (i + 0.5) / 3
            yield _text(middle, top + 148, view[member], 22, anchor="middle")
            yield _text(middle, top + 166, what, 12, fill=FAINT, anchor="middle")


def _seat(left: int, top: int, seat: dict, decision: str | None) -> Iterator[str]:
    """Return what everyone may see of a seat; framed if it is to decide or has won.

    An svg of its own cuts off whatever a name may pile up.
    """
    number, result, wide, high = seat["seat"], seat.get("result", {}), PANEL - 24, ROW - 4
    framed = decision or result.get("rank") == 1
    yield (
        f'<svg data-panel="{number}" x="{left}" y="{top}" width="{wide}" height="{high}">'
        f'<rect x="2" y="2" width="{wide - 4}" height="{high - 4}" rx="10" fill="{PAPER}" '
        f'stroke="{INK if framed else SHORE}" stroke-width="{3 if framed else 1}"/>'
    )
    yield _badge(28 + 36j, number, 14)
    facts = [f"{seat[fact]} {fact}" for fact in ("trains", "cards", "tickets") if fact in seat]
    state = [f"rank {result['rank']}"] if result else []
    state += [f"to decide: {decision.replace('_', ' ')}"] if decision else []
    state += [f"{seat['stations']} stations"] if "stations" in seat else []
    state += [f"flag: {' '.join(seat['flag'])}"] if seat.get("flag") else []
    state += [seat["left"]] if seat.get("left") else []
    yield _text(54, 26, _name(seat), 17, room=wide - 126)
    yield _text(54, 44, " · ".join(facts), 13, fill=FAINT)
    yield _text(54, 61, " · ".join(state), 13, fill=_paint(number))
    score = result.get("total", seat.get("score"))
    if score is not None:
        yield _text(wide - 18, 29, score, 24, anchor="end")
    yield "</svg>"


def _name(seat: dict) -> str:
    return seat["player"]["name"] if "player" in seat else "open seat"


def _card(left: int, top: int, color: str) -> Iterator[str]:
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
            f'height="64" fill="{SOFT.get(stripe, OTHER)}" stroke="#000" stroke-opacity=".35"/>'
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
    x: float,
    y: float,
    text: object,
    size: float,
    *,
    fill: str = INK,
    anchor: str = "start",
    room: float = math.inf,
) -> str:
    """Return a line of text, cut off with an ellipsis where it takes more than its room."""
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
