"""Wilds to pick: a face-up wild counts as one of the two cards of a turn."""

from .play import RULE
from .shown import SHOWN

__all__ = ["RULE", "SHOWN"]
