"""A board, or a game on it, as an SVG picture that needs nothing beside itself.

``draw(board)`` is the bare map; ``draw(board, view)`` the game in a public view, whoever's view it
is: what only one seat may know is never drawn. The same input gives the same bytes.
"""

from __future__ import annotations

import math
from cmath import rect
from collections.abc import Iterable, Iterator
from html import escape
from unicodedata import category

from domain.board.board import FLAG, GREY, WILD, Board
from domain.drawing.ground import fields, ways
from domain.drawing.labels import FONT, LINE, SPOT, Space, width
from domain.drawing.layout import Layout, layout
from domain.rules.settling import FLAG_POINTS

HEADER = 64  # above the map
HALO = 24  # how far a district's colour goes around its locations
STRIPE = 14  # of a flag
COAST = 36  # how far the land goes beyond what is on it
KEY, LOWER = 44, 26  # below the map, where there is something to explain; each further line
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


Mark = tuple[str, float, str]  # of the key: what is drawn around 0, its width, the words

# Districts are strong in colour too, and numbered: each colour goes round its locations.
DISTRICTS = ("#7d5a86", "#2f7f79", "#a3663a", "#53658f", "#74782f", "#8f4b56")


def draw(board: Board, view: dict | None = None) -> str:
    """Return the picture of a board, or of a game on it as its public view tells."""
    plan = layout(board)
    wide, said, key = round(plan.width), _clean(_say(board, view)), _lines(_key(board), plan.width)
    high = HEADER + round(plan.height) + (KEY + LOWER * (len(key) - 1) if key else 0)
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
            *_halos(board, plan),
            *_routes(board, plan, view or {}),
            *_locations(board, plan, view or {}),
            *_explained(key, plan),
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
    seats = [f"{_name(seat)} {_score(seat) or 0}" for seat in view["seats"]]
    return f"{board.name}, {view['status']}: {', '.join(seats)}"


def _land(board: Board, plan: Layout) -> Iterator[str]:
    """Return the ground: land around every location and railway and in between them; where a
    ferry goes there is sea."""
    lines, ferries = ways(board, plan), {(r.a, r.b) for r in board.routes if r.ferry}
    inland = "".join(_path(field) + "z" for field in fields(lines, ferries))
    shores = [_path(line) for ends, line in lines.items() if ends not in ferries]
    shores += [f"M{at.real:.1f} {at.imag:.1f}h0" for at in plan.spots.values()]
    for size, color in ((2 * COAST + 16, SHORE), (2 * COAST, LAND)):
        yield f'<path d="{inland}" fill="{color}"/>'
        yield (
            f'<path d="{inland}{"".join(shores)}" fill="none" stroke="{color}" '
            f'stroke-width="{size}" stroke-linejoin="round" stroke-linecap="round"/>'
        )


def _halos(board: Board, plan: Layout) -> Iterator[str]:
    """Return a soft ground around the locations of every district, in its colour."""
    for district, places in board.districts.items():
        dots = "".join(f"M{plan.spots[i].real:.1f} {plan.spots[i].imag:.1f}h0" for i in places)
        yield (
            f'<path data-district="{district}" d="{dots}" fill="none" stroke="{_tint(district)}" '
            f'stroke-width="{2 * HALO}" stroke-opacity=".28" stroke-linecap="round"/>'
        )


def _district(at: complex, district: int, said: str) -> str:
    """Return the mark of a district: its number in its colour."""
    return (
        f'<g><title>{_clean(said)}</title><circle cx="{at.real:.1f}" cy="{at.imag:.1f}" '
        f'r="{SPOT}" fill="{_tint(district)}" stroke="{INK}" stroke-width="1.5"/>'
        + _text(at.real, at.imag + 4.2, district, 12, fill="#fff", anchor="middle") + "</g>"
    )


def _tint(district: int) -> str:
    return DISTRICTS[(district - 1) % len(DISTRICTS)]


def _key(board: Board) -> list[Mark]:
    """Return what the map shows that needs a word."""
    found = []
    if "tunnels" in board.rules:
        mark = "".join(_sample(x, tunnel=True) for x in (-14, 14))
        found.append((mark, 56, "tunnel: three cards are turned, and may ask for more"))
    if "ferries" in board.rules:
        mark = _sample(-14) + _sample(14) + _wild(Space(14, 0, 25, 12))
        found.append((mark, 56, "ferry: a wild card for every star"))
    if "districts" in board.rules:
        found.append(("", -8, "for connecting all of a district:"))
        for district in sorted(board.districts):
            points = f"{district} point" + "s" * (district > 1)
            found.append((_district(0j, district, f"district {district}"), 2 * SPOT, points))
    if "flags" in board.rules:
        found.append((_flag(0j, FLAG), 3 * STRIPE, "a card kept from each of these routes makes "
                      f"a flag: {FLAG_POINTS} points"))
    return found


def _sample(x: float, *, tunnel: bool = False) -> str:
    """Return a free space of a key."""
    space = _space(Space(complex(x), 0, 25, 12), tunnel=tunnel).replace(' class="space"', "")
    return f'<g fill="{SOFT[GREY]}" stroke="#000" stroke-opacity=".35">{space}</g>'


def _lines(key: list[Mark], room: float) -> list[list[Mark]]:
    """Return the key in as many lines as it takes."""
    lines, used = [], math.inf
    for mark in key:
        needed = mark[1] + width(mark[2], 13) + 34
        if used + needed > room:
            lines, used = [*lines, []], 26.0
        lines[-1].append(mark)
        used += needed
    return lines


def _explained(key: list[list[Mark]], plan: Layout) -> Iterator[str]:
    """Return the key of the map, under it."""
    for i, line in enumerate(key):
        left, y = 26.0, plan.height + KEY - 24 + LOWER * i
        for mark, wide, words in line:
            yield f'<g transform="translate({left + wide / 2:.1f} {y:.1f})">{mark}</g>'
            yield _text(left + wide + 8, y + 4.5, words, 13, fill=FAINT)
            left += wide + width(words, 13) + 34


def _flag(at: complex, colors: Iterable[str]) -> str:
    """Return a flag of three stripes, those not to be had yet empty."""
    left, top, have = at.real - 1.5 * STRIPE, at.imag - 9, set(colors)
    return "".join(
        f'<rect x="{left + i * STRIPE:.1f}" y="{top:.1f}" width="{STRIPE}" height="18" '
        f'fill="{SOFT[color] if color in have else "none"}" stroke="{INK}" '
        f'stroke-opacity="{0.8 if color in have else 0.25}"/>'
        for i, color in enumerate(FLAG)
    )


def _routes(board: Board, plan: Layout, view: dict) -> Iterator[str]:
    """Return the tracks: the free ones first, so that trains lie on top of them."""
    names = {location.id: location.name for location in board.locations}
    claims = {claim["route"]: claim["seat"] for claim in view.get("claims", ())}
    for color, claimed in ((RAIL, False), (INK, True)):
        rails = "".join(
            _path([plan.spots[r.a], *(space.at for space in plan.spaces[r.id]), plan.spots[r.b]])
            for r in board.routes
            if (r.id in claims) == claimed
        )
        yield f'<path d="{rails}" fill="none" stroke="{color}" stroke-width="2.5"/>'
    for route in sorted(board.routes, key=lambda route: route.id in claims):
        spaces, seat = plan.spaces[route.id], claims.get(route.id)
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
        yield f'<g data-route="{route.id}" {look}><title>{_clean(what)}</title>{"".join(drawn)}</g>'


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
    for location in board.locations:
        at, district = plan.spots[location.id], location.district
        if district is None:
            yield (
                f'<circle cx="{at.real:.1f}" cy="{at.imag:.1f}" r="{SPOT - 1}" fill="{PAPER}" '
                f'stroke="{INK}" stroke-width="2.5"/>'
            )
        else:
            yield _district(at, district, f"{location.name}: district {district}")
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
    state += [seat["left"]] if seat.get("left") else []
    yield _text(54, 26, _name(seat), 17, room=wide - 126)
    yield _text(54, 44, " · ".join(facts), 13, fill=FAINT)
    yield _text(54, 61, " · ".join(state), 13, fill=_paint(number))
    score = _score(seat)
    if score is not None:
        yield _text(wide - 18, 29, score, 24, anchor="end")
    if "flag" in seat:
        said = " ".join(["flag:", *seat["flag"]] if seat["flag"] else ["no flag card"])
        yield f"<g><title>{_clean(said)}</title>{_flag(complex(wide - 40, 52), seat['flag'])}</g>"
    yield "</svg>"


def _score(seat: dict) -> int | None:
    """Return the points of a seat, once the game is over its total."""
    return seat.get("result", {}).get("total", seat.get("score"))


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
