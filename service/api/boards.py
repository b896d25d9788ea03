"""Boards and built-in bots: what does not change while the service runs."""

from __future__ import annotations

from flask import Response

from domain.board.board import Board
from domain.drawing.picture import draw
from domain.drawing.positions import positions
from service.accounts import bots
from service.api.answers import SVG, answer
from service.api.blueprint import Blueprint
from service.api.caching import for_ever, unless_had
from service.api.descriptions import CONTENT_TAG
from service.api.pictures import drawn
from service.api.schemas.boards import (
    BoardQuerySchema,
    BoardSchema,
    BoardsSchema,
    BotsSchema,
    LayoutSchema,
)
from service.api.serving import games
from service.errors import UnknownThing
from service.games.boards import board_by_digest

blueprint = Blueprint("boards", __name__, url_prefix="/v1",
                      description="The boards, and the built-in bots.")


@blueprint.route("/boards")
@blueprint.doc(operationId="listBoards", security=[])
@blueprint.response(200, BoardsSchema, description="The boards.")
def list_boards():
    """List the boards that can be played

    With how many players each can be played. `getBoard` has the rest."""
    rows = [{"id": board.id, "name": board.name, "least_players": board.players[0],
             "most_players": board.players[-1]} for board in games().store.boards.values()]
    return answer({"items": rows, "next": None})


@blueprint.route("/boards/<string:board>")
@blueprint.doc(operationId="getBoard", security=[])
@blueprint.problems(404)
@blueprint.arguments(BoardQuerySchema, location="query")
@blueprint.response(200, BoardSchema, description="The board's table.", headers=CONTENT_TAG)
@blueprint.not_again("The table that you have is the right one.", CONTENT_TAG)
def get_board(query: dict, board: str):
    """Get a board's table

    Locations, routes, tickets, cards and numbers: everything that a view refers to by id. Keep it,
    and ask with its `ETag` whether it is still the one that games are started on.

    With `digest` it is the very table that a game was started on, which names it in its first
    entry as `board_digest`, also where the board was corrected since, or is not offered any more:
    whoever checks a game needs that one. It never changes, so keep it for good."""
    found = _board(board, query.get("digest"))
    return unless_had(_headers(found, query), lambda: answer(found.described))


@blueprint.route("/boards/<string:board>/map.svg")
@blueprint.doc(operationId="getBoardMap", security=[])
@blueprint.problems(404)
@blueprint.arguments(BoardQuerySchema, location="query")
@blueprint.response(200, {"type": "string"}, content_type=SVG, description="The map.",
                    headers=CONTENT_TAG)
@blueprint.not_again("The map that you have is the right one.", CONTENT_TAG)
def get_board_map(query: dict, board: str):
    """Get a picture of a board

    The map with nothing on it, as SVG; `digest` as in `getBoard`."""
    found = _board(board, query.get("digest"))
    return unless_had(_headers(found, query), lambda: Response(
        drawn(games().store.redis, draw, found), mimetype=SVG))


@blueprint.route("/boards/<string:board>/layout")
@blueprint.doc(operationId="getBoardLayout", security=[])
@blueprint.problems(404)
@blueprint.arguments(BoardQuerySchema, location="query")
@blueprint.response(200, LayoutSchema, description="The positions.", headers=CONTENT_TAG)
@blueprint.not_again("The layout that you have is the right one.", CONTENT_TAG)
def get_board_layout(query: dict, board: str):
    """Get where everything on a board's map is

    The positions of locations, names and spaces that the pictures are drawn with, for whoever draws
    the map in their own way; `digest` as in `getBoard`."""
    found = _board(board, query.get("digest"))
    return unless_had(_headers(found, query), lambda: answer(
        drawn(games().store.redis, positions, found)))


@blueprint.route("/bots")
@blueprint.doc(operationId="listBots", security=[])
@blueprint.response(200, BotsSchema, description="The bots.")
def list_bots():
    """List the built-in bots

    Any of them can be seated when a game is created; workers play them through this same API. A
    game with one that is not ready yet waits for it, on nobody's clock."""
    preparing = bots.preparing(games().queue.connection)
    rows = [{"name": name, "description": bots.BOTS[name],
             "player": bots.player(name, 0).id,
             "shortest_rated_clock": bots.SHORTEST_RATED_CLOCKS[name],
             "ready": name not in preparing}
            | ({"prepared": preparing[name]} if name in preparing else {})
            for name in bots.OFFERED]
    return answer({"items": rows, "next": None})


def _board(board_id: str, digest: str | None) -> Board:
    """Return a board that is offered, or one as it was when its table had a digest."""
    store = games().store
    found = board_by_digest(store, digest) if digest else store.boards.get(board_id)
    if found is None or found.id != board_id:
        raise (UnknownThing("table", digest, f"no table of a board {board_id} that is known here "
                            f"has the digest {digest}") if digest
               else UnknownThing("board", board_id))
    return found


def _headers(board: Board, query: dict) -> dict[str, str]:
    kept = for_ever("public") if "digest" in query else {"Cache-Control": "public, no-cache"}
    return {"ETag": f'"{board.digest}"'} | kept
