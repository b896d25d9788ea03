"""Counting requests, and telling in each answer how many are left."""

from __future__ import annotations

from flask import Response, g, request

from service.accounts.tokens import Caller
from service.api.serving import services
from service.errors import TooMany
from service.operation import metrics

ACTIONS = "playing.play_action"  # the endpoint that has a limit of its own


def count(kind: str, who: str) -> None:
    """Count a request; the answer will tell what is left."""
    try:
        g.standing = services().limits.take(kind, who)
    except TooMany:
        metrics.count_refusal(kind)
        raise


def count_address(kind: str = "address") -> None:
    """Count a request by where it comes from."""
    count(kind, request.remote_addr or "nowhere")


def count_caller(caller: Caller) -> None:
    """Count a request of a caller, by who answers for it; built-in bots are ours."""
    account = caller.account
    if who := account.owner or (account.id if account.bot is None else None):
        count("actions" if request.endpoint == ACTIONS else "requests", who)


def tell(response: Response) -> Response:
    """Let an answer tell how many requests are left."""
    if standing := g.get("standing"):
        response.headers["RateLimit-Policy"] = (
            f'"{standing.kind}";q={standing.limit};w={standing.window}')
        response.headers["RateLimit"] = (
            f'"{standing.kind}";r={standing.remaining};t={standing.reset}')
    return response
