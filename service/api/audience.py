"""The audience of a game: reactions of its players, and the number of spectators."""

from __future__ import annotations

from domain.entry import IdempotencyKey
from service.accounts.accounts import Account
from service.api.answers import answer
from service.api.blueprint import Blueprint
from service.api.callers import viewer
from service.api.descriptions import ANYBODY
from service.api.limits import count_reaction
from service.api.schemas.audience import AudienceSchema, ReactionRequestSchema, ReactionSchema
from service.api.serving import games
from service.errors import NotYours
from service.games import audience, visibility

blueprint = Blueprint("audience", __name__, url_prefix="/v1/games",
                      description="Preset reactions at a table, and how many watch it.")


@blueprint.command("/<string:game>/reactions", "react", "react", ReactionRequestSchema)
@blueprint.response(201, ReactionSchema, description="The reaction is shown to everybody who "
                                                     "follows the game's audience.")
def react(caller: Account, once: IdempotencyKey | None, body: dict, game: str):
    """Send a reaction

    Only players with a seat in the game can. A reaction is one of a fixed list; there is no other
    text. It is shown for a minute, and is not in the game's history. An account with its bots may
    send a few in 20 seconds (`reactions` in the rate limits)."""
    found = visibility.game_for(games(), caller.id, game)
    seat = visibility.seat_of(found.state, caller.id)
    if seat is None:
        raise NotYours("only players with a seat in the game may react")
    count_reaction(caller)
    shown = audience.react(games().redis, games().news, game, seat, body["reaction"], once)
    return answer(shown.json, 201)


@blueprint.operation("GET /<string:game>/audience", "getAudience", ANYBODY, 404, 409, 503)
@blueprint.response(200, AudienceSchema, description="The reactions and the number of spectators.")
def get_audience(game: str):
    """Get a game's audience

    For those who do not follow the game, and after its end, when its streams are over. A stream of
    `listEvents` with `audience` sends the same at its beginning and whenever it changes."""
    found = visibility.game_for(games(), viewer(), game)
    return answer(audience.audience(games().redis, found.state.id).json)
