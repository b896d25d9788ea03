from service.feature import Blueprints, Feature
from service.statistics.statistics import Statistics


def _blueprints() -> Blueprints:
    from service.statistics import api

    yield api.blueprint


FEATURE = Feature("statistics", _blueprints,
                  lambda services: services.games.projections.append(Statistics))
