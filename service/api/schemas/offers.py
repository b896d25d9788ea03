"""What is asked and answered about seeks and challenges."""

from __future__ import annotations

from marshmallow import fields, validate

from domain.game.clock import ACT, RESIGN
from service.api.schemas import pages
from service.api.schemas.base import (
    Answered,
    Asked,
    Number,
    Truth,
    many,
    one,
    one_of,
    text,
    time,
    whole,
)
from service.api.schemas.games import ClockRequestSchema
from service.api.schemas.offered import ChallengeSchema, SeekSchema
from service.api.schemas.ratings import RANKED, RatingSchema, board_or_overall
from service.api.schemas.seats import PlayerSchema
from service.matching.offers import LASTS
from service.store.offers import REASONS

LONGEST = 7 * 24 * 60  # minutes
CURSOR = "^[0-9]{1,15}[.]s_[0-9a-f]{20}$"


def _rating(description: str) -> Number:
    return Number(required=False, validate=validate.Range(-1000, 1000),
                  metadata={"description": description})


class ChallengeRequestSchema(Asked):
    """The game that is offered."""

    board = text("A board's id.")
    clock = one(ClockRequestSchema, "How long seats may think; without it as in a game that names "
                "no clock.", required=False)
    on_timeout = one_of([RESIGN, ACT], "What happens to a seat that thinks too long, as in a game "
                        "that is created.", required=False)
    rated = Truth(load_default=True, metadata={
        "description": "`false`: the game is unlisted, and so not rated."})
    minutes = whole("After how many minutes the offer lapses.", 1, LONGEST, required=False,
                    load_default=LASTS)


class SeekRequestSchema(ChallengeRequestSchema):
    """The game that is offered, and to whom."""

    seats = whole("How many players, you included.", 2, 8, required=False, load_default=2)
    rating_from = _rating("Whoever accepts has at least this rating over all boards.")
    rating_to = _rating("And at most this one.")


class SeeksSchema(Answered):
    """Open seeks, the last to lapse first."""

    items = many(SeekSchema, "A page of them.")
    next = pages.next_cursor()


ChallengesSchema = pages.page_of(ChallengeSchema, "ChallengesSchema",
                                 "Challenges, the last to lapse first.")


class SeeksQuerySchema(Asked):
    """Which seeks to list."""

    board = text("Only seeks on this board.", required=False)
    fits = one_of(["me"], "`me`: only those that the caller may accept.", required=False)
    after = pages.after(CURSOR)
    limit = pages.limit("seeks to answer with")


class DeclineRequestSchema(Asked):
    """Why a challenge is declined."""

    reason = one_of(REASONS, "Why: not now (`later`), too many games (`busy`), not with you "
                    "(`opponent`), another `board` or `clock`, a clock that is `too_fast` or "
                    "`too_slow`, only `rated` or `casual` games, `no_bots`, `only_bots`; or "
                    "`generic`.", required=False, load_default="generic")


class OnlineBotSchema(RatingSchema):
    """A bot that is there to be played with."""

    player = one(PlayerSchema, "Which bot.")
    seen = time("When it was last there.")
    games = whole("How many rated games.")
    provisional = fields.Boolean(required=True, metadata={
        "description": "Whether the rating is, as on the leaderboard."})


class OnlineBotsSchema(Answered):
    """Bots that are online, the highest rating first."""

    items = many(OnlineBotSchema, "A page of them.")
    next = pages.next_cursor()


class OnlineBotsQuerySchema(Asked):
    """By which rating, and which part of the list."""

    board = board_or_overall()
    after = pages.after(RANKED)
    limit = pages.limit("bots to answer with")
