"""The internal endpoint from which workers fetch decisions to judge."""

from __future__ import annotations

import flask
from flask import request

from service.accounts.callers import check_worker
from service.analyses.analyses import Analyses
from service.http.answers import answer, answer_nothing
from service.http.caching import NEVER
from service.http.serving import services

blueprint = flask.Blueprint("internal_analyses", __name__, url_prefix="/internal")


@blueprint.route("/games/<string:game>/analysis", methods=["POST"])
def next_decision(game: str):
    """Record the decision that the worker has judged, if it sends one, and return how many are
    judged: the number of the decision to judge next; 204 if there is none for this worker.
    ``worker`` names the worker: it holds the analysis alone, for 30 seconds after each request.
    With ``row``, ``number`` is that of the decision, so that a report may come twice. ``failed``
    says that it cannot judge the game, ``last`` that it wants no further decision."""
    check_worker()
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
