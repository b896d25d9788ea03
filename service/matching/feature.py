from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from service.feature import Feature, Loop, Services
from service.matching.online import Online
from service.matching.pool import Pool
from service.matching.pool_sweep import sweep

if TYPE_CHECKING:
    from flask import Blueprint


def _blueprints() -> Iterable[Blueprint]:
    from service.api import pool

    yield pool.blueprint


def _build(services: Services) -> None:
    services.add(Pool(services.games))
    services.add(Online(services.games.redis))


def _loops(services: Services) -> Iterable[Loop]:
    yield Loop("pool", 1.0, partial(sweep, services.find(Pool)), is_shared=True)


FEATURE = Feature("pool", _blueprints, _build, _loops)
