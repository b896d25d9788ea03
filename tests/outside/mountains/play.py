"""Mountains: a crossing takes one more train from the supply, and scores 2 points for it."""

from __future__ import annotations

from domain.board.parts import Route
from domain.board.shapes import whole
from domain.codec import tagged
from domain.game.events import Event
from domain.game.state import Draft, State, put
from domain.rules.rule import Attribute, Claims, InTable, Number, Numbers, Rule
from domain.secrecy import EVERYBODY, Member, Public

POINTS = 2  # for each train that is lost on a mountain


@tagged
class MountainsCrossed(Event):
    """A seat put trains on the mountains of a route that it claimed, and scored them."""

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


def scores(state: State, _numbers: Numbers) -> Numbers:
    return {"mountains": [POINTS * count for count in state.crossed]}


RULE = Rule(
    name="mountains",
    table=InTable(
        route={"mountains": whole("How many trains its mountains take beyond its length.", 1)},
        is_printed=lambda board: any(map(crossings, board.routes)),
    ),
    claims=Claims(extra_trains=crossings, done=cross),
    evolves={MountainsCrossed: crossed},
    attributes={"crossed": Attribute(0)},
    numbers=(Number("mountains", "Points for trains left on mountains."),),
    scores=scores,
    seat_view=(
        Member(
            "crossed",
            EVERYBODY,
            int,
            "Trains that it left on mountains.",
            lambda state, seat: state.crossed[seat],
        ),
    ),
)
