"""Analyses of finished games; for workers, the decisions to judge."""

import flask
from flask import request

from domain.entry import IdempotencyKey
from service.accounts.accounts import Account
from service.accounts.callers import check_worker, viewer
from service.analyses.analyses import Analyses, AnalysisJson, game_for
from service.errors import UnknownThing
from service.http.answers import answer, answer_nothing
from service.http.blueprint import Blueprint
from service.http.caching import NEVER
from service.http.descriptions import ANYBODY
from service.http.serving import games, services

blueprint = Blueprint(
    "analyses",
    __name__,
    url_prefix="/v1/games/<string:game>/analysis",
    description="What `expert` thinks of the decisions of finished games.",
)
internal = flask.Blueprint("internal_analyses", __name__, url_prefix="/internal")


@blueprint.command("", "analyseGame", "analyse")
@blueprint.response(202, AnalysisJson, description="The analysis, as far as it is made.")
def analyse_game(caller: Account, _once: IdempotencyKey | None, _body: dict, game: str):
    """Analyse a game

    Ask for the analysis of a finished game that everybody may watch. Workers make it when no game
    waits for a bot; `getAnalysis` shows the progress. An analysis that exists is not made again
    until it expires, unless it has `failed`. An account may have some analyses under way
    (`too-many-analyses`)."""
    loaded = game_for(games(), caller.id, game)
    analysis = services().find(Analyses).ask(loaded, caller.answers_for or caller.id)
    return answer(analysis.of_game(loaded), 202, NEVER)


@blueprint.operation("GET", "getAnalysis", ANYBODY, 404, 409, 503)
@blueprint.response(200, AnalysisJson, description="The analysis, as far as it is made.")
def get_analysis(game: str):
    """Get the analysis of a game

    What `expert` finds best at each decision of a finished game, judged from the view that the seat
    had then, and what the moves played have cost. Decisions are judged in order; while that
    goes on, the answer has those that are done, and `progress`. Analyses are kept for a week.
    docs/analysis.md explains the numbers."""
    loaded = game_for(games(), viewer(), game)
    analysis = services().find(Analyses).of(loaded)
    if analysis is None:
        raise UnknownThing("analysis", game, "nobody has asked for an analysis of this game")
    return answer(analysis.of_game(loaded), 200, NEVER)


@internal.route("/games/<string:game>/analysis", methods=["POST"])
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
