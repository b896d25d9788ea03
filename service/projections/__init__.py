"""Projections, which are derived from histories: ``PROJECTIONS`` lists them.

To add one, write a subclass of ``Projection`` and add it to ``PROJECTIONS``.
"""

from __future__ import annotations

from service.projections.lists import Deadlines, GameLists, TournamentLists
from service.projections.projection import Projection
from service.projections.ratings import Ratings

# The lists come last: they remove the mark by which the sweep finds a game that is not projected.
PROJECTIONS: tuple[Projection, ...] = (Ratings(), Deadlines(), TournamentLists(), GameLists())
