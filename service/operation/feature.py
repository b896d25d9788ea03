from service.feature import Feature, Loop
from service.operation.measures import measures
from service.operation.workforce import Watch, findings

FEATURE = Feature(
    "operation",
    lambda services: services.add(Watch(services)),
    lambda services: [Loop("workforce", 1.0, services.find(Watch).tick)],
    blueprints=("api:blueprint", "api:metrics"),
    measures=measures,
    findings=findings,
)
