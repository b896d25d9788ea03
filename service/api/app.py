"""The Flask application."""

from __future__ import annotations

import os
from pathlib import Path

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from service import wiring
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
    serving,
    statistics,
    tournaments,
    webhooks,
)
from service.operation import loops

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

    made = wiring.services(redis)
    serving.serve(app, made)
    app.after_request(limits.tell)
    if proxies := int(os.environ.get("FOGG_PROXIES", 0)):
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies)
    if tokens := os.environ.get("FOGG_BOTS"):
        bots.register(made.games.redis, Path(tokens))
    if sweeping:
        loops.begin(made.games, made.tournaments, made.deliveries)
    return app
