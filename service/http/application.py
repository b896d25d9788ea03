"""The Flask application."""

from collections.abc import Callable, Iterable
from pkgutil import resolve_name

from flask import Blueprint, Flask, Request
from flask.sessions import NullSession, SessionInterface
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import MapAdapter

from service import settings
from service.feature import Feature, Services
from service.http import problems, requests, serving
from service.http.envelope import Envelope


class NoSessions(SessionInterface):
    """No sessions: tokens authenticate callers."""

    def open_session(self, _app: Flask, _request: Request) -> NullSession:
        return NullSession()


class Application(Flask):
    """Flask without support for sessions, asynchronous views and host matching, to save time."""

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
            self.url_map,
            environ.get("HTTP_HOST", "localhost"),
            environ.get("SCRIPT_NAME", "/"),
            self.url_map.default_subdomain,
            environ["wsgi.url_scheme"],
            request.path,
            request.method,
            environ.get("QUERY_STRING", ""),
        )


def all_blueprints(features: Iterable[Feature]) -> list[Blueprint]:
    """Return the blueprints of features, each once: a feature may add operations to another's."""
    return [
        *dict.fromkeys(
            resolve_name(f"service.{feature.name}.{name}")
            for feature in features
            for name in feature.blueprints
        )
    ]


def application(services: Services) -> Flask:
    """Return the application with the operations of all features.

    FOGG_PROXIES is the number of proxies in front whose X-Forwarded-For is trusted."""
    app = Application("fogg", static_folder=None)
    app.url_map.strict_slashes = False
    requests.register(app)
    problems.register(app)
    for blueprint in all_blueprints(services.features):
        app.register_blueprint(blueprint)
    serving.serve(app, services)
    app.wsgi_app = Envelope(app)  # type: ignore[method-assign]
    if proxies := settings.PROXIES.value():
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=proxies, x_proto=1
        )
    return app
