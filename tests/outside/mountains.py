"""Mountains: a crossing takes one more train from the supply, and scores 2 points for it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from domain.board.board import Board
from domain.board.parts import Route
from domain.board.shapes import whole
from domain.changes import plus
from domain.codec import tagged
from domain.drawing.marks import Drawing, Mark, sample
from domain.game.events import Event
from domain.game.state import Draft, State, put
from domain.rules.rule import Kept, Number, Numbers, Rule
from domain.secrecy import EVERYBODY, Folded, Public, Shown

CROSS = "\N{MULTIPLICATION SIGN}"
POINTS = 2  # for each train that is lost on a mountain


@tagged
class MountainsCrossed(Event):
    """A seat put trains on the mountains of a route that it claimed, and scored them."""

    says: ClassVar = ("{seat} leaves {crossed train} on the mountains: {points point}",)
    seat: Public[int]
    crossed: Public[int]
    points: Public[int]


def crossings(route: Route) -> int:
    """Return how many mountains a route crosses."""
    count: int = route.marks.get("mountains", 0)
    return count


def cross(draft: Draft, seat: int, route: Route) -> None:
    """Score the trains that the mountains of a claimed route have taken."""
    if count := crossings(route):
        draft.emit(MountainsCrossed(seat, count, POINTS * count))


def crossed(state: State, event: MountainsCrossed) -> None:
    seat = event.seat
    state.points = put(state.points, seat, state.points[seat] + event.points)
    state.crossed = put(state.crossed, seat, state.crossed[seat] + event.crossed)


def scores(state: State, _found: Numbers) -> Numbers:
    return {"mountains": [POINTS * count for count in state.crossed]}


def key(_board: Board) -> Iterable[Mark]:
    yield sample(-14) + sample(14), 56, f"{CROSS}: a mountain takes a train more"


RULE = Rule(
    name="mountains",
    number="4.1",
    says="Each mountain of a route takes a train more than its spaces, which scores 2 points.",
    route={"mountains": whole("How many trains its mountains take beyond its length.", 1,
                              says="mountains: {mountains train} more", sign=CROSS)},
    is_printed=lambda board: any(map(crossings, board.routes)),
    evolves={MountainsCrossed: crossed},
    keeps={"crossed": Kept(0)},
    extra_trains=crossings,
    claimed=cross,
    numbers=(Number("mountains", "Points for trains left on mountains."),),
    scores=scores,
    seat_view=(Shown("crossed", EVERYBODY, int, "Trains that it left on mountains.",
                     lambda state, seat: state.crossed[seat], says="{crossed train} on mountains",
                     folded=Folded(lambda board: 0, {MountainsCrossed: plus("crossed")})),),
    drawing=Drawing(key=key, says=lambda route: f", {crossings(route)} mountains"
                    if crossings(route) else ""),
)
