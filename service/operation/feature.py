from collections.abc import Iterable

from service.feature import Feature, Loop, Services
from service.operation.measures import measures
from service.operation.workforce import Watch, findings


def _loops(services: Services) -> Iterable[Loop]:
    yield Loop("workforce", 1.0, services.find(Watch).tick)


FEATURE = Feature(
    "operation", lambda services: services.add(Watch(services)), _loops,
    blueprints=("api:blueprint", "api:metrics"), measures=measures, findings=findings)
