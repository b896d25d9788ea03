"""Health: whether the process lives, and can serve."""

from __future__ import annotations

from redis import RedisCluster

from service.api.answers import answer
from service.api.blueprint import Blueprint
from service.api.schemas.operation import HealthSchema, ReadinessSchema
from service.api.serving import games, services

blueprint = Blueprint("operation", __name__, description="For those who run the service.")


@blueprint.route("/healthz")
@blueprint.doc(operationId="getHealth", security=[])
@blueprint.response(200, HealthSchema, description="The process lives.")
def healthz():
    """Ask whether the process lives

    It answers by itself, whatever else has failed."""
    return answer({"status": "ok"})


@blueprint.route("/readyz")
@blueprint.doc(operationId="getReadiness", security=[])
@blueprint.problems(503)
@blueprint.response(200, ReadinessSchema, description="Requests can be served.")
def readyz():
    """Ask whether requests can be served

    That is, whether the store answers: of a cluster, every master. Without workers requests can be
    served, but built-in bots do not play and webhooks are not called; `warnings` says so."""
    redis = games().store.redis
    redis.ping(**({"target_nodes": redis.PRIMARIES} if isinstance(redis, RedisCluster) else {}))
    workforce = services().watch.last
    more = {"workers": workforce.workers, "warnings": workforce.warnings()} if workforce else {}
    return answer({"status": "ok"} | more)
