from collections.abc import Iterable

from prometheus_client import Counter
from prometheus_client.core import Metric

from service.accounts.accounts import Account
from service.feature import Feature, Loop, Services
from service.http.metrics import COUNTED, gauge
from service.redis.queue import Crew
from service.webhooks import lanes, webhooks
from service.webhooks.deliveries import Deliveries
from service.webhooks.sweep import Sweep

DELIVERIES = Counter(
    "fogg_deliveries",
    "Attempts at calling webhooks; calls given up or out of date.",
    ["outcome"],
    registry=COUNTED,
)


def _build(services: Services) -> None:
    games = services.games
    deliveries = Deliveries(games, lambda outcome: DELIVERIES.labels(outcome).inc())
    services.add(deliveries)
    games.listeners.append(deliveries.note_last_entry)
    games.on_rollback.append(deliveries.on_rollback)
    games.on_notice.append(deliveries.note_notice)


def _measures(services: Services) -> Iterable[Metric]:
    games = services.games
    yield gauge(
        "fogg_deliveries_queue_length",
        "Lanes of webhooks that wait for a worker.",
        games.queues.count(lanes.WORK),
    )
    yield gauge(
        "fogg_deliveries_waiting",
        "Calls of webhooks that are yet to be made, those that are tried again later included.",
        lanes.count_due(games.redis),
    )


def _loops(services: Services) -> Iterable[Loop]:
    deliveries = services.find(Deliveries)
    yield Loop("deliveries", 2.0, Sweep(deliveries).run, is_shared=True)
    yield Loop("webhooks", 2.0, deliveries.refresh)


def _leave(services: Services, account: Account) -> None:
    redis = services.games.redis
    for webhook in webhooks.webhooks_of(redis, account):
        webhooks.delete(redis, account, webhook)


FEATURE = Feature(
    "webhooks",
    _build,
    _loops,
    blueprints=("api:blueprint", "api:internal"),
    works=(lanes.WORK,),
    crew=Crew(lanes.WORK.queue, "calls webhooks", "lanes of webhooks"),
    measures=_measures,
    limits={"pings": "test calls of this account's webhooks"},
    on_account_closed=_leave,
)
