from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from service.feature import Feature, Services
from service.records.statistics import Statistics

if TYPE_CHECKING:
    from flask import Blueprint


def _blueprints() -> Iterable[Blueprint]:
    from service.api import statistics

    yield statistics.blueprint


def _build(services: Services) -> None:
    services.games.projections.append(Statistics)


FEATURE = Feature("statistics", _blueprints, _build)
