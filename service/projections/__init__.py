"""Projections, which are derived from histories."""

from __future__ import annotations

from service.projections.projection import Projection

PROJECTIONS: tuple[Projection, ...] = ()
