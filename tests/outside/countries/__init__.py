"""Countries: a ticket may end in any place of several countries, each with a value of its own."""

from .play import RULE
from .shown import SHOWN

__all__ = ["RULE", "SHOWN"]
