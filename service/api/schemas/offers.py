"""Requests and lists of seeks and challenges."""

from __future__ import annotations

from marshmallow import fields, validate

from domain.game.clock import ACT, RESIGN
from service.api.schemas import pages
from service.api.schemas.base import (
    Answered,
    Asked,
    Number,
    Truth,
    distinct,
    flag,
    number,
    one,
    one_of,
    text,
    texts,
    time,
    whole,
)
from service.api.schemas.games import ClockRequestSchema
from service.api.schemas.offered import ChallengeSchema, SeekSchema
from service.api.schemas.ratings import RANKED, RatingSchema, board_or_overall
from service.api.schemas.seats import PlayerSchema
from service.matching.offers import LASTS
from service.matching.terms import MOST_BLOCKED, MOST_OPEN
from service.store.offers import REASONS

LONGEST = 7 * 24 * 60  # minutes
CURSOR = "^[0-9]{1,15}[.]s_[0-9a-f]{20}$"


def _rating(description: str) -> Number:
    return Number(required=False, validate=validate.Range(-1000, 1000),
                  metadata={"description": description})


class ChallengeRequestSchema(Asked):
    """The offered game."""

    board = text("A board's id.")
    clock = one(ClockRequestSchema, "The time that seats have; by default as in a game without a "
                                    "`clock` option.", required=False)
    on_timeout = one_of([RESIGN, ACT], "The effect of running out of time, as in the options of a "
                                       "game.", required=False)
    rated = Truth(load_default=True, metadata={
        "description": "`false`: the game is unlisted and therefore not rated."})
    minutes = whole("Minutes until the offer expires.", 1, LONGEST, required=False,
                    load_default=LASTS)


class SeekRequestSchema(ChallengeRequestSchema):
    """The offered game, and the players who may accept."""

    seats = whole("The number of players, including you.", 2, 8, required=False, load_default=2)
    rating_from = _rating("The minimum overall rating of players who may accept.")
    rating_to = _rating("The maximum overall rating.")


SeeksSchema = pages.page_of(
    SeekSchema, "SeeksSchema", "Open seeks, latest expiry first.",
    "One page of the list.")


ChallengesSchema = pages.page_of(ChallengeSchema, "ChallengesSchema",
                                 "Challenges, the last to lapse first.")


class ChallengeTermsRequestSchema(Asked):
    """Which challenges reach an account. What is left out takes its default."""

    shortest_clock = Number(
        load_default=0.0, validate=validate.Range(0, 86_400),
        metadata={"description": "The least seconds for a decision; for a clock with a bank, its "
                                 "increment plus a hundredth of the bank. 0 by default."})
    boards = fields.List(
        fields.String(validate=validate.Length(1, 100)), load_default=list,
        validate=[validate.Length(0, 20), distinct],
        metadata={"description": "Ids of boards to be challenged on; any if empty, as by default.",
                  "uniqueItems": True})
    open = whole("The most challenges that may wait for an answer; 0 for none at all.", 0,
                 MOST_OPEN, required=False, load_default=MOST_OPEN)
    blocked = fields.List(
        fields.String(validate=validate.Length(1, 40)), load_default=list,
        validate=[validate.Length(0, MOST_BLOCKED), distinct],
        metadata={"description": "Ids of accounts that cannot challenge this one nor accept its "
                                 "seeks, nor can their bots.", "uniqueItems": True})


class ChallengeTermsSchema(Answered):
    """Which challenges reach an account."""

    shortest_clock = number("The least seconds for a decision.")
    boards = texts("Ids of boards; any if empty.")
    open = whole("The most challenges that may wait for an answer.", 0)
    blocked = texts("Ids of blocked accounts.")


class SeeksQuerySchema(Asked):
    """Filters of a list of seeks."""

    board = text("Only seeks on this board.", required=False)
    fits = one_of(["me"], "`me`: only seeks that the caller may accept.", required=False)
    after = pages.after(CURSOR)
    limit = pages.limit("seeks to answer with")


class DeclineRequestSchema(Asked):
    """The reason for declining a challenge."""

    reason = one_of(REASONS, "The reason: not now (`later`), too many games (`busy`), not against "
                             "you (`opponent`), a different `board` or `clock`, a clock that is "
                             "`too_fast` or `too_slow`, only `rated` or `casual` games, `no_bots`, "
                             "`only_bots`, or `generic`.", required=False, load_default="generic")


class OnlineBotSchema(RatingSchema):
    """An external bot that is online."""

    player = one(PlayerSchema, "The bot.")
    seen = time("When it was last online.")
    games = whole("The number of rated games.")
    provisional = flag("Whether the rating is provisional, as on the leaderboard.")


OnlineBotsSchema = pages.page_of(
    OnlineBotSchema, "OnlineBotsSchema", "Bots that are online, highest rating first.",
    "One page of the list.")


class OnlineBotsQuerySchema(Asked):
    """The rating to sort by, and the page to return."""

    board = board_or_overall()
    after = pages.after(RANKED)
    limit = pages.limit("bots to answer with")
