"""Expresses: a second kind of wild, for long routes only, of which two may be taken face up."""

from .play import RULE
from .shown import SHOWN

__all__ = ["RULE", "SHOWN"]
