"""Bare tracks: they take no wilds, but also twice as many cards of any other colour."""

from .play import RULE
from .shown import SHOWN

__all__ = ["RULE", "SHOWN"]
