"""The least that a durable request can cost: an application that appends, reads, and answers.

It takes the very requests that the service takes for actions, and does nothing with them but one
XADD and one GET, over redis-py as it comes, so that what the service does about its connections
counts for the service alone. ``benchmarks.http`` runs it on the server that runs the service.
"""

from __future__ import annotations

import os

from flask import Flask, Response, request
from redis import Redis

from service.operation.redis import MAX_CONNECTIONS

STREAM, KEY = "bare:log", "bare:key"


def create_app() -> Flask:
    """Return the application over the Redis at FOGG_REDIS_URL."""
    app = Flask("bare", static_folder=None)
    redis = Redis.from_url(os.environ["FOGG_REDIS_URL"], max_connections=MAX_CONNECTIONS)
    redis.set(KEY, '{"answer":"a small JSON"}')

    @app.post("/v1/games/<string:game>/actions")
    def append(game: str) -> Response:
        redis.xadd(STREAM, {"game": game, "body": request.get_data()})
        return Response(redis.get(KEY), mimetype="application/json")

    @app.get("/readyz")
    def ready() -> Response:
        return Response(status=204)

    return app
