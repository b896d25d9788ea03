"""Health and readiness of the process."""

from __future__ import annotations

from redis import RedisCluster

from service.api.answers import answer
from service.api.blueprint import Blueprint
from service.api.schemas.operation import HealthSchema, ReadinessSchema
from service.api.serving import games, services
from service.operation.workforce import Watch

blueprint = Blueprint("operation", __name__, description="For operators of the service.")


@blueprint.operation("GET /healthz", "getHealth", [])
@blueprint.response(200, HealthSchema, description="The process is alive.")
def healthz():
    """Check whether the process is alive

    Does not depend on Redis or workers."""
    return answer({"status": "ok"})


@blueprint.operation("GET /readyz", "getReadiness", [], 503)
@blueprint.response(200, ReadinessSchema, description="The service is ready.")
def readyz():
    """Check whether the service is ready

    Ready means that Redis answers (in a cluster, every master). Without workers the service is
    still ready, but built-in bots do not play and webhooks are not called; `warnings` says so."""
    redis = games().store.redis
    redis.ping(**({"target_nodes": redis.PRIMARIES} if isinstance(redis, RedisCluster) else {}))
    workforce = services().find(Watch).last
    more = {"workers": workforce.workers, "warnings": workforce.warnings()} if workforce else {}
    return answer({"status": "ok"} | more)
