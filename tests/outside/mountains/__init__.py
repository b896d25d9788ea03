"""Mountains: a crossing takes one more train from the supply, and scores 2 points for it."""

from .play import RULE
from .shown import SHOWN

__all__ = ["RULE", "SHOWN"]
