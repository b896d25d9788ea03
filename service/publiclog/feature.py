from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from service.feature import Feature, Services
from service.records.log import PublicLog
from service.store.log_head import LogHead

if TYPE_CHECKING:
    from flask import Blueprint


def _blueprints() -> Iterable[Blueprint]:
    from service.api import log

    yield log.blueprint


def _build(services: Services) -> None:
    games = services.games
    games.projections.append(PublicLog)
    games.store.first_members = LogHead(games.redis).members


FEATURE = Feature("publiclog", _blueprints, _build)
