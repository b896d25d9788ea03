"""How rules are shown: their sentences, signs on maps, drawings, statistics and exported columns.

A module for each rule that has more than words, listed here, and one for all others. Rules play
in ``domain/rules/``, which knows nothing of this folder.
"""

from domain.shown import common, districts, ferries, flags, stations, tunnels
from domain.shown.shown import Exported, Showing, Shown, Sign, shown_of

__all__ = ["MODULES", "Exported", "Showing", "Shown", "Sign", "shown_of"]

MODULES = (common, districts, ferries, flags, stations, tunnels)
