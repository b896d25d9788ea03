"""The Flask application."""

from __future__ import annotations

import logging
from collections.abc import Callable

from flask import Flask, Request
from flask.sessions import NullSession, SessionInterface
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import MapAdapter

from service import settings
from service.accounts import bots
from service.api import (
    boards,
    games,
    histories,
    inside,
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
    requests,
    serving,
    statistics,
    tournaments,
    webhooks,
    wiring,
)
from service.api.envelope import Envelope
from service.operation import durability, layout, loops, tracing

log = logging.getLogger(__name__)
BLUEPRINTS = (players, webhooks, boards, games, offers, playing, live, histories, statistics,
              ratings, tournaments, pool, operation)


class NoSessions(SessionInterface):
    """Nobody has a session here: a token says who calls."""

    def open_session(self, _app: Flask, _request: Request) -> NullSession:
        """Return a session that refuses to keep anything."""
        return NullSession()


class Application(Flask):
    """Flask, less what it does for sessions, asynchronous functions and routes by host."""

    session_interface = NoSessions()

    def ensure_sync(self, func: Callable) -> Callable:
        """Return a function as it is: none is asynchronous, which Flask would ask at each call."""
        return func

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Return what finds a request's operation, whatever host it names: no route asks for
        one."""
        if request is None:
            return None
        environ = request.environ
        return MapAdapter(
            self.url_map, environ.get("HTTP_HOST", "localhost"), environ.get("SCRIPT_NAME", "/"),
            self.url_map.default_subdomain, environ["wsgi.url_scheme"], request.path,
            request.method, environ.get("QUERY_STRING", ""))


def create_app(redis=None, *, sweeping: bool = False) -> Flask:
    """Return the application over a Redis (by default the one at FOGG_REDIS_URL).

    FOGG_BOTS names the file with the built-in bots' tokens, FOGG_PROXIES says how many proxies are
    in front and tell whom they speak for (X-Forwarded-For). ``sweeping`` looks after unfinished
    games, clocks and tournaments in the background.
    """
    app = Application("fogg", static_folder=None)
    app.url_map.strict_slashes = False
    requests.register(app)
    problems.register(app)
    for module in BLUEPRINTS:
        app.register_blueprint(module.blueprint)
    app.register_blueprint(pages.blueprint)
    app.register_blueprint(page.blueprint)
    app.register_blueprint(inside.blueprint)

    settings.check()
    tracing.check()
    tracer = tracing.begin() if tracing.is_on() else None
    made = wiring.services(redis)
    serving.serve(app, made)
    app.wsgi_app = Envelope(app)
    if tracer:
        from service.api.traced import Traced

        app.wsgi_app = Traced(app, tracer)
    if proxies := settings.PROXIES.value():
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies)
    if settings.BOTS.value():
        bots.register(made.games.redis)
    if sweeping:
        redis = made.games.redis
        for warning in (*durability.doubts(redis), *layout.warnings(redis)):
            log.warning("%s (docs/operations.md)", warning)
        loops.begin(made.games, made.tournaments, made.pool, made.deliveries, made.watch)
    return app
