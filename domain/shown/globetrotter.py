"""Words for the globetrotter (7.5)."""

from domain.rules import globetrotter
from domain.shown.shown import Shown

SHOWN = Shown(
    rule=globetrotter.RULE,
    number="7.5",
    says="Whoever has completed the most tickets gets {globetrotter_bonus point}.",
)
