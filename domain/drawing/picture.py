"""A board, or a game on it, as an SVG picture without external files.

``draw(board)`` is the map; ``draw(board, view)`` the game in a view. Secrets of seats are never
drawn for any viewer. The same input gives the same bytes.
"""

import math
from collections.abc import Iterator

from domain.board.board import Board
from domain.board.parts import WILD
from domain.codec import Json
from domain.drawing.ground import land
from domain.drawing.labels import FONT, LINE, SPOT, Space, width
from domain.drawing.layout import Layout, layout
from domain.drawing.marks import (
    FAINT,
    INK,
    LAND,
    OTHER,
    PAPER,
    RAIL,
    SEA,
    SHORE,
    SOFT,
    Mark,
    badge,
    clean,
    free_space,
    paint,
    path,
    size_of,
    text,
    turned,
)

HEADER = 64  # height above the map
KEY, LOWER = 44, 26  # height of the key below the map, and of each further line
PANEL, ROW, COUNTS = 330, 76, 210  # next to the map: width, height of a seat, height of the counts
STRIPES = ("red", "yellow", "green", "blue")  # stripes of a wild card


def draw(board: Board, view: Json | None = None) -> str:
    plan = layout(board)
    wide, said, key = round(plan.width), clean(_say(board, view)), _lines(board, plan.width)
    high = HEADER + round(plan.height) + (KEY + LOWER * (len(key) - 1) if key else 0)
    if view:
        wide, high = wide + PANEL, max(high, HEADER + len(view["seats"]) * ROW + COUNTS)
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" '
            f'height="{high}" role="img" aria-label="{said}" font-weight="bold" '
            'font-family="Helvetica, Arial, Liberation Sans, sans-serif">',
            f"<title>{said}</title>",
            f'<rect y="{HEADER}" width="{wide}" height="{high - HEADER}" fill="{SEA}"/>',
            f'<svg y="{HEADER}" width="{plan.width:.0f}" height="{high - HEADER}">',
            *chart(board, plan, view or {}),
            *_explained(key, plan),
            "</svg>",
            f'<path d="M0 {HEADER}V18a18 18 0 0 1 18-18H{wide - 18}a18 18 0 0 1 18 18V{HEADER}z" '
            f'fill="{INK}"/>',
            text(26, 42, board.name, 30, fill=PAPER, room=plan.width - 52),
            *(_panel(board, wide - PANEL, high, view) if view else ()),
            "</svg>",
        )
    )


def chart(board: Board, plan: Layout, view: Json) -> Iterator[str]:
    """Return the map alone; ``view`` is {} for an empty one."""
    yield from _land(board, plan)
    for each in board.shown.drawings:
        yield from each.under(board, plan) if each.under else ()
    yield from _routes(board, plan, view)
    yield from _locations(board, plan, view)


def _say(board: Board, view: Json | None) -> str:
    if not view:
        return f"{board.name}: {len(board.locations)} locations, {len(board.routes)} routes"
    seats = [f"{_name(seat)} {_score(seat) or 0}" for seat in view["seats"]]
    return f"{board.name}, {view['status']}: {', '.join(seats)}"


def _land(board: Board, plan: Layout) -> Iterator[str]:
    areas, lines, coast = land(board, plan)
    for size, color in ((2 * coast + 16, SHORE), (2 * coast, LAND)):
        yield (
            f'<path d="{areas}{lines}" fill="none" stroke="{color}" '
            f'stroke-width="{size}" stroke-linejoin="round" stroke-linecap="round"/>'
        )
    yield f'<path d="{areas}" fill="{LAND}"/>'


def _lines(board: Board, room: float) -> list[list[Mark]]:
    lines: list[list[Mark]] = []
    used = math.inf
    for mark in (mark for each in board.shown.drawings if each.key for mark in each.key(board)):
        needed = mark[1] + width(mark[2], 13) + 34
        if used + needed > room:
            lines, used = [*lines, []], 26.0
        lines[-1].append(mark)
        used += needed
    return lines


def _explained(key: list[list[Mark]], plan: Layout) -> Iterator[str]:
    if key:
        yield (
            f'<rect y="{plan.height:.0f}" width="100%" height="100%" fill="{LAND}" '
            f'stroke="{SHORE}"/>'
        )
    for i, line in enumerate(key):
        left, y = 26.0, plan.height + KEY - 24 + LOWER * i
        for mark, wide, words in line:
            yield f'<g transform="translate({left + wide / 2:.1f} {y:.1f})">{mark}</g>'
            yield text(left + wide + 8, y + 4.5, words, 13, fill=FAINT)
            left += wide + width(words, 13) + 34


def _routes(board: Board, plan: Layout, view: Json) -> Iterator[str]:
    names = {location.id: location.name for location in board.locations}
    claims = {claim["route"]: claim["seat"] for claim in view.get("claims", ())}
    drawings = board.shown.drawings
    for color, claimed in ((RAIL, False), (INK, True)):
        rails = "".join(
            path([plan.spots[r.a], *(space.at for space in plan.spaces[r.id]), plan.spots[r.b]])
            for r in board.routes
            if (r.id in claims) == claimed
        )
        yield f'<path d="{rails}" fill="none" stroke="{color}" stroke-width="2.5"/>'
    for route in sorted(board.routes, key=lambda route: route.id in claims):
        spaces, seat = plan.spaces[route.id], claims.get(route.id)
        what = f"{names[route.a]} to {names[route.b]}: {route.length} {route.color}"
        what += "".join(each.says(route) for each in drawings if each.says)
        if seat is None:
            look = f'fill="{SOFT.get(route.color, OTHER)}" stroke="#000" stroke-opacity=".35"'
            edge = "".join(each.edge(route) for each in drawings if each.edge)
            drawn = [free_space(space, edge) for space in spaces]
            drawn += [
                mark
                for each in drawings
                if each.on_spaces
                for mark in each.on_spaces(route, spaces)
            ]
        else:
            look, what = f'data-seat="{seat}" fill="{paint(seat)}"', f"{what}, seat {seat + 1}"
            drawn = [_train(space, engine=space is spaces[-1]) for space in spaces]
            drawn.append(badge(spaces[(len(spaces) - 1) // 2].at, seat, 7))
        yield f'<g data-route="{route.id}" {look}><title>{clean(what)}</title>{"".join(drawn)}</g>'


def _train(space: Space, *, engine: bool) -> str:
    end = space.length / 2 - 4
    top = (
        f'<circle cx="{end - 3:.1f}" r="3" fill="{INK}" stroke="#fff"/>'
        if engine
        else f'<path d="M{-end:.1f} 0H{end:.1f}" stroke="#fff" stroke-opacity=".8" '
        'stroke-width="3.5" stroke-dasharray="4 3"/>'
    )
    return (
        f'<g {turned(space)}><rect class="space" rx="{6 if engine else 2.5}" {size_of(space)} '
        f'stroke="{INK}" stroke-width="2"/>{top}</g>'
    )


def _locations(board: Board, plan: Layout, view: Json) -> Iterator[str]:
    drawings = board.shown.drawings
    for location in board.locations:
        at = plan.spots[location.id]
        own = "".join(each.location(location, at) for each in drawings if each.location)
        yield own or (
            f'<circle cx="{at.real:.1f}" cy="{at.imag:.1f}" r="{SPOT - 1}" fill="{PAPER}" '
            f'stroke="{INK}" stroke-width="2.5"/>'
        )
    for each in drawings:
        if each.over:
            yield from each.over(view, plan)
    yield f'<g fill="{INK}" stroke="{LAND}" stroke-width="3.5" paint-order="stroke" '
    yield f'stroke-linejoin="round" font-size="{FONT}" text-anchor="middle">'
    for location in board.locations:
        lines, (left, top, right, _) = plan.labels[location.id]
        x = f"{(left + right) / 2:.1f}"
        spans = " ".join(
            f'<tspan x="{x}" y="{top + (i + 0.78) * LINE:.1f}">{clean(line)}</tspan>'
            for i, line in enumerate(lines)
        )
        yield f'<text data-location="{location.id}">{spans}</text>'
    yield "</g>"


def _panel(board: Board, left: int, high: int, view: Json) -> Iterator[str]:
    final = f"final turns: {view['final_turns']} · " if "final_turns" in view else ""
    version = f" · version {view['version']}" if "version" in view else ""
    said = f"{final}{view['status']}{version}"
    yield text(left + PANEL - 22, 41, said, 17, fill=PAPER, anchor="end")
    yield f'<path d="M{left} {HEADER}h{PANEL}V{high}h{-PANEL}z" fill="{LAND}"/>'
    deciding = {each["seat"]: each["decision"] for each in view["deciding"]}
    top = HEADER + 12
    for seat in view["seats"]:
        yield from _seat(board, left + 12, top, seat, deciding.get(seat["seat"]))
        top += ROW
    for i, color in enumerate(view.get("row", ())):
        yield from _card(left + 16 + i * 62, top + 10, color)
    counts = (("deck", "deck"), ("discards", "discards"), ("ticket_deck", "tickets"))
    for i, (member, what) in enumerate(counts):
        if member in view:
            middle = left + PANEL * (i + 0.5) / 3
            yield text(middle, top + 148, view[member], 22, anchor="middle")
            yield text(middle, top + 166, what, 12, fill=FAINT, anchor="middle")


def _seat(board: Board, left: int, top: int, seat: Json, decision: str | None) -> Iterator[str]:
    """Return a seat's public data; framed if it has to decide or has won.

    An inner svg clips names with stacked marks.
    """
    number, result, wide, high = seat["seat"], seat.get("result", {}), PANEL - 24, ROW - 4
    framed = decision or result.get("rank") == 1
    yield (
        f'<svg data-panel="{number}" x="{left}" y="{top}" width="{wide}" height="{high}">'
        f'<rect x="2" y="2" width="{wide - 4}" height="{high - 4}" rx="10" fill="{PAPER}" '
        f'stroke="{INK if framed else SHORE}" stroke-width="{3 if framed else 1}"/>'
    )
    yield badge(28 + 36j, number, 14)
    facts = [f"{seat[fact]} {fact}" for fact in ("trains", "cards", "tickets") if fact in seat]
    state = [f"rank {result['rank']}"] if result else []
    state += [f"to decide: {decision.replace('_', ' ')}"] if decision else []
    drawings = board.shown.drawings
    state += [said for each in drawings if each.seat_says for said in each.seat_says(seat)]
    state += [seat["left"]] if seat.get("left") else []
    yield text(54, 26, _name(seat), 17, room=wide - 126)
    yield text(54, 44, " · ".join(facts), 13, fill=FAINT)
    yield text(54, 61, " · ".join(state), 13, fill=paint(number))
    score = _score(seat)
    if score is not None:
        yield text(wide - 18, 29, score, 24, anchor="end")
    for each in drawings:
        if each.seat_mark:
            yield from each.seat_mark(seat, wide)
    yield "</svg>"


def _score(seat: Json) -> int | None:
    points: int | None = seat.get("result", {}).get("total", seat.get("score"))
    return points


def _name(seat: Json) -> str:
    return seat["player"]["name"] if "player" in seat else "open seat"


def _card(left: int, top: int, color: str) -> Iterator[str]:
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
    yield text(left + 25, top + 89, color, 11, fill=FAINT, anchor="middle")
