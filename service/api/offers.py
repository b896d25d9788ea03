"""Seeks and challenges: offering games, and accepting them."""

from __future__ import annotations

from domain.entry import Once
from service.accounts.accounts import Account
from service.accounts.tokens import PLAY
from service.api.answers import answer, answer_nothing
from service.api.blueprint import Blueprint
from service.api.callers import account, viewer
from service.api.descriptions import ANYBODY, SIGNED_IN, location
from service.api.limits import count_creation
from service.api.schemas.offered import ChallengeSchema, SeekSchema
from service.api.schemas.offers import (
    ChallengeRequestSchema,
    ChallengesSchema,
    DeclineRequestSchema,
    OnlineBotsQuerySchema,
    OnlineBotsSchema,
    SeekRequestSchema,
    SeeksQuerySchema,
    SeeksSchema,
)
from service.api.serving import games
from service.errors import UnknownThing
from service.matching import offers, online
from service.matching.offers import SeekFilter
from service.projections.standing import OVERALL
from service.store.offers import CHALLENGE, SEEK

blueprint = Blueprint("offers", __name__, url_prefix="/v1",
                      description="Offering games to whoever fits, or to somebody.")


@blueprint.route("/seeks")
@blueprint.doc(operationId="listSeeks", security=ANYBODY)
@blueprint.problems(503)
@blueprint.arguments(SeeksQuerySchema, location="query")
@blueprint.response(200, SeeksSchema, description="A page of seeks.")
def list_seeks(query: dict):
    """List seeks

    Those that are open, the last to lapse first. Follow `next` as `after` until it is null."""
    who = viewer()
    fits = account() if "fits" in query else None
    rows, cursor = offers.open_seeks(games(), SeekFilter(query.get("board"), fits),
                                     query.get("after"), query["limit"])
    return answer({"items": [row.shown_to(who) for row in rows], "next": cursor})


@blueprint.command("/seeks", "createSeek", "create_seek", SeekRequestSchema)
@blueprint.response(201, SeekSchema, description="The seek.",
                    headers=location("Where it is accepted or taken back.", "/v1/seeks/s_1"))
def create_seek(caller: Account, once: Once | None, wish: dict):
    """Offer a game to whoever fits

    Anybody may accept whose rating is in the range, if you wish for one, until it lapses. Once as
    many have as it has seats it is a game, whose id it names from the start; you find it on
    `listMyEvents`. A game with an open seat (`createGame`) is the other way: it is there at once,
    and whoever comes may sit down."""
    count_creation(caller)
    made = offers.seek(games(), caller, wish, once and once.id)
    return answer(made.shown, 201, {"Location": f"/v1/seeks/{made.id}"})


@blueprint.command("/seeks/<string:seek>/accept", "acceptSeek", "accept_seek")
@blueprint.response(200, SeekSchema, description="The seek; a game now if it is `accepted`.")
def accept_seek(caller: Account, _once: Once | None, _wish: dict, seek: str):
    """Accept a seek

    The last whom it takes makes it a game, which begins at once. Accepting again changes
    nothing."""
    return answer(offers.accept(games(), caller, SEEK, seek).shown_to(caller.id))


@blueprint.route("/seeks/<string:seek>")
@blueprint.doc(operationId="getSeek", security=ANYBODY)
@blueprint.problems(404, 503)
@blueprint.response(200, SeekSchema, description="The seek.")
def get_seek(seek: str):
    """Return a seek

    Whatever has become of it, until a day after it would have lapsed."""
    who = viewer()
    return answer(offers.get(games(), who, SEEK, seek).shown_to(who))


@blueprint.route("/seeks/<string:seek>", methods=["DELETE"])
@blueprint.doc(operationId="withdrawSeek", security=SIGNED_IN)
@blueprint.problems(404, 409, 503)
@blueprint.response(204, description="Nobody can accept it any more.")
def withdraw_seek(seek: str):
    """Take a seek back

    Unless it is a game by now."""
    offers.withdraw(games(), account(PLAY), SEEK, seek)
    return answer_nothing()


@blueprint.command("/players/<string:player>/challenges", "challengePlayer", "challenge",
                   ChallengeRequestSchema)
@blueprint.response(201, ChallengeSchema, description="The challenge.", headers=location(
    "Where it is answered or taken back.", "/v1/challenges/h_1"))
def challenge_player(caller: Account, once: Once | None, wish: dict, player: str):
    """Challenge a player

    To a game of two. The player is told on `listMyEvents` (`challenged`), and accepts or declines;
    you are told, too (`started` or `declined`). To have somebody join a game that is there already,
    invite them (`invitePlayer`)."""
    count_creation(caller)
    made = offers.challenge(games(), caller, player, wish, once and once.id)
    return answer(made.shown, 201, {"Location": f"/v1/challenges/{made.id}"})


@blueprint.route("/me/challenges")
@blueprint.doc(operationId="listMyChallenges", security=SIGNED_IN)
@blueprint.problems(503)
@blueprint.response(200, ChallengesSchema, description="All of them.")
def list_my_challenges():
    """List your challenges

    Those that you have made or were sent, whatever has become of them, until the time at which
    they lapse."""
    return answer({"items": [row.shown for row in offers.challenges_of(games(), account())],
                   "next": None})


@blueprint.command("/challenges/<string:challenge>/accept", "acceptChallenge", "accept_challenge")
@blueprint.response(200, ChallengeSchema, description="The challenge, which is a game now.")
def accept_challenge(caller: Account, _once: Once | None, _wish: dict, challenge: str):
    """Accept a challenge

    The game begins at once. Accepting again changes nothing."""
    return answer(offers.accept(games(), caller, CHALLENGE, challenge).shown)


@blueprint.command("/challenges/<string:challenge>/decline", "declineChallenge",
                   "decline_challenge", DeclineRequestSchema)
@blueprint.response(200, ChallengeSchema, description="The challenge, declined.")
def decline_challenge(caller: Account, _once: Once | None, wish: dict, challenge: str):
    """Decline a challenge

    Who has challenged you is told the reason."""
    return answer(offers.decline(games(), caller, challenge, wish["reason"]).shown)


@blueprint.route("/challenges/<string:challenge>")
@blueprint.doc(operationId="getChallenge", security=SIGNED_IN)
@blueprint.problems(404, 503)
@blueprint.response(200, ChallengeSchema, description="The challenge.")
def get_challenge(challenge: str):
    """Return a challenge

    To the two whom it concerns, whatever has become of it, until a day after it would have lapsed.
    """
    return answer(offers.get(games(), account().id, CHALLENGE, challenge).shown)


@blueprint.route("/challenges/<string:challenge>", methods=["DELETE"])
@blueprint.doc(operationId="withdrawChallenge", security=SIGNED_IN)
@blueprint.problems(404, 409, 503)
@blueprint.response(204, description="It cannot be accepted any more.")
def withdraw_challenge(challenge: str):
    """Take a challenge back

    Unless it is a game by now."""
    offers.withdraw(games(), account(PLAY), CHALLENGE, challenge)
    return answer_nothing()


@blueprint.route("/bots/online")
@blueprint.doc(operationId="listBotsOnline", security=[])
@blueprint.problems(404, 503)
@blueprint.arguments(OnlineBotsQuerySchema, location="query")
@blueprint.response(200, OnlineBotsSchema, description="A page of bots.")
def list_bots_online(query: dict):
    """List the bots that are online

    Those that somebody runs and that listen to their notices (`listMyEvents`), or have asked for
    them within a minute: whom one may challenge. The highest rating first. Follow `next` as
    `after` until it is null; who comes and goes meanwhile may be seen twice, or not."""
    scope = query["board"]
    if scope not in (OVERALL, *games().store.boards):
        raise UnknownThing("board", scope)
    rows, cursor = online.page(games().redis, scope, query.get("after"), query["limit"])
    return answer({"items": rows, "next": cursor})
