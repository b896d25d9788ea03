from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from service.feature import Feature, Services
from service.records.opponents import Opponents
from service.records.rated import RatedStrengths, Ratings

if TYPE_CHECKING:
    from flask import Blueprint


def _blueprints() -> Iterable[Blueprint]:
    from service.api import ratings

    yield ratings.blueprint


def _build(services: Services) -> None:
    games = services.games
    games.projections += Opponents, Ratings
    games.strengths = RatedStrengths(games)


FEATURE = Feature("ratings", _blueprints, _build)
