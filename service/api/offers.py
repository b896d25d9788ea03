"""Seeks and challenges: offers of games to anyone or to one player."""

from __future__ import annotations

from dataclasses import asdict

from domain.entry import IdempotencyKey
from service.accounts.accounts import Account
from service.accounts.tokens import PLAY
from service.api.answers import answer, answer_created, answer_nothing, answer_page
from service.api.blueprint import Blueprint
from service.api.callers import account, viewer
from service.api.descriptions import ANYBODY, SIGNED_IN, location
from service.api.limits import count_creation
from service.api.schemas.offered import ChallengeSchema, SeekSchema
from service.api.schemas.offers import (
    ChallengeRequestSchema,
    ChallengesSchema,
    ChallengeTermsRequestSchema,
    ChallengeTermsSchema,
    DeclineRequestSchema,
    OnlineBotsQuerySchema,
    OnlineBotsSchema,
    SeekRequestSchema,
    SeeksQuerySchema,
    SeeksSchema,
)
from service.api.serving import games
from service.matching import offers, online, terms
from service.matching.offers import SeekFilter
from service.projections.leaderboards import scope_called
from service.store.offers import CHALLENGE, SEEK

blueprint = Blueprint("offers", __name__, url_prefix="/v1",
                      description="Offer games: seeks are open to any player in a rating range, "
                                  "challenges are for one player.")


@blueprint.operation("GET /seeks", "listSeeks", ANYBODY, 503, query=SeeksQuerySchema)
@blueprint.response(200, SeeksSchema, description="A page of seeks.")
def list_seeks(query: dict):
    """List seeks

    Open seeks, those that expire last first. Send `next` as `after` until it is null."""
    who = viewer()
    fits = account() if "fits" in query else None
    rows, cursor = offers.open_seeks(games(), SeekFilter(query.get("board"), fits),
                                     query.get("after"), query["limit"])
    return answer_page([row.shown_to(who) for row in rows], cursor)


@blueprint.command("/seeks", "createSeek", "create_seek", SeekRequestSchema)
@blueprint.response(201, SeekSchema, description="The seek.",
                    headers=location("The seek; send DELETE to withdraw it.", "/v1/seeks/s_1"))
def create_seek(caller: Account, once: IdempotencyKey | None, body: dict):
    """Create a seek

    A seek offers a game to any player, or to players in a rating range, until it expires. Once
    enough players have accepted, it becomes a game. The game's id is known from the start, and
    `listMyEvents` notifies you. Alternatively, create a game with an open seat (`createGame`): it
    exists at once, and anyone may join."""
    count_creation(caller)
    made = offers.seek(games(), caller, body, once and once.id)
    return answer_created(made.shown, f"/v1/seeks/{made.id}")


@blueprint.command("/seeks/<string:seek>/accept", "acceptSeek", "accept_seek")
@blueprint.response(200, SeekSchema, description="The seek; if its state is `accepted`, the game "
                                                 "has started.")
def accept_seek(caller: Account, _once: IdempotencyKey | None, _body: dict, seek: str):
    """Accept a seek

    The game starts as soon as the last open seat is taken. Accepting twice changes nothing."""
    return answer(offers.accept(games(), caller, SEEK, seek).shown_to(caller.id))


@blueprint.operation("GET /seeks/<string:seek>", "getSeek", ANYBODY, 404, 503)
@blueprint.response(200, SeekSchema, description="The seek.")
def get_seek(seek: str):
    """Get a seek

    Available in any state until a day after its expiry."""
    who = viewer()
    return answer(offers.get(games(), who, SEEK, seek).shown_to(who))


@blueprint.operation("DELETE /seeks/<string:seek>", "withdrawSeek", SIGNED_IN, 404, 409, 503)
@blueprint.response(204, description="The seek is withdrawn.")
def withdraw_seek(seek: str):
    """Withdraw a seek

    This fails once the offer has become a game."""
    offers.withdraw(games(), account(PLAY), SEEK, seek)
    return answer_nothing()


@blueprint.command("/players/<string:player>/challenges", "challengePlayer", "challenge",
                   ChallengeRequestSchema)
@blueprint.response(201, ChallengeSchema, description="The challenge.", headers=location(
    "The challenge; send DELETE to withdraw it.", "/v1/challenges/h_1"))
def challenge_player(caller: Account, once: IdempotencyKey | None, body: dict, player: str):
    """Challenge a player

    Offers a game for two to one player. The player gets the notice `challenged` on `listMyEvents`
    and accepts or declines; you get `started` or `declined`. To fill a seat of an existing game,
    use `invitePlayer`."""
    count_creation(caller)
    made = offers.challenge(games(), caller, player, body, once and once.id)
    return answer_created(made.shown, f"/v1/challenges/{made.id}")


@blueprint.operation("GET /me/challenges", "listMyChallenges", SIGNED_IN, 503)
@blueprint.response(200, ChallengesSchema, description="All of them.")
def list_my_challenges():
    """List your challenges

    Challenges that you sent or received, in any state, until they expire."""
    return answer_page([row.shown for row in offers.challenges_of(games(), account())])


@blueprint.operation("GET /me/challenge-terms", "getChallengeTerms", SIGNED_IN, 503)
@blueprint.response(200, ChallengeTermsSchema, description="The terms.")
def get_challenge_terms():
    """Get your terms for challenges

    Until you set them, every challenge reaches you."""
    return answer(asdict(terms.terms_of(games().redis, account().id)))


@blueprint.operation("PUT /me/challenge-terms", "setChallengeTerms", SIGNED_IN, 404, 503,
                     body=ChallengeTermsRequestSchema)
@blueprint.response(200, ChallengeTermsSchema, description="The terms.")
def set_challenge_terms(body: dict):
    """Set your terms for challenges

    A challenge that does not fit is refused when it is made (`offer-refused`), so you never see
    it. Blocked accounts cannot accept your seeks either. A bot has its own terms. Whatever the
    terms, one account and its bots have at most 3 open challenges to you."""
    return answer(asdict(terms.set_terms(games().store, account(PLAY), body)))


@blueprint.command("/challenges/<string:challenge>/accept", "acceptChallenge", "accept_challenge")
@blueprint.response(200, ChallengeSchema, description="The challenge; its game has started.")
def accept_challenge(caller: Account, _once: IdempotencyKey | None, _body: dict, challenge: str):
    """Accept a challenge

    The game starts at once. Accepting twice changes nothing."""
    return answer(offers.accept(games(), caller, CHALLENGE, challenge).shown)


@blueprint.command("/challenges/<string:challenge>/decline", "declineChallenge",
                   "decline_challenge", DeclineRequestSchema)
@blueprint.response(200, ChallengeSchema, description="The challenge, declined.")
def decline_challenge(caller: Account, _once: IdempotencyKey | None, body: dict, challenge: str):
    """Decline a challenge

    The challenger is sent the reason."""
    return answer(offers.decline(games(), caller, challenge, body["reason"]).shown)


@blueprint.operation("GET /challenges/<string:challenge>", "getChallenge", SIGNED_IN, 404, 503)
@blueprint.response(200, ChallengeSchema, description="The challenge.")
def get_challenge(challenge: str):
    """Get a challenge

    Available to its two players, in any state, until a day after its expiry.
    """
    return answer(offers.get(games(), account().id, CHALLENGE, challenge).shown)


@blueprint.operation("DELETE /challenges/<string:challenge>", "withdrawChallenge", SIGNED_IN, 404,
                     409, 503)
@blueprint.response(204, description="The challenge is withdrawn.")
def withdraw_challenge(challenge: str):
    """Withdraw a challenge

    This fails once the offer has become a game."""
    offers.withdraw(games(), account(PLAY), CHALLENGE, challenge)
    return answer_nothing()


@blueprint.operation("GET /bots/online", "listBotsOnline", [], 404, 503,
                     query=OnlineBotsQuerySchema)
@blueprint.response(200, OnlineBotsSchema, description="A page of bots.")
def list_bots_online(query: dict):
    """List the bots that are online

    External bots that follow `listMyEvents`, or have called it within the last minute; you can
    challenge them. Highest rating first. Send `next` as `after` until it is null. Bots that connect
    or leave in between may appear twice or not at all."""
    scope = scope_called(games().store, query["board"])
    return answer_page(*online.page(games().redis, scope, query.get("after"), query["limit"]))
