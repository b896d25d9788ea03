from collections.abc import Iterable

from service.feature import Blueprints, Feature, Loop, Services
from service.operation.measures import measures
from service.operation.workforce import Watch, findings


def _blueprints() -> Blueprints:
    from service.operation import api

    yield api.blueprint
    yield api.metrics


def _loops(services: Services) -> Iterable[Loop]:
    yield Loop("workforce", 1.0, services.find(Watch).tick)


FEATURE = Feature("operation", _blueprints, lambda services: services.add(Watch(services)), _loops,
                  measures=measures, findings=findings)
