"""Freight lines: routes that any cards pay for, one more than their spaces."""

from .play import RULE
from .shown import SHOWN

__all__ = ["RULE", "SHOWN"]
