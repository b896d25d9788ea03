"""The composition root: the features of the service, its service objects, its web application.

To add or remove a feature, add or remove its folder and its name here: docs/architecture.md."""

import logging
from typing import TYPE_CHECKING

from redis import Redis

from service import settings
from service.accounts import feature as accounts
from service.analyses import feature as analyses
from service.boards import feature as boards
from service.feature import Services
from service.games import feature as games
from service.games.boards import all_boards
from service.games.clocks import Clocks
from service.games.games import Games
from service.games.store import GameStore
from service.histories import feature as histories
from service.http.limits import Limits, Streams
from service.http.slots import DOWNLOADS, Slots
from service.operation import feature as operation
from service.operation import loops
from service.page import feature as page
from service.pool import feature as pool
from service.ratings import feature as ratings
from service.records import feature as records
from service.records.database import Database
from service.records.reading import game_records
from service.redis import durability, layout
from service.redis.connection import connect
from service.redis.news import News
from service.redis.queue import Queues
from service.starting import queue_url
from service.statistics import feature as statistics
from service.tournaments import feature as tournaments
from service.webhooks import feature as webhooks

if TYPE_CHECKING:
    from flask import Flask

log = logging.getLogger(__name__)
# in the order in which they are built; an account that closes leaves the last one first
FEATURES = tuple(
    one.FEATURE
    for one in (
        accounts,
        boards,
        games,
        histories,
        records,
        analyses,
        statistics,
        ratings,
        tournaments,
        pool,
        webhooks,
        operation,
        page,
    )
)


def build_services(redis: Redis | None = None) -> Services:
    """Return the services over a Redis, by default the one at FOGG_REDIS_URL, and the database at
    FOGG_DATABASE."""
    settings.check()
    redis, database = redis or connect(), Database(settings.DATABASE.value())
    durability.refuse_unfit(redis)
    layout.settle(redis)
    store = GameStore(redis, all_boards(), game_records(database))
    services = Services(
        Games(store, News(redis), Queues(_queue_redis(redis)), Clocks(redis), database), FEATURES
    )
    limits = {kind: words for one in FEATURES for kind, words in one.limits.items()}
    for made in (Limits(redis, limits), Streams(), Slots(DOWNLOADS)):
        services.add(made)
    return services


def _queue_redis(redis: Redis) -> Redis:
    """Return the Redis of the queues: FOGG_QUEUE_URL, else the one of the games. Its commands are
    not retried, since nothing is lost if it does not answer."""
    url = queue_url()
    return connect(url, retry=False) if settings.QUEUE_URL.value() else redis


def create_app(redis: Redis | None = None, *, sweeping: bool = False) -> "Flask":
    """Return the application over a Redis (by default the one at FOGG_REDIS_URL). With
    ``sweeping``, background loops look after unfinished games, clocks and tournaments."""
    from service.http.application import application  # the recorder and commands need no Flask

    services = build_services(redis)
    services.games.database.is_limited = True
    app = application(services)
    if sweeping:
        redis = services.games.redis
        for warning in (*durability.risky_settings(redis), *layout.warnings(redis)):
            log.warning("%s (docs/operations.md)", warning)
        loops.begin(services)
    return app
