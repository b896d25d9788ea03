"""How wilds to pick are shown."""

from domain.shown.shown import Shown

from .play import RULE

SHOWN = Shown(
    rule=RULE,
    number="3.2",
    says="A face-up wild counts as one card: it may be the second of a turn, too.",
)
