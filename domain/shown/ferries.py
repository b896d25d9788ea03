"""How ferries are shown (4.3)."""

from collections.abc import Iterable, Sequence

from domain.board.board import Board
from domain.board.parts import Route
from domain.drawing.labels import Space
from domain.drawing.marks import Drawing, Mark, sample, star
from domain.rules.ferries import RULE, wilds_of
from domain.shown.shown import Shown, Sign


def key(_board: Board) -> Iterable[Mark]:
    mark = sample(-14) + sample(14) + star(Space(14, 0, 25, 12))
    yield mark, 56, "ferry: a wild card for every star"


def stars(route: Route, spaces: Sequence[Space]) -> Iterable[str]:
    return [star(space) for space in spaces[: wilds_of(route)]]


SHOWN = Shown(
    rule=RULE,
    number="4.3",
    says="At least as many of the cards paid must be wild as the route shows symbols.",
    routes={"ferry": Sign(says="ferry: at least {ferry:wild}")},
    statistics=lambda board: {"ferries": sum(wilds_of(route) > 0 for route in board.routes)},
    drawing=Drawing(
        key=key,
        over_water=lambda route: wilds_of(route) > 0,
        on_spaces=stars,
        says=lambda route: f", ferry of {wilds_of(route)}" if wilds_of(route) else "",
    ),
)
