"""Shares: a claim gives a share of one of the lines that run on the route, which its seat chooses
before its turn ends. At the end the most shares of a line score points."""

from __future__ import annotations

from collections.abc import Mapping

from domain.board.parts import Route
from domain.board.shapes import Shape, whole
from domain.codec import tagged
from domain.errors import Refused
from domain.game.commands import Command
from domain.game.events import Event
from domain.game.state import Draft, State, put
from domain.rules import settling
from domain.rules.rule import (
    Attribute,
    Claims,
    Decision,
    InTable,
    Number,
    Numbers,
    Rule,
)
from domain.secrecy import EVERYBODY, Member, Public

SHARE = "share"  # the decision after a claim
AMOUNTS = Shape(
    "How many shares each line has.",
    lambda table: table.counts(),
    {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}},
)
LINES = Shape(
    "The lines that run on it.",
    lambda table: tuple([line.slug() for line in table.items()]),
    {"type": "array", "items": {"type": "string"}},
    required=False,
)


@tagged
class TakeShare(Command):
    """Take a share of a line."""

    line: Public[str]


@tagged
class ShareDealt(Event):
    """At the start a seat was dealt a share of a line."""

    seat: Public[int]
    line: Public[str]


@tagged
class ShareOffered(Event):
    """A seat that has claimed a route is to choose a share of one of these lines."""

    seat: Public[int]
    route: Public[str]
    lines: Public[tuple[str, ...]]


@tagged
class ShareTaken(Event):
    """A seat took a share of a line."""

    seat: Public[int]
    line: Public[str]


def lines_of(route: Route) -> tuple[str, ...]:
    """Return the lines that run on a route."""
    lines: tuple[str, ...] = route.marks.get("lines", ())
    return lines


def left(state: State, lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of some lines of which there are shares left."""
    there = state.board.settings["shares"]
    return tuple(
        [line for line in lines if there[line] > sum(held.get(line, 0) for held in state.shares)]
    )


def deal(draft: Draft) -> None:
    """Deal every seat a share."""
    pile = [
        line for line, count in draft.state.board.settings["shares"].items() for _ in range(count)
    ]
    for seat, line in zip(
        draft.state.seats, draft.state.chance.shuffled("shares/1", pile), strict=False
    ):
        draft.emit(ShareDealt(seat, line))


def offer(draft: Draft, seat: int, route: Route) -> bool:
    """Offer a seat the shares that a claim gives; return whether there is a choice."""
    lines = left(draft.state, lines_of(route))
    if len(lines) == 1:
        draft.emit(ShareTaken(seat, *lines))
    elif lines:
        draft.emit(ShareOffered(seat, route.id, lines))
    return len(lines) > 1


def take_share(draft: Draft, seat: int, command: TakeShare) -> None:
    """Take the share that was chosen, and go on with the turn."""
    route = draft.state.board.routes[draft.state.share_route]
    if command.line not in left(draft.state, lines_of(route)):
        raise Refused("no-such-share", "4.1", "there is no share of this line to take", "line")
    draft.emit(ShareTaken(seat, command.line))
    settling.go_on(draft, seat, route, offer)


def choices(state: State, _seat: int) -> list[Command]:
    route = state.board.routes[state.share_route]
    return [TakeShare(line) for line in left(state, lines_of(route))]


def share_offered(state: State, event: ShareOffered) -> None:
    state.step, state.share_route = SHARE, state.board.route_index[event.route]


def share_got(state: State, event: ShareDealt | ShareTaken) -> None:
    held = state.shares[event.seat]
    more = {**held, event.line: held.get(event.line, 0) + 1}
    state.shares = put(state.shares, event.seat, more)


def scores(state: State, _numbers: Numbers) -> Numbers:
    """Return every seat's points: all seats with the most shares of a line get them."""
    points = [0] * len(state.players)
    for line in state.board.settings["shares"]:
        held = [shares.get(line, 0) for shares in state.shares]
        for seat, count in enumerate(held):
            points[seat] += state.board.settings["share_points"] * (count == max(held) > 0)
    return {"shares": points}


RULE = Rule(
    name="shares",
    table=InTable(
        members={"shares": AMOUNTS, "share_points": whole("Points for the most shares of a line.")},
        route={"lines": LINES},
        is_printed=lambda board: any(map(lines_of, board.routes)),
    ),
    claims=Claims(done=offer),
    set_up=deal,
    decides={TakeShare: take_share},
    evolves={ShareDealt: share_got, ShareOffered: share_offered, ShareTaken: share_got},
    attributes={"shares": Attribute({}), "share_route": Attribute(0, for_all=True)},
    decisions={
        SHARE: Decision(("take_share",), "4.1", "take a share of a line on your new route", choices)
    },
    numbers=(Number("shares", "Points for the most shares of each line."),),
    scores=scores,
    seat_view=(
        Member(
            "shares",
            EVERYBODY,
            Mapping[str, int],
            "Its shares, by line.",
            lambda state, seat: state.shares[seat],
        ),
    ),
)
