"""Health and readiness of the process, and the page of metrics."""

import hmac
from ipaddress import ip_address
from typing import Annotated, Literal, NotRequired, TypedDict

import flask
from flask import Response, request
from redis import RedisCluster

from service import settings
from service.errors import NotSignedIn, NotYours
from service.http.answers import answer
from service.http.blueprint import Blueprint
from service.http.serving import games, services
from service.operation import measures
from service.operation.workforce import Watch

blueprint = Blueprint("operation", __name__, description="For operators of the service.")
metrics = flask.Blueprint("metrics", __name__)  # which openapi.yaml does not describe


class Health(TypedDict):
    """The health of the service."""

    status: Annotated[Literal["ok"], "Always `ok`."]


class Workers(TypedDict):
    """The number of live workers. A killed worker is counted for two more minutes."""

    bots: Annotated[int, "Workers that play for built-in bots."]
    deliveries: Annotated[int, "Workers that call webhooks."]


class Readiness(Health):
    """Whether the service is ready, and what is limited at the moment."""

    workers: NotRequired[
        Annotated[
            Workers,
            "Workers seen in the last ten seconds; missing until the process has checked, and "
            "for up to 20 seconds after its start while workers may be starting.",
        ]
    ]
    warnings: NotRequired[
        Annotated[
            list[Annotated[str, "The problem, for people."]],
            "Problems that operators should look at. Empty if there are none; missing if `workers` "
            "is.",
        ]
    ]


@blueprint.operation("GET /healthz", "getHealth", [])
@blueprint.response(200, Health, description="The process is alive.")
def healthz():
    """Check whether the process is alive

    Does not depend on Redis or workers."""
    return answer({"status": "ok"})


@blueprint.operation("GET /readyz", "getReadiness", [], 503)
@blueprint.response(200, Readiness, description="The service is ready.")
def readyz():
    """Check whether the service is ready

    Ready means that Redis answers (in a cluster, every master). Without workers the service is
    still ready, but built-in bots do not play and webhooks are not called; `warnings` says so."""
    redis = games().store.redis
    redis.ping(**({"target_nodes": redis.PRIMARIES} if isinstance(redis, RedisCluster) else {}))
    workforce = services().find(Watch).last
    more = {"workers": workforce.workers, "warnings": workforce.warnings()} if workforce else {}
    return answer({"status": "ok"} | more)


@metrics.route("/metrics")
def show_metrics():
    """Serve the metrics to operators."""
    _check_operator()
    return Response(
        measures.page(services()),
        mimetype="text/plain; version=0.0.4",
        headers={"Cache-Control": "no-store"},
    )


def _check_operator() -> None:
    """Raise unless the caller sent FOGG_METRICS_TOKEN. If it is not set, the request has to come
    from this machine directly, not through a proxy."""
    if token := settings.METRICS_TOKEN.value():
        sent = request.headers.get("Authorization", "")
        if not hmac.compare_digest(sent.encode(), f"Bearer {token}".encode()):
            raise NotSignedIn("send the header Authorization: Bearer, with FOGG_METRICS_TOKEN")
    elif not _is_here(request.remote_addr or "") or "X-Forwarded-For" in request.headers:
        raise NotYours("only from this machine, or with FOGG_METRICS_TOKEN, once that is set")


def _is_here(address: str) -> bool:
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return (getattr(parsed, "ipv4_mapped", None) or parsed).is_loopback
