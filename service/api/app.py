"""The Flask application."""

from __future__ import annotations

import logging
from collections.abc import Callable

from flask import Flask, Request
from flask.sessions import NullSession, SessionInterface
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import MapAdapter

from service import settings
from service.api import (
    analyses,
    boards,
    games,
    histories,
    internal,
    live,
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
from service.operation import durability, layout, loops

log = logging.getLogger(__name__)
BLUEPRINTS = (players, webhooks, boards, games, playing, live, histories,
              analyses, statistics, ratings, tournaments, pool, operation)


class NoSessions(SessionInterface):
    """No sessions: tokens authenticate callers."""

    def open_session(self, _app: Flask, _request: Request) -> NullSession:
        """Return a session that cannot be written."""
        return NullSession()


class Application(Flask):
    """Flask without its support for sessions, asynchronous views and host matching, to save time.
    """

    session_interface = NoSessions()

    def ensure_sync(self, func: Callable) -> Callable:
        """Return the function unchanged: no view is asynchronous, so Flask need not check at each
        call."""
        return func

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Return the URL matcher of a request. No rule depends on the host."""
        if request is None:
            return None
        environ = request.environ
        return MapAdapter(
            self.url_map, environ.get("HTTP_HOST", "localhost"), environ.get("SCRIPT_NAME", "/"),
            self.url_map.default_subdomain, environ["wsgi.url_scheme"], request.path,
            request.method, environ.get("QUERY_STRING", ""))


def create_app(redis=None, *, sweeping: bool = False) -> Flask:
    """Return the application over a Redis (by default the one at FOGG_REDIS_URL).

    FOGG_PROXIES is the number of proxies
    in front whose X-Forwarded-For is trusted. With ``sweeping``, background loops look after
    unfinished games, clocks and tournaments.
    """
    app = Application("fogg", static_folder=None)
    app.url_map.strict_slashes = False
    requests.register(app)
    problems.register(app)
    for module in BLUEPRINTS:
        app.register_blueprint(module.blueprint)
    app.register_blueprint(pages.blueprint)
    app.register_blueprint(page.blueprint)
    app.register_blueprint(internal.blueprint)

    settings.check()
    made = wiring.services(redis)
    serving.serve(app, made)
    app.wsgi_app = Envelope(app)  # type: ignore[method-assign]
    if proxies := settings.PROXIES.value():
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=proxies, x_proto=1)
    if sweeping:
        redis = made.games.redis
        for warning in (*durability.risky_settings(redis), *layout.warnings(redis)):
            log.warning("%s (docs/operations.md)", warning)
        loops.begin(made.games, made.tournaments, made.pool, made.deliveries, made.analyses,
                    made.watch)
    return app
