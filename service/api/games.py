"""Games: making them, seeing them, sitting down."""

from __future__ import annotations

from flask import Response

from domain.picture import draw
from domain.view import view
from service import index
from service.api.http import (
    ANYBODY,
    SIGNED_IN,
    SVG,
    VERSION_TAG,
    Blueprint,
    account,
    account_if_any,
    answer,
    games,
    location,
)
from service.api.players import answer_nothing
from service.api.schemas.games import GamesQuerySchema, JoinSchema, NewGameSchema, ViewQuerySchema
from service.api.schemas.views import GamesSchema, ViewSchema
from service.games import seat_of
from service.store import Game

blueprint = Blueprint("games", __name__, url_prefix="/v1/games",
                      description="Making, finding and seeing games; taking and leaving seats.")


@blueprint.route("", methods=["POST"])
@blueprint.doc(operationId="createGame", security=SIGNED_IN)
@blueprint.problems(400, 401, 404, 409, 413, 415, 422, 503)
@blueprint.arguments(NewGameSchema)
@blueprint.response(201, ViewSchema, description="The new game as the caller may see it.",
                    headers=location("The game.", "/v1/games/g_1") | VERSION_TAG)
def create_game(wish: dict):
    """Create a game

    The seats are given in the order of play. An open seat waits for somebody to join, a bot's is
    taken at once; the game starts by itself when none is open. The creator may watch only."""
    caller = account()
    made = games().create(caller, wish["board"], wish["seats"], wish.get("options", {}))
    where = {"Location": f"/v1/games/{made.state.id}"}
    return answer(seen(made, caller), 201, where | etag(made))


@blueprint.route("")
@blueprint.doc(operationId="listGames", security=ANYBODY)
@blueprint.problems(401, 422, 503)
@blueprint.arguments(GamesQuerySchema, location="query")
@blueprint.response(200, GamesSchema, description="A page of games.")
def list_games(query: dict):
    """List games

    The newest first. Follow `next` as `cursor` until it is null."""
    caller = account_if_any()
    player = query.get("player")
    if player == "me":
        player = (caller or account())["id"]
    rows, cursor = index.listed(
        games().store, status=query.get("status"), player=player, board=query.get("board"),
        before=query.get("cursor"), limit=query["limit"])
    return answer({"items": rows, "next": cursor})


@blueprint.route("/<string:game>")
@blueprint.doc(operationId="getGame", security=ANYBODY)
@blueprint.problems(401, 404, 422, 503)
@blueprint.arguments(ViewQuerySchema, location="query")
@blueprint.response(200, ViewSchema, description="The game as the caller may see it.",
                    headers=VERSION_TAG)
def get_game(query: dict, game: str):
    """See a game

    What you may see of it: your own hand and tickets if you have a seat, nobody's if you have
    none, everything once it is finished. The `ETag` is the version, to be sent as `If-Match`."""
    caller = account_if_any()
    found = games().get(game)
    return answer(seen(found, caller, query["legal_actions"]), 200, etag(found))


@blueprint.route("/<string:game>/board.svg")
@blueprint.doc(operationId="getGamePicture", security=ANYBODY)
@blueprint.problems(401, 404, 422, 503)
@blueprint.response(200, {"type": "string"}, content_type=SVG, description="The picture.",
                    headers=VERSION_TAG)
def get_game_picture(game: str):
    """See a picture of a game

    The map with everything that lies on the table for all to see."""
    account_if_any()
    found = games().get(game)
    picture = draw(found.state.board, view(found.state, None))
    return Response(picture, 200, etag(found), mimetype=SVG)


@blueprint.route("/<string:game>/seats", methods=["POST"])
@blueprint.doc(operationId="joinGame", security=SIGNED_IN)
@blueprint.problems(400, 401, 404, 409, 413, 415, 422, 503)
@blueprint.arguments(JoinSchema)
@blueprint.response(201, ViewSchema, description="The game as its new player may see it.",
                    headers=location("The seat, to be left.", "/v1/games/g_1/seats/1")
                    | VERSION_TAG)
def join_game(wish: dict, game: str):
    """Take a seat

    The first open one. The last seat taken starts the game."""
    caller = account()
    joined = games().join(caller, game, wish.get("entropy"))
    where = {"Location": f"/v1/games/{game}/seats/{seat_of(joined.state, caller)}"}
    return answer(seen(joined, caller), 201, where | etag(joined))


@blueprint.route("/<string:game>/seats/<int:seat>", methods=["DELETE"])
@blueprint.doc(operationId="leaveSeat", security=SIGNED_IN)
@blueprint.problems(401, 403, 404, 409, 422, 503)
@blueprint.response(204, description="The seat is open again.")
def leave_seat(game: str, seat: int):
    """Leave a seat

    Before the game starts. Afterwards, play the action `resign`."""
    games().leave(account(), game, seat)
    return answer_nothing()


def seen(game: Game, caller: dict | None, with_legal_actions: bool = True) -> dict:
    """Return a game as the caller may see it."""
    return view(game.state, seat_of(game.state, caller), with_legal_actions=with_legal_actions)


def etag(game: Game) -> dict[str, str]:
    """Return the headers that name the version and keep what one caller sees from another."""
    return {"ETag": f'"{game.state.version}"', "Cache-Control": "private, no-cache",
            "Vary": "Authorization"}
