"""Statistics of finished games, in numbers and as plots."""

from __future__ import annotations

from service.api.answers import SVG, answer, answer_page, answer_picture
from service.api.blueprint import Blueprint
from service.api.caching import BRIEFLY
from service.api.schemas.statistics import (
    BoardStatisticsSchema,
    BotsStatisticsSchema,
    ContestedRoutesQuerySchema,
    ContestedRoutesSchema,
)
from service.api.serving import games
from service.projections import plots, routes, statistics

blueprint = Blueprint("statistics", __name__, url_prefix="/v1/stats",
                      description="Statistics of public games that were played to a result.")


@blueprint.operation("GET /bots", "getBotStatistics", [], 503)
@blueprint.response(200, BotsStatisticsSchema, description="The statistics.")
def get_bot_statistics():
    """Get statistics of bots

    Seats played and won, mean score and completed tickets, by board and number of seats: for each
    built-in bot, for all external bots and for people. Public games that were played to a result
    count as soon as they are over; forks do not count."""
    return answer_page(statistics.players_by_seats(games().redis), headers=BRIEFLY)


@blueprint.operation("GET /bots/plot.svg", "getBotPlot", [], 503)
@blueprint.response(200, {"type": "string"}, content_type=SVG, description="The plot.")
def get_bot_plot():
    """Get a plot of the bots' statistics

    The mean score of each kind of player by board and number of seats."""
    rows = statistics.players_by_seats(games().redis)
    return answer_picture(plots.scores("Mean score by board and seats", rows), BRIEFLY)


@blueprint.operation("GET /boards/<string:board>", "getBoardStatistics", [], 404, 503)
@blueprint.response(200, BoardStatisticsSchema, description="The statistics.")
def get_board_statistics(board: str):
    """Get statistics of a board

    How many games were played, results by kind of player, the routes claimed most, and the tickets
    kept and completed."""
    found = games().store.board(board)
    return answer(statistics.board_statistics(games().redis, found.id), 200, BRIEFLY)


@blueprint.operation("GET /boards/<string:board>/plot.svg", "getBoardPlot", [], 404, 503)
@blueprint.response(200, {"type": "string"}, content_type=SVG, description="The plot.")
def get_board_plot(board: str):
    """Get a plot of a board's statistics

    Mean scores, the routes claimed most, and the tickets kept most with the share that was
    completed."""
    found = games().store.board(board)
    counts = statistics.board_statistics(games().redis, found.id)
    return answer_picture(plots.board(found.name, counts), BRIEFLY)


@blueprint.operation("GET /routes", "getContestedRoutes", [], 404, 503,
                     query=ContestedRoutesQuerySchema)
@blueprint.response(200, ContestedRoutesSchema, description="The routes.")
def get_contested_routes(query: dict):
    """See the most contested routes

    How often each route was claimed, how often by a winner of the game, and in which turn on
    average. The games are those of `getBoardStatistics`."""
    board = games().store.board(query["board"]).id if "board" in query else None
    return answer_page(routes.contested(games().redis, board), headers=BRIEFLY)
