"""Wilds to pick: a face-up wild counts as one of the two cards of a turn."""

from domain.board.parts import WILD
from domain.rules.rule import Rule

RULE = Rule(name="wilds", draws=lambda _board: {WILD: 1})
