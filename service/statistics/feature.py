from service.feature import Feature
from service.statistics.statistics import Statistics

FEATURE = Feature("statistics", lambda services: services.games.projections.append(Statistics))
