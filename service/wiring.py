"""What a process of the service is made of, and how it hangs together."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from redis import Redis
from rq import Queue

from service.accounts.tokens import Caller
from service.games import workers
from service.games.boards import all_boards
from service.games.clocks import Clocks
from service.games.games import Games
from service.operation import metrics
from service.operation.limits import Limits
from service.operation.redis import connect
from service.records import filing
from service.store.news import News
from service.tournaments.tournaments import Tournaments
from service.webhooks.deliveries import Deliveries
from service.webhooks.lanes import QUEUE


@dataclass(frozen=True)
class Services:
    """Everything that requests, loops and commands are served with."""

    games: Games
    tournaments: Tournaments
    deliveries: Deliveries
    limits: Limits
    callers: dict[str, Caller] = field(default_factory=dict)  # those last known, by token's key


def services(redis: Redis | None = None) -> Services:
    """Return the services over a Redis, by default the one at FOGG_REDIS_URL."""
    redis = redis or connect()
    queues = _queue_redis(redis)
    games = Games(metrics.CountedStore(redis, all_boards()), News(redis),
                  Queue(workers.QUEUE, connection=queues), Clocks(redis), filing.file)
    deliveries = Deliveries(games, Queue(QUEUE, connection=queues), metrics.count_outcome)
    games.listeners.append(deliveries.note_last_entry)
    return Services(games, Tournaments(games), deliveries, Limits(redis))


def _queue_redis(redis: Redis) -> Redis:
    """Return the Redis of the queues: FOGG_QUEUE_URL, or the one of the games. It is not tried
    twice, as nothing is lost where it does not answer."""
    url = os.environ.get("FOGG_QUEUE_URL")
    return connect(url, retry=False) if url else redis
