"""Bots that are online."""

from __future__ import annotations

from service.api.schemas import pages
from service.api.schemas.base import Asked
from service.api.schemas.ratings import RANKED, board_or_overall


class OnlineBotsQuerySchema(Asked):
    """The rating to sort by, and the page to return."""

    board = board_or_overall()
    after = pages.after(RANKED)
    limit = pages.limit("bots to answer with")
