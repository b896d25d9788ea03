"""Projections, which are derived from histories: ``PROJECTIONS`` lists them.

To add a statistic of finished games, write a module that declares a ``STATISTIC``
(``service.projections.finished``) and add it to ``STATISTICS``. To add something else, write a
subclass of ``Projection`` and add it to ``PROJECTIONS``.
"""

from __future__ import annotations

from service.projections import statistics, tallies
from service.projections.finished import FinishedGames
from service.projections.lists import Deadlines, GameLists, TournamentLists
from service.projections.log import PublicLog
from service.projections.projection import Projection

STATISTICS = (statistics.STATISTIC, tallies.STATISTIC)

# The lists come last: they remove the mark by which the sweep finds a game that is not projected.
PROJECTIONS: tuple[Projection, ...] = (
    FinishedGames(STATISTICS), PublicLog(), Deadlines(), TournamentLists(), GameLists())
