"""Access to the application's services during a request."""

from typing import TYPE_CHECKING

from flask import Flask

from service.feature import Services
from service.http.context import CONTEXT

if TYPE_CHECKING:
    from service.games.games import Games


def serve(app: Flask, services: Services) -> None:
    app.extensions["fogg"] = services


def services(app: Flask | None = None) -> Services:
    """Return the services of an application, by default that of the current request."""
    return app.extensions["fogg"] if app else CONTEXT.get().services


def games() -> "Games":
    return CONTEXT.get().services.games
