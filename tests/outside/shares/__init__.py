"""Shares: a claim gives a share of one of the lines that run on the route."""

from .play import RULE
from .shown import SHOWN

__all__ = ["RULE", "SHOWN"]
