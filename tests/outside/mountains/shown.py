"""How mountains are shown."""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.board import Board
from domain.drawing.marks import Drawing, Mark, sample
from domain.shown.shown import Shown, Sign

from .play import RULE, MountainsCrossed, crossings

CROSS = "\N{MULTIPLICATION SIGN}"


def key(_board: Board) -> Iterable[Mark]:
    yield sample(-14) + sample(14), 56, f"{CROSS}: a mountain takes a train more"


SHOWN = Shown(
    rule=RULE,
    number="4.1",
    says="Each mountain of a route takes a train more than its spaces, which scores 2 points.",
    events={MountainsCrossed: "{seat} leaves {crossed train} on the mountains: {points point}"},
    seats={"crossed": "{crossed train} on mountains"},
    routes={"mountains": Sign(says="mountains: {mountains train} more", sign=CROSS)},
    drawing=Drawing(
        key=key, says=lambda route: f", {crossings(route)} mountains" if crossings(route) else ""
    ),
)
