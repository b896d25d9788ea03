from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rq import Queue

from service.feature import Feature, Loop, Services
from service.games.analyses import QUEUE, Analyses

if TYPE_CHECKING:
    from flask import Blueprint


def _blueprints() -> Iterable[Blueprint]:
    from service.api import analyses

    yield analyses.blueprint


def _build(services: Services) -> None:
    games = services.games
    services.add(Analyses(games, Queue(
        QUEUE, connection=games.queue.connection, serializer="json")))


def _loops(services: Services) -> Iterable[Loop]:
    yield Loop("analyses", 2.0, services.find(Analyses).sweep, is_shared=True)


FEATURE = Feature("analyses", _blueprints, _build, _loops)
