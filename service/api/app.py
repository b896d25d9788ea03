"""The Flask application."""

from __future__ import annotations

import logging
import os

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from service.accounts import bots
from service.api import (
    boards,
    compressing,
    games,
    headers,
    histories,
    inside,
    limits,
    live,
    offers,
    operation,
    page,
    pages,
    players,
    playing,
    pool,
    problems,
    ratings,
    request_log,
    requests,
    serving,
    statistics,
    tournaments,
    webhooks,
    wiring,
)
from service.operation import durability, loops
from service.store import caps, numbers

log = logging.getLogger(__name__)
BLUEPRINTS = (players, webhooks, boards, games, offers, playing, live, histories, statistics,
              ratings, tournaments, pool, operation)


def create_app(redis=None, *, sweeping: bool = False) -> Flask:
    """Return the application over a Redis (by default the one at FOGG_REDIS_URL).

    FOGG_BOTS names the file with the built-in bots' tokens, FOGG_PROXIES says how many proxies are
    in front and tell whom they speak for (X-Forwarded-For). ``sweeping`` looks after unfinished
    games, clocks and tournaments in the background.
    """
    app = Flask("fogg", static_folder=None)
    app.url_map.strict_slashes = False
    request_log.register(app)
    compressing.register(app)
    requests.register(app)
    headers.register(app)
    problems.register(app)
    for module in BLUEPRINTS:
        app.register_blueprint(module.blueprint)
    app.register_blueprint(pages.blueprint)
    app.register_blueprint(page.blueprint)
    app.register_blueprint(inside.blueprint)

    caps.settings(os.environ.get("FOGG_CAPS", ""))  # refuse what is no setting now
    numbers.check()
    made = wiring.services(redis)
    serving.serve(app, made)
    app.after_request(limits.tell)
    if proxies := int(numbers.number("FOGG_PROXIES")):
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies)
    if os.environ.get("FOGG_BOTS"):
        bots.register(made.games.redis)
    if sweeping:
        for doubt in durability.doubts(made.games.redis):
            log.warning("%s (docs/operations.md)", doubt)
        loops.begin(made.games, made.tournaments, made.pool, made.deliveries)
    return app
