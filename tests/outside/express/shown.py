"""How expresses are shown."""

from domain.shown.shown import Shown

from .play import LONG, RULE

SHOWN = Shown(
    rule=RULE,
    number="4.1",
    says=f"An express stands for any colour on a route of {LONG} spaces or more.",
)
