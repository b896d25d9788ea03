"""Bots that are online."""

from __future__ import annotations

from service.api.schemas import pages
from service.api.schemas.base import Asked, flag, one, time, whole
from service.api.schemas.ratings import RANKED, RatingSchema, board_or_overall
from service.api.schemas.seats import PlayerSchema


class OnlineBotSchema(RatingSchema):
    """An external bot that is online."""

    player = one(PlayerSchema, "The bot.")
    last_seen = time("When it was last online.")
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
