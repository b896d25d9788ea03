from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rq import Queue

from service.accounts.accounts import Account
from service.feature import Feature, Loop, Services
from service.operation import metrics
from service.webhooks import webhooks
from service.webhooks.deliveries import Deliveries
from service.webhooks.lanes import QUEUE
from service.webhooks.sweep import Sweep

if TYPE_CHECKING:
    from flask import Blueprint


def _blueprints() -> Iterable[Blueprint]:
    from service.api.webhooks import blueprint

    yield blueprint


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


def _leave(services: Services, account: Account) -> None:
    redis = services.games.redis
    for webhook in webhooks.webhooks_of(redis, account):
        webhooks.delete(redis, account, webhook)


FEATURE = Feature(
    "webhooks", _blueprints, _build, _loops, on_account_closed=_leave, is_left_first=True)
