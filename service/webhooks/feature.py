from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rq import Queue

from service.feature import Feature, Loop, Services
from service.operation import metrics
from service.webhooks.deliveries import Deliveries
from service.webhooks.lanes import QUEUE
from service.webhooks.sweep import Sweep

if TYPE_CHECKING:
    from flask import Blueprint


def _blueprints() -> Iterable[Blueprint]:
    from service.api import webhooks

    yield webhooks.blueprint


def _build(services: Services) -> None:
    games = services.games
    queue = Queue(QUEUE, connection=games.queue.connection, serializer="json")
    deliveries = Deliveries(games, queue, metrics.count_outcome)
    services.add(deliveries)
    games.listeners.append(deliveries.note_last_entry)
    games.on_rollback.append(deliveries.on_rollback)
    games.on_notice.append(deliveries.note_notice)


def _loops(services: Services) -> Iterable[Loop]:
    deliveries = services.find(Deliveries)
    yield Loop("deliveries", 2.0, Sweep(deliveries).run, is_shared=True)
    yield Loop("webhooks", 2.0, deliveries.refresh)


FEATURE = Feature("webhooks", _blueprints, _build, _loops)
