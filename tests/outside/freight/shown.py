"""How freight lines are shown."""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.board import Board
from domain.drawing.marks import Drawing, Mark, sample
from domain.shown.shown import Shown, Sign

from .play import RULE, is_freight

CRATE = "\N{WHITE SQUARE}"


def key(_board: Board) -> Iterable[Mark]:
    yield sample(-14) + sample(14), 56, f"{CRATE}: takes any cards, one more"


SHOWN = Shown(
    rule=RULE,
    number="4.1",
    says="Any cards pay for a freight line, one more than it has spaces. Where cards are to be "
    "named, any stands for those of which you have the fewest, wilds last.",
    routes={"freight": Sign(says="freight: takes any cards, one more than its spaces", sign=CRATE)},
    drawing=Drawing(key=key, says=lambda route: ", freight" if is_freight(route) else ""),
)
