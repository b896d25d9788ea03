"""What the requests under way are served with."""

from __future__ import annotations

from flask import Flask, current_app

from service.api.wiring import Services
from service.games.games import Games


def serve(app: Flask, services: Services) -> None:
    """Let an application's requests be served with these."""
    app.extensions["fogg"] = services


def services(app: Flask | None = None) -> Services:
    """Return what an application is served with, by default the one that was asked."""
    return (app or current_app).extensions["fogg"]


def games() -> Games:
    """Return the application functions on games."""
    return services().games
