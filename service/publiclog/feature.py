from __future__ import annotations

from service.feature import Feature, Services
from service.records.log import PublicLog


def _build(services: Services) -> None:
    services.games.projections.append(PublicLog)


FEATURE = Feature("publiclog", build=_build)
