"""The Flask application."""

from __future__ import annotations

import os
from pathlib import Path

from flask import Flask
from rq import Queue
from werkzeug.middleware.proxy_fix import ProxyFix

from service.accounts import bots
from service.api import (
    boards,
    games,
    headers,
    histories,
    inside,
    limits,
    operation,
    pages,
    players,
    playing,
    problems,
    ratings,
    request_log,
    requests,
    statistics,
    tournaments,
    webhooks,
)
from service.games.boards import all_boards
from service.games.clocks import Clocks
from service.games.games import Games
from service.operation import loops, metrics
from service.operation.limits import Limits
from service.operation.redis import connect
from service.store.news import News
from service.tournaments.tournaments import Tournaments
from service.webhooks.deliveries import QUEUE, Calls

BLUEPRINTS = (players, webhooks, boards, games, playing, histories, statistics, ratings,
              tournaments, operation)


def create_app(redis=None, *, sweeping: bool = False) -> Flask:
    """Return the application over a Redis (by default the one at FOGG_REDIS_URL).

    FOGG_BOTS names the file with the built-in bots' tokens, FOGG_PROXIES says how many proxies are
    in front and tell whom they speak for (X-Forwarded-For). ``sweeping`` looks after unfinished
    games, clocks and tournaments in the background.
    """
    app = Flask("fogg", static_folder=None)
    app.url_map.strict_slashes = False
    app.json = requests.Provider(app)
    app.config["MAX_CONTENT_LENGTH"] = requests.LARGEST_BODY
    request_log.register(app)
    headers.register(app)
    problems.register(app)
    for module in BLUEPRINTS:
        app.register_blueprint(module.blueprint)
    app.register_blueprint(pages.blueprint)
    app.register_blueprint(inside.blueprint)

    redis = redis or connect()
    store = metrics.CountedStore(redis, all_boards())
    queue = Queue(bots.QUEUE, connection=_queue_redis(redis))
    games_ = Games(store, News(redis), queue, Clocks(redis))
    tournaments_ = Tournaments(games_)
    calls = Calls(games_, Queue(QUEUE, connection=queue.connection), metrics.delivered)
    games_.listeners.append(calls.tell)
    app.extensions |= {"fogg": games_, "tournaments": tournaments_, "calls": calls,
                       "limits": Limits(redis), "callers": {}}
    app.after_request(limits.tell)
    if proxies := int(os.environ.get("FOGG_PROXIES", 0)):
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies)
    if tokens := os.environ.get("FOGG_BOTS"):
        bots.register(redis, Path(tokens))
    if sweeping:
        loops.begin(games_, tournaments_, calls)
    return app


def _queue_redis(redis):
    """Return the Redis of the queue: FOGG_QUEUE_URL, or the one of the games. It is not tried
    twice, as nothing is lost where it does not answer."""
    url = os.environ.get("FOGG_QUEUE_URL")
    return connect(url, retry=False) if url else redis
