"""Games: making them, seeing them, sitting down."""

from __future__ import annotations

from flask import Response

from domain.drawing.picture import draw
from domain.entry import Once
from service.accounts.accounts import Account
from service.accounts.tokens import PLAY
from service.api.answers import SVG, answer, answer_nothing
from service.api.blueprint import Blueprint
from service.api.caching import for_ever, unless_game_had, version_headers
from service.api.callers import account, viewer
from service.api.descriptions import ANYBODY, SIGNED_IN, VERSION_TAG, location
from service.api.limits import count_creation
from service.api.pictures import drawn
from service.api.schemas.games import (
    GameRequestSchema,
    GamesQuerySchema,
    InvitationRequestSchema,
    JoinRequestSchema,
    PictureQuerySchema,
    ViewQuerySchema,
)
from service.api.schemas.views import GamesSchema, ViewSchema
from service.api.serving import games
from service.games import creating, index, lobby, playing, sight
from service.store.games import KnownGame

blueprint = Blueprint("games", __name__, url_prefix="/v1/games",
                      description="Making, finding and seeing games; taking and leaving seats.")


@blueprint.command("", "createGame", "create", GameRequestSchema)
@blueprint.response(201, ViewSchema, description="The new game as the caller may see it.",
                    headers=location("The game.", "/v1/games/g_1") | VERSION_TAG)
def create_game(caller: Account, once: Once | None, wish: dict):
    """Create a game

    The seats are given in the order of play. An open seat waits for somebody to join, a bot's is
    taken at once; the game starts by itself when none is open. The creator may watch only. With
    `fork` in place of `board` the game goes on from any position of a finished game: what if?"""
    count_creation(caller)
    options = wish.get("options", {})
    if "fork" in wish:
        made = creating.fork(games(), caller, wish["fork"], wish["seats"], options, once)
    else:
        made = creating.create(games(), caller, wish["board"], wish["seats"], options, once)
    where = {"Location": f"/v1/games/{made.state.id}"}
    return answer(view_then(made, caller.id), 201, where | version_headers(made.state.version))


@blueprint.route("")
@blueprint.doc(operationId="listGames", security=ANYBODY)
@blueprint.problems(503)
@blueprint.arguments(GamesQuerySchema, location="query")
@blueprint.response(200, GamesSchema, description="A page of games.")
def list_games(query: dict):
    """List games

    The newest first. Follow `next` as `after` until it is null: a request looks at some thousand
    games at most, so where few are as you wish a page can be short, or empty, before the end."""
    caller = viewer()
    player = query.get("player")
    if player == "me":
        player = account().id
    won_by = query.get("won_by")
    if won_by == "me":
        won_by = account().id
    which = index.GameFilter(query.get("status"), query.get("board"), player, query.get("bot"),
                             won_by, query.get("since"), query.get("until"))
    rows, cursor = index.games_page(games().store, which, before=query.get("after"),
                                    limit=query["limit"], caller=caller)
    return answer({"items": rows, "next": cursor})


@blueprint.route("/<string:game>")
@blueprint.doc(operationId="getGame", security=ANYBODY)
@blueprint.problems(404, 409, 503)
@blueprint.arguments(ViewQuerySchema, location="query")
@blueprint.response(200, ViewSchema, description="The game as the caller may see it.",
                    headers=VERSION_TAG)
@blueprint.not_again("What you have is the game as it is.", VERSION_TAG)
def get_game(query: dict, game: str):
    """See a game

    What you may see of it: your own hand and tickets if you have a seat, nobody's if you have
    none, everything once it is finished. The `ETag` is the version, to be sent as `If-Match`.

    With `at` you see the game as it was at any version. While it runs that is what you could see
    then; once it is finished `revealed` tells what every seat held then. A version that the game
    has not come to is refused (`version-ahead`)."""
    caller = viewer()
    found = sight.game_for(games(), caller, game)
    then = sight.at(games(), found, query.get("at"))
    more = "-open" if sight.shows_more_now(games(), found, then) else ""
    return unless_game_had(version_headers(then.state.version, more) | (
        _past_headers(found, "private") if "at" in query else {}), lambda: answer(
            sight.view_at(games(), found, then, caller, query["legal_actions"])))


@blueprint.route("/<string:game>/board.svg")
@blueprint.doc(operationId="getGamePicture", security=ANYBODY)
@blueprint.problems(404, 409, 503)
@blueprint.arguments(PictureQuerySchema, location="query")
@blueprint.response(200, {"type": "string"}, content_type=SVG, description="The picture.",
                    headers=VERSION_TAG)
@blueprint.not_again("The picture that you have is the right one.", VERSION_TAG)
def get_game_picture(query: dict, game: str):
    """See a picture of a game

    The map with everything that lies on the table for all to see; with `at`, that lay there at
    any version."""
    found = sight.game_for(games(), viewer(), game)
    then = sight.at(games(), found, query.get("at"))
    whose = "public" if sight.is_for_all(found.state) else "private"
    return unless_game_had(version_headers(then.state.version) | (
        _past_headers(found, whose) if "at" in query else {}), lambda: Response(
            drawn(games().store.redis, draw, then.state.board,
                  sight.view_of_table(games(), then)), mimetype=SVG))


@blueprint.command("/<string:game>/seats", "joinGame", "join", JoinRequestSchema)
@blueprint.response(201, ViewSchema, description="The game as its new player may see it.",
                    headers=location("The seat, to be left.", "/v1/games/g_1/seats/1")
                    | VERSION_TAG)
def join_game(caller: Account, once: Once | None, wish: dict, game: str):
    """Take a seat

    The first open one, unless you name another. The last seat taken starts the game. A game that
    is not public asks for its invitation code."""
    joined, seat = lobby.join(games(), caller, game, wish, once)
    where = {"Location": f"/v1/games/{game}/seats/{seat}"}
    return answer(view_then(joined, caller.id), 201, where | version_headers(joined.state.version))


@blueprint.route("/<string:game>/seats/<int:seat>", methods=["DELETE"])
@blueprint.doc(operationId="leaveSeat", security=SIGNED_IN)
@blueprint.problems(404, 409, 503)
@blueprint.response(204, description="The seat is open again.")
def leave_seat(game: str, seat: int):
    """Leave a seat

    Your own, before the game starts; afterwards, play the action `resign`. The creator of a game
    may free any seat."""
    lobby.leave(games(), account(PLAY), game, seat)
    return answer_nothing()


@blueprint.command("/<string:game>/start", "startGame", "start")
@blueprint.response(200, ViewSchema, description="The game, begun.", headers=VERSION_TAG)
def start_game(caller: Account, once: Once | None, _wish: dict, game: str):
    """Start a game

    With the players that are there, if the board is for so few: open seats are put away, and the
    others numbered anew. Only the creator may; a game without open seats starts by itself."""
    started = lobby.start(games(), caller, game, once)
    return answer(view_then(started, caller.id), 200, version_headers(started.state.version))


@blueprint.command("/<string:game>/abort", "abortGame", "abort")
@blueprint.response(200, ViewSchema, headers=VERSION_TAG,
                    description="The game: over without a result, or without the creator.")
def abort_game(caller: Account, once: Once | None, _wish: dict, game: str):
    """Call a game off

    Only the creator may. Once a creator who has a seat has seen tickets, the seat is marked
    `aborted`, and it is counted on the player's page; after the first turn has begun the creator
    resigns by this."""
    aborted = lobby.abort(games(), caller, game, once)
    return answer(view_then(aborted, caller.id), 200, version_headers(aborted.state.version))


@blueprint.command("/<string:game>/silence", "endSilence", "silence")
@blueprint.response(200, ViewSchema, description="The game, which the silent seat has left.",
                    headers=VERSION_TAG)
def end_silence(caller: Account, once: Once | None, _wish: dict, game: str):
    """End the wait for a silent player

    In a game without a clock (its view has no `clock`; most have one, and need none to ask) there
    are three days for each decision. Once they are over, any player still in play whom the game
    does not wait for may ask for this: the seat that has been silent for the longest leaves the
    game, as if its time were over on a clock (rule 8.5)."""
    ended = playing.end_silence(games(), caller, game, once)
    return answer(view_then(ended, caller.id), 200, version_headers(ended.state.version))


@blueprint.command("/<string:game>/rematch", "rematch", "rematch")
@blueprint.response(201, ViewSchema, description="The new game as the caller may see it.",
                    headers=location("The new game.", "/v1/games/g_1") | VERSION_TAG)
def rematch(caller: Account, once: Once | None, _wish: dict, game: str):
    """Play again

    The same players, each a seat further on. The first who asks creates the new game, which is
    unlisted; it starts once every player of the old one has asked."""
    count_creation(caller)
    made = creating.rematch(games(), caller, game, once)
    where = {"Location": f"/v1/games/{made.state.id}"}
    return answer(view_then(made, caller.id), 201, where | version_headers(made.state.version))


@blueprint.command("/<string:game>/invitations", "invitePlayer", "invite", InvitationRequestSchema)
@blueprint.response(204, description="The player is told.")
def invite_player(caller: Account, _once: Once | None, wish: dict, game: str):
    """Invite a player

    Tells an account, on its `listMyEvents`, that it may join; the notice carries the invitation
    code that a game asks for which is not public. Only the creator and the players may invite."""
    lobby.invite(games(), caller, game, wish["player"])
    return answer_nothing()


def view_then(game: KnownGame, caller: str | None) -> dict:
    """Return a game as the caller might see it then: always the same for a repeated request."""
    return sight.view(games(), game, caller, then=True)


def _past_headers(game: KnownGame, whose: str) -> dict[str, str]:
    """Return the header that lets an answer about the past of a game be kept, by the caller or by
    the ``public``: for ever once the game is over, as nothing about it will change."""
    return for_ever(whose) if sight.is_open_book(games(), game.state) else {}
