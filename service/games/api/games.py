"""Games: creating them, viewing them, taking and leaving seats."""

from collections.abc import Callable, Iterable
from functools import partial

import orjson
from flask import Response
from redis import Redis

from domain.board.board import Board
from domain.codec import Json
from domain.drawing import layout
from domain.entry import IdempotencyKey
from domain.game.state import LOBBY
from service.accounts.accounts import Account
from service.accounts.callers import account, viewer
from service.accounts.tokens import PLAY
from service.games import creating, index, inviting, lobby, visibility
from service.games.api.pictures import drawn, game_card
from service.games.schemas import games as schemas
from service.games.shown import GamesPage, View
from service.games.store import GameHead, LoadedGame
from service.http.answers import PNG, SVG, answer, answer_nothing, answer_page
from service.http.blueprint import Blueprint
from service.http.caching import REVALIDATED, answer_version, tag_of, unless_had, version_headers
from service.http.counting import count
from service.http.descriptions import ANYBODY, SIGNED_IN, VERSION_TAG, location
from service.http.serving import games

LOBBY_FILTERS = {"rated", "joinable", "invited"}

blueprint = Blueprint(
    "games",
    __name__,
    url_prefix="/v1/games",
    description="Create, find and view games; take and leave seats.",
)


@blueprint.command("", "createGame", "create", schemas.GameRequestSchema)
@blueprint.response(
    201,
    View,
    description="The new game as the caller may see it.",
    headers=location("The game.", "/v1/games/g_1") | VERSION_TAG,
)
def create_game(caller: Account, once: IdempotencyKey | None, body: dict):
    """Create a game

    List the seats in the order of play. A bot takes its seat at once; an open seat waits for
    somebody to join. The game starts by itself when no seat is open. You may create a game without
    sitting in it. An `invite` reserves a seat for one player, who takes it with `joinGame`.
    `closeInvitation` declines it. With `fork` instead of `board` the new game continues from any
    position of a finished one."""
    _count_creation(caller, body["seats"])
    options = body.get("options", {})
    if "fork" in body:
        made = creating.fork(games(), caller, body["fork"], body["seats"], options, once)
    else:
        made = creating.create(games(), caller, body["board"], body["seats"], options, once)
    return _answer(
        made, caller, f"/v1/games/{made.state.id}", games().strengths.unrated_because(made.state)
    )


@blueprint.operation("GET", "listGames", ANYBODY, 503, query=schemas.GamesQuerySchema)
@blueprint.response(200, GamesPage, description="A page of games.")
def list_games(query: dict):
    """List games

    Newest first. Send `next` as `after` until it is null. A request scans a few thousand games at
    most, so with a rare filter a page can be short, or empty, before the end."""
    me = account() if query.keys() & {"joinable", "invited"} else None
    caller = me.id if me else viewer()
    player, won_by, opponent = (
        account().id if query.get(name) == "me" else query.get(name)
        for name in ("player", "won_by", "opponent")
    )
    narrow = partial(_narrowed, query, me) if query.keys() & LOBBY_FILTERS else None
    status = query.get("status", LOBBY if narrow else None)
    which = index.GameFilter(
        status,
        query.get("board"),
        player,
        query.get("bot"),
        won_by,
        query.get("since"),
        query.get("until"),
        opponent,
        caller if "invited" in query else None,
        narrow,
    )
    return answer_page(
        *index.games_page(
            games().store, which, before=query.get("after"), limit=query["limit"], caller=caller
        )
    )


def _narrowed(query: dict, me: Account | None, heads: list[GameHead]) -> list[GameHead]:
    heads = [head for head in heads if head["status"] == LOBBY]
    if me and "joinable" in query:
        heads = lobby.joinable(games(), me, heads)
    if "rated" in query:
        heads = lobby.rated(games(), query["rated"] == "true", heads)
    return heads


@blueprint.operation(
    "GET /<string:game>", "getGame", ANYBODY, 404, 409, 503, query=schemas.ViewQuerySchema
)
@blueprint.response(
    200,
    View,
    description="The game as the caller may see it.",
    headers=VERSION_TAG,
    unchanged="Your view is still current.",
)
def get_game(query: dict, game: str):
    """Get a game

    The answer shows what you may see: your own hand and tickets if you have a seat, nobody's if you
    do not, everything once the game is finished. The `ETag` begins with the version; send it, or
    the version in quotes, as `If-Match`.

    `at` shows the game at an earlier version: while it runs, as you could see it then; once it is
    finished, with `revealed`, which has what every seat held. A version after the last one is
    refused (`version-ahead`)."""
    looking = visibility.viewer_of(games(), viewer(), game)
    then = looking.at(query.get("at"))
    is_past = "at" in query and looking.is_open
    shown = looking.view_at(then, query["legal_actions"])
    return answer_version(shown, then.state.version, REVALIDATED if is_past else None)


@blueprint.operation(
    "GET /<string:game>/board.svg",
    "getGamePicture",
    ANYBODY,
    404,
    409,
    503,
    query=schemas.PictureQuerySchema,
)
@blueprint.response(
    200,
    {"type": "string"},
    content_type=SVG,
    description="The picture.",
    headers=VERSION_TAG,
    unchanged="Your picture is still current.",
)
def get_game_picture(query: dict, game: str):
    """Get a picture of a game

    The map with everything on the table that is public; with `at`, at an earlier version. For
    people: what the picture shows as seat 1 is seat 0 of the view."""
    return _picture(query, game, drawn)


@blueprint.operation(
    "GET /<string:game>/card.png",
    "getGameCard",
    ANYBODY,
    404,
    409,
    503,
    query=schemas.PictureQuerySchema,
)
@blueprint.response(
    200,
    {"type": "string", "format": "binary"},
    content_type=PNG,
    description="The card.",
    headers=VERSION_TAG,
    unchanged="Your card is still current.",
)
def get_game_card(query: dict, game: str):
    """Get a card of a game to share

    A PNG of 1200 by 630 pixels: the map with the trains, and the players with their points, the
    winner first once the game is over. With `at`, at an earlier version. Other sites show it next
    to a link to the game (`og:image`)."""
    return _picture(query, game, game_card, PNG)


def _picture(
    query: dict, game: str, make: Callable[[Redis, Board, Json], str | bytes], form: str = SVG
) -> Response:
    looking = visibility.viewer_of(games(), viewer(), game)
    then = looking.at(query.get("at"))
    board, shown = then.state.board, visibility.view_of_table(games(), then)
    tag = tag_of(orjson.dumps([shown, layout.version()]), then.state.version)
    is_public = "at" in query and looking.is_open and visibility.is_for_all(looking.game.state)
    kept = {"Cache-Control": "public, no-cache"} if is_public else REVALIDATED
    return unless_had(
        {"ETag": tag, "Vary": "Authorization"} | kept,
        lambda: Response(make(games().store.redis, board, shown), mimetype=form),
    )


@blueprint.command("/<string:game>/seats", "joinGame", "join", schemas.JoinRequestSchema)
@blueprint.response(
    201,
    View,
    description="The game as its new player may see it.",
    headers=location("The seat; send DELETE to leave it.", "/v1/games/g_1/seats/1") | VERSION_TAG,
)
def join_game(caller: Account, once: IdempotencyKey | None, body: dict, game: str):
    """Take a seat

    You get the seat that is reserved for you, else the first open one for your rating unless you
    name another. The game starts when the last seat is taken. A game that is not public requires
    its invitation code, unless you are invited to a seat.

    While you have taken open seats in ten games of others and have not decided anything there,
    begun or not, you get no further one: `games` of the problem `too-many-unplayed` names them."""
    joined, seat = lobby.join(
        games(), caller, game, body, lambda: games().strengths.overall(caller.player), once
    )
    return _answer(joined, caller, f"/v1/games/{game}/seats/{seat}")


@blueprint.operation(
    "DELETE /<string:game>/seats/<int:seat>", "leaveSeat", SIGNED_IN, 404, 409, 503
)
@blueprint.response(204, description="The seat is open again.")
def leave_seat(game: str, seat: int):
    """Leave a seat

    Leave your own seat before the game starts; afterwards, play the action `resign`. The creator of
    a game may free any seat. If the seat was reserved for the player, `if_declined` says whether
    the game is aborted."""
    lobby.leave(games(), account(PLAY), game, seat)
    return answer_nothing()


@blueprint.command("/<string:game>/start", "startGame", "start")
@blueprint.response(200, View, description="The game, which has started.", headers=VERSION_TAG)
def start_game(caller: Account, once: IdempotencyKey | None, _body: dict, game: str):
    """Start a game

    Start with the players who have joined, if the board allows that number. Open seats are removed
    and the others are numbered again from 0. Only the creator may do this; a game without open
    seats starts by itself."""
    return _answer(lobby.start(games(), caller, game, once), caller)


@blueprint.command("/<string:game>/abort", "abortGame", "abort")
@blueprint.response(
    200,
    View,
    headers=VERSION_TAG,
    description="The game: ended without a result, or left by the creator.",
)
def abort_game(caller: Account, once: IdempotencyKey | None, _body: dict, game: str):
    """Abort a game

    Only the creator may do this. If a creator with a seat has seen tickets, the seat is marked
    `aborted`, and the pages of players count it (docs/ratings.md). A creator without a seat cannot
    abort a game in which other accounts have seen tickets. After the first turn has begun, this
    makes the creator resign."""
    return _answer(lobby.abort(games(), caller, game, once), caller)


@blueprint.command("/<string:game>/rematch", "rematch", "rematch")
@blueprint.response(
    201,
    View,
    description="The new game as the caller may see it.",
    headers=location("The new game.", "/v1/games/g_1") | VERSION_TAG,
)
def rematch(caller: Account, once: IdempotencyKey | None, _body: dict, game: str):
    """Play again

    The same players, each moved on by one seat. The first request creates the new game, which is
    unlisted; it starts once every player of the old game has sent this request."""
    _count_creation(caller)
    made = creating.rematch(games(), caller, game, once)
    return _answer(made, caller, f"/v1/games/{made.state.id}")


@blueprint.operation(
    "DELETE /<string:game>/invitations/<string:invited>",
    "closeInvitation",
    SIGNED_IN,
    404,
    409,
    503,
    query=schemas.DeclineQuerySchema,
)
@blueprint.response(204, description="The invitation is closed.")
def close_invitation(query: dict, game: str, invited: str):
    """Decline or withdraw an invitation

    The invited player (`me`) declines, and the creator gets the notice `declined` with the reason.
    The creator withdraws. Then the seat is open, or the game is aborted, as the creator chose.
    Repeating the request changes nothing."""
    caller = account(PLAY)
    player = caller.id if invited == "me" else invited
    inviting.close(games(), caller, game, player, query["reason"])
    return answer_nothing()


def _answer(game: LoadedGame, caller: Account, where: str = "", unrated: str = "") -> Response:
    """Return a game as the caller could see it at its version, the same each time a request is
    repeated. ``where`` is the address of what was created, if anything was; ``unrated`` says why
    the game will not be rated."""
    shown = visibility.Viewer(games(), game, caller.id, then=True).view()
    if unrated:
        shown["unrated"] = unrated
    headers = version_headers(game.state.version) | ({"Location": where} if where else {})
    return answer(shown, 201 if where else 200, headers)


def _count_creation(account: Account, seats: Iterable[dict] = ()) -> None:
    """Count a game that an account creates, and its invitations: all, and those to each player."""
    if who := account.answers_for:
        for row in seats:
            if "invite" in row:
                count("invitations", who)
                count("invited", f"{who}:{row['invite']}")
        count("creations", who)
