from __future__ import annotations

from service.feature import Feature, Services
from service.records.log import PublicLog
from service.store.log_head import LogHead


def _build(services: Services) -> None:
    games = services.games
    games.projections.append(PublicLog)
    games.store.first_members = LogHead(games.redis).members


FEATURE = Feature("publiclog", build=_build)
