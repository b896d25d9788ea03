from collections.abc import Iterable

from prometheus_client.core import Metric

from service.analyses.analyses import WORK, Analyses
from service.feature import Feature, Loop, Services
from service.http.metrics import gauge


def _measures(services: Services) -> Iterable[Metric]:
    yield gauge(
        "fogg_analyses_queue_length",
        "Games that wait for a worker to analyse them.",
        services.games.queues.count(WORK),
    )


FEATURE = Feature(
    "analyses",
    lambda services: services.add(Analyses(services.games)),
    lambda services: [Loop("analyses", 2.0, services.find(Analyses).sweep, is_shared=True)],
    blueprints=("api:blueprint", "api:internal"),
    works=(WORK,),
    measures=_measures,
)
