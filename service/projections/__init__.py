"""Projections, which are derived from histories: ``PROJECTIONS`` lists them.

To add one, write a subclass of ``Projection`` and add it to ``PROJECTIONS``.
"""

from __future__ import annotations

from service.projections.projection import Projection
from service.projections.ratings import Ratings

PROJECTIONS: tuple[Projection, ...] = (Ratings(),)
