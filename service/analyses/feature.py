from collections.abc import Iterable

from prometheus_client.core import Metric

from service.analyses.analyses import WORK, Analyses
from service.feature import Blueprints, Feature, Loop, Services
from service.http.metrics import gauge


def _blueprints() -> Blueprints:
    from service.analyses import api

    return api.blueprint, api.internal


def _loops(services: Services) -> Iterable[Loop]:
    yield Loop("analyses", 2.0, services.find(Analyses).sweep, is_shared=True)


def _measures(services: Services) -> Iterable[Metric]:
    yield gauge("fogg_analyses_queue_length", "Games that wait for a worker to analyse them.",
                services.games.queues.count(WORK))


FEATURE = Feature(
    "analyses", _blueprints, lambda services: services.add(Analyses(services.games)), _loops,
    works=(WORK,), measures=_measures)
