"""Boards and built-in bots. Neither changes while the service runs."""

from flask import Response

from domain.board.board import Board
from domain.board.served import BoardJson
from domain.drawing import layout
from domain.drawing.positions import positions
from service.accounts import bots
from service.boards import schemas
from service.errors import UnknownThing
from service.games.api.pictures import aside_with_layout, drawn
from service.games.boards import board_by_digest
from service.http.answers import SVG, answer, answer_page
from service.http.blueprint import Blueprint
from service.http.caching import for_ever, tag_of, unless_had
from service.http.descriptions import CONTENT_TAG
from service.http.serving import games

blueprint = Blueprint(
    "boards", __name__, url_prefix="/v1", description="The boards, and the built-in bots."
)


@blueprint.operation("GET /boards", "listBoards", [])
@blueprint.response(200, schemas.Boards, description="The boards.")
def list_boards():
    """List the boards that can be played

    Each with the number of players it is for. `getBoard` has everything else."""
    return answer_page(
        [
            schemas.ListedBoard(
                id=board.id,
                name=board.name,
                least_players=board.players[0],
                most_players=board.players[-1],
            )
            for board in games().store.boards.values()
        ]
    )


@blueprint.operation(
    "GET /boards/<string:board>", "getBoard", [], 404, query=schemas.BoardQuerySchema
)
@blueprint.response(
    200,
    BoardJson,
    description="The board's table.",
    headers=CONTENT_TAG,
    unchanged="Your table is still current.",
)
def get_board(query: dict, board: str):
    """Get a board's table

    Locations, routes, tickets, cards and numbers: everything that a view refers to by id. Cache it
    and revalidate it with its `ETag`.

    With `digest`, the answer is the table that a game was started on, even if the board was
    corrected or withdrawn later. A game names its digest as `board_digest` in its first entry; use
    it to verify a game. This answer never changes, so cache it permanently."""
    table = _board(board, query.get("digest"))
    kept = _headers(table, query) | {"ETag": table.once(_tag)}
    return unless_had(kept, lambda: answer(table.described))


@blueprint.operation(
    "GET /boards/<string:board>/map.svg", "getBoardMap", [], 404, query=schemas.BoardQuerySchema
)
@blueprint.response(
    200,
    {"type": "string"},
    content_type=SVG,
    description="The map.",
    headers=CONTENT_TAG,
    unchanged="Your map is still current.",
)
def get_board_map(query: dict, board: str):
    """Get a picture of a board

    The empty map as SVG. `digest` works as in `getBoard`."""
    table = _board(board, query.get("digest"))
    return unless_had(
        _headers(table, query, layout.version()),
        lambda: Response(drawn(games().store.redis, table), mimetype=SVG),
    )


@blueprint.operation(
    "GET /boards/<string:board>/layout", "getBoardLayout", [], 404, query=schemas.BoardQuerySchema
)
@blueprint.response(
    200,
    schemas.Layout,
    description="The positions.",
    headers=CONTENT_TAG,
    unchanged="Your layout is still current.",
)
def get_board_layout(query: dict, board: str):
    """Get the layout of a board's map

    The positions of locations, names and spaces that the service's own pictures use, for clients
    that draw the map themselves. `digest` works as in `getBoard`."""
    table = _board(board, query.get("digest"))
    return unless_had(
        _headers(table, query, layout.version()),
        lambda: answer(aside_with_layout(games().store.redis, positions, table)),
    )


@blueprint.operation("GET /bots", "listBots", [])
@blueprint.response(200, schemas.Bots, description="The bots.")
def list_bots():
    """List the built-in bots

    Any of them can take a seat when a game is created. The service's workers play them through this
    same API. A game waits for a bot that is not ready yet; no clock runs during that time."""
    preparing = bots.preparing(games().queues.redis)
    rows = {
        name: schemas.Bot(
            name=name,
            description=bots.BOTS[name],
            player=bots.player(name, 0).id,
            shortest_rated_clock=bots.SHORTEST_RATED_CLOCKS[name],
            ready=name not in preparing,
        )
        for name in bots.OFFERED
    }
    for name in rows.keys() & preparing.keys():
        rows[name]["prepared"] = preparing[name]
    return answer_page([*rows.values()])


def _board(board_id: str, digest: str | None) -> Board:
    """Return a board that can be played now or, with a digest, the table that has it."""
    store = games().store
    if not digest:
        return store.board(board_id)
    table = board_by_digest(store, digest)
    if table is None or table.id != board_id:
        raise UnknownThing(
            "table",
            digest,
            f"no table of a board {board_id} that is known here has the digest {digest}",
        )
    return table


def _tag(board: Board) -> str:
    return tag_of(answer(board.described).body)


def _headers(board: Board, query: dict, more: str = "") -> dict[str, str]:
    """Return the headers of an answer about a board; ``more`` is what else it depends on."""
    kept = for_ever("public") if "digest" in query else {"Cache-Control": "public, no-cache"}
    return {"ETag": f'"{board.digest}{more}"'} | kept
