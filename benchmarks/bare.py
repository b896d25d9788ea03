"""The least that a durable request can cost: append to a stream, read a key, answer.

It accepts the requests that the service accepts for actions, and does one XADD and one GET through
plain redis-py. ``benchmarks.http`` runs it on the server of the service.
"""

import os

from flask import Flask, Response, request
from redis import Redis

from service.redis.connection import MAX_CONNECTIONS

STREAM, KEY = "bare:log", "bare:key"


def create_app() -> Flask:
    """Return the application, on the Redis at FOGG_REDIS_URL."""
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
