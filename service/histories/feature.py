from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from service.feature import Feature, Services
from service.records.log import PublicLog
from service.store.log_head import LogHead

if TYPE_CHECKING:
    from flask import Blueprint


def _blueprints() -> Iterable[Blueprint]:
    from service.api import histories, log

    yield histories.blueprint
    yield log.blueprint  # the same: the log adds its operation


def _build(services: Services) -> None:
    games = services.games
    games.projections.append(PublicLog)
    games.store.first_members = LogHead(games.redis).members


FEATURE = Feature("histories", _blueprints, _build)
