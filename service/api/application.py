"""The Flask application."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask, Request
from flask.sessions import NullSession, SessionInterface
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import MapAdapter

from service import settings
from service.api import problems, requests, serving
from service.api.envelope import Envelope
from service.feature import Services


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


def application(services: Services) -> Flask:
    """Return the application with the operations of all features.

    FOGG_PROXIES is the number of proxies in front whose X-Forwarded-For is trusted."""
    app = Application("fogg", static_folder=None)
    app.url_map.strict_slashes = False
    requests.register(app)
    problems.register(app)
    # all are imported before the first is registered: a module may add to another's blueprint
    for blueprint in [one for feature in services.features for one in feature.blueprints()]:
        app.register_blueprint(blueprint)
    serving.serve(app, services)
    app.wsgi_app = Envelope(app)  # type: ignore[method-assign]
    if proxies := settings.PROXIES.value():
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=proxies, x_proto=1)
    return app
