"""How bare tracks are shown."""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.board import Board
from domain.drawing.marks import Drawing, Mark, sample
from domain.shown.shown import Shown, Sign

from .play import RULE, is_bare

RING = "\N{WHITE CIRCLE}"


def key(_board: Board) -> Iterable[Mark]:
    yield sample(-14) + sample(14), 56, f"{RING}: takes no wilds"


SHOWN = Shown(
    rule=RULE,
    number="4.1",
    says="Some routes take no wilds, but twice as many cards of any colour that is not theirs.",
    routes={
        "bare": Sign(
            says="bare: takes no wilds, or twice as many cards of another colour", sign=RING
        )
    },
    drawing=Drawing(key=key, says=lambda route: ", bare" if is_bare(route) else ""),
)
