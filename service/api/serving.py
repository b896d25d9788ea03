"""What the requests under way are served with."""

from __future__ import annotations

from flask import Flask

from service.api.context import CONTEXT
from service.api.wiring import Services
from service.games.games import Games


def serve(app: Flask, services: Services) -> None:
    """Let an application's requests be served with these."""
    app.extensions["fogg"] = services


def services(app: Flask | None = None) -> Services:
    """Return what an application is served with, by default what the request under way is."""
    return app.extensions["fogg"] if app else CONTEXT.get().services


def games() -> Games:
    """Return the application functions on games."""
    return services().games
