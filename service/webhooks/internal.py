"""The internal endpoint from which workers fetch deliveries to make."""

from __future__ import annotations

import flask
from flask import request

from service.accounts.callers import check_worker
from service.errors import UnknownThing
from service.http.answers import answer, answer_nothing
from service.http.caching import NEVER
from service.webhooks.api import deliveries
from service.webhooks.lanes import LANES

blueprint = flask.Blueprint("internal_webhooks", __name__, url_prefix="/internal")


@blueprint.route("/webhooks/<string:webhook>/lanes/<int:lane>", methods=["POST"])
def next_delivery(webhook: str, lane: int):
    """Record the worker's report of its last delivery, if it sends one, and return the next
    delivery of the lane; 204 if there is none now. ``worker`` names the worker: it holds the lane
    alone. ``last`` says that it wants no further delivery."""
    check_worker()
    if not 0 <= lane < LANES:
        raise UnknownThing("lane", str(lane))
    report = request.get_json()
    worker = str(report.get("worker", ""))
    rest = deliveries().record(webhook, report) if "call" in report else 0
    if rest or report.get("last"):
        deliveries().leave(webhook, lane, worker, rest)
        return answer_nothing()
    asked = deliveries().next_request(webhook, lane, worker)
    return answer(asked, 200, NEVER) if asked else answer_nothing()
