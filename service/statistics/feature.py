from service.feature import Blueprints, Feature, Services
from service.statistics.statistics import Statistics


def _blueprints() -> Blueprints:
    from service.statistics import api as statistics

    yield statistics.blueprint


def _build(services: Services) -> None:
    services.games.projections.append(Statistics)


FEATURE = Feature("statistics", _blueprints, _build)
