"""The internal endpoints from which workers fetch webhook deliveries and analyses to make."""

from __future__ import annotations

import flask
from flask import request

from service.api.answers import answer, answer_nothing
from service.api.caching import NEVER
from service.api.callers import account
from service.api.serving import services
from service.api.webhooks import deliveries
from service.errors import NotYours, UnknownThing
from service.games.analyses import Analyses
from service.webhooks.lanes import LANES

blueprint = flask.Blueprint("internal", __name__, url_prefix="/internal")


@blueprint.route("/webhooks/<string:webhook>/lanes/<int:lane>", methods=["POST"])
def next_delivery(webhook: str, lane: int):
    """Record the worker's report of its last delivery, if it sends one, and return the next
    delivery of the lane; 204 if there is none now. ``worker`` names the worker: it holds the lane
    alone. ``last`` says that it wants no further delivery."""
    _check_caller()
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


@blueprint.route("/games/<string:game>/analysis", methods=["POST"])
def next_decision(game: str):
    """Record the decision that the worker has judged, if it sends one, and return how many are
    judged: the number of the decision to judge next; 204 if there is none for this worker.
    ``worker`` names the worker: it holds the analysis alone, for 30 seconds after each request.
    With ``row``, ``number`` is that of the decision, so that a report may come twice. ``failed``
    says that it cannot judge the game, ``last`` that it wants no further decision."""
    _check_caller()
    report, analyses = request.get_json(), services().find(Analyses)
    worker = str(report.get("worker", ""))
    if "row" in report:
        analyses.add(game, worker, report.get("number"), int(report["decisions"]), report["row"])
    if report.get("failed"):
        analyses.fail(game, worker)
    if report.get("last"):
        analyses.leave(game, worker)
        return answer_nothing()
    judged = analyses.next(game, worker)
    return answer_nothing() if judged is None else answer({"judged": judged}, 200, NEVER)


def _check_caller() -> None:
    if not account().player.is_built_in:
        raise NotYours("only the service's own workers may ask this")
