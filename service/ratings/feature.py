from __future__ import annotations

from service.feature import Blueprints, Feature, Services
from service.ratings.opponents import Opponents
from service.ratings.rated import RatedStrengths, Ratings


def _blueprints() -> Blueprints:
    from service.ratings import api as ratings

    yield ratings.blueprint


def _build(services: Services) -> None:
    games = services.games
    games.projections += Opponents, Ratings
    games.strengths = RatedStrengths(games)


FEATURE = Feature("ratings", _blueprints, _build)
