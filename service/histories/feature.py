from __future__ import annotations

from service.feature import Blueprints, Feature, Services
from service.histories.log import PublicLog
from service.histories.log_head import LogHead


def _blueprints() -> Blueprints:
    from service.histories import api as histories
    from service.histories import log_api as log

    yield histories.blueprint
    yield log.blueprint  # the same: the log adds its operation


def _build(services: Services) -> None:
    games = services.games
    games.projections.append(PublicLog)
    games.store.first_members = LogHead(games.redis).members


FEATURE = Feature("histories", _blueprints, _build)
