"""Statistics of finished games, in numbers and as plots."""

from __future__ import annotations

from flask import Response

from domain.board.board import Board
from service.api.answers import SVG, answer
from service.api.blueprint import Blueprint
from service.api.caching import BRIEFLY
from service.api.schemas.statistics import (
    BoardStatisticsSchema,
    BotsStatisticsSchema,
    ContestedRoutesQuerySchema,
    ContestedRoutesSchema,
)
from service.api.serving import games
from service.errors import UnknownThing
from service.projections import plots, routes, statistics

blueprint = Blueprint("statistics", __name__, url_prefix="/v1/stats",
                      description="Statistics of public games that were played to a result.")


@blueprint.route("/bots")
@blueprint.doc(operationId="getBotStatistics", security=[])
@blueprint.problems(503)
@blueprint.response(200, BotsStatisticsSchema, description="The statistics.")
def get_bot_statistics():
    """Get statistics of bots

    Seats played and won, mean score and completed tickets, by board and number of seats: for each
    built-in bot, for all external bots and for people. Public games that were played to a result
    count as soon as they are over; forks do not count."""
    rows = statistics.players_by_seats(games().redis)
    return answer({"items": rows, "next": None}, 200, BRIEFLY)


@blueprint.route("/bots/plot.svg")
@blueprint.doc(operationId="getBotPlot", security=[])
@blueprint.problems(503)
@blueprint.response(200, {"type": "string"}, content_type=SVG, description="The plot.")
def get_bot_plot():
    """Get a plot of the bots' statistics

    The mean score of each kind of player by board and number of seats."""
    rows = statistics.players_by_seats(games().redis)
    picture = plots.scores("Mean score by board and seats", rows)
    return Response(picture, 200, BRIEFLY, mimetype=SVG)


@blueprint.route("/boards/<string:board>")
@blueprint.doc(operationId="getBoardStatistics", security=[])
@blueprint.problems(404, 503)
@blueprint.response(200, BoardStatisticsSchema, description="The statistics.")
def get_board_statistics(board: str):
    """Get statistics of a board

    How many games were played, results by kind of player, the routes claimed most, and the tickets
    kept and completed."""
    return answer(statistics.board_statistics(games().redis, _board(board).id), 200, BRIEFLY)


@blueprint.route("/boards/<string:board>/plot.svg")
@blueprint.doc(operationId="getBoardPlot", security=[])
@blueprint.problems(404, 503)
@blueprint.response(200, {"type": "string"}, content_type=SVG, description="The plot.")
def get_board_plot(board: str):
    """Get a plot of a board's statistics

    Mean scores, the routes claimed most, and the tickets kept most with the share that was
    completed."""
    found = _board(board)
    picture = plots.board(found.name, statistics.board_statistics(games().redis, found.id))
    return Response(picture, 200, BRIEFLY, mimetype=SVG)


@blueprint.route("/routes")
@blueprint.doc(operationId="getContestedRoutes", security=[])
@blueprint.problems(404, 503)
@blueprint.arguments(ContestedRoutesQuerySchema, location="query")
@blueprint.response(200, ContestedRoutesSchema, description="The routes.")
def get_contested_routes(query: dict):
    """See the most contested routes

    How often each route was claimed, how often by a winner of the game, and in which turn on
    average. The games are those of `getBoardStatistics`."""
    board = _board(query["board"]).id if "board" in query else None
    return answer({"items": routes.contested(games().redis, board), "next": None}, 200, BRIEFLY)


def _board(board_id: str) -> Board:
    found = games().store.boards.get(board_id)
    if found is None:
        raise UnknownThing("board", board_id)
    return found
