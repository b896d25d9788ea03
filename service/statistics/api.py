"""Statistics of finished games."""

from service.http.answers import answer, answer_page
from service.http.blueprint import Blueprint
from service.http.caching import BRIEFLY
from service.http.serving import games
from service.statistics import statistics

blueprint = Blueprint(
    "statistics",
    __name__,
    url_prefix="/v1/stats",
    description="Statistics of public games that were played to a result.",
)


@blueprint.operation("GET /bots", "getBotStatistics", [], 503)
@blueprint.response(200, statistics.BotsStatistics, description="The statistics.")
def get_bot_statistics():
    """Get statistics of bots

    Seats played and won, mean score and completed tickets, by board and number of seats: for each
    built-in bot, for all external bots and for people. Public games that were played to a result
    count within seconds of their end; forks do not count."""
    with games().database.reading() as db:
        return answer_page(statistics.players_by_seats(db), headers=BRIEFLY)


@blueprint.operation("GET /boards/<string:board>", "getBoardStatistics", [], 404, 503)
@blueprint.response(200, statistics.BoardStatistics, description="The statistics.")
def get_board_statistics(board: str):
    """Get statistics of a board

    How many games were played, results by kind of player, and the tickets kept and completed. For
    each route: how often it was claimed, how often by a winner, and in which turn on average."""
    board_id = games().store.board(board).id
    with games().database.reading() as db:
        return answer(statistics.board_statistics(db, board_id), 200, BRIEFLY)
