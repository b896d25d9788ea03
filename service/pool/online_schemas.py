"""Bots that are online."""

from __future__ import annotations

from service.games.schemas.strengths import RANKED, board_or_overall
from service.http.schemas import pages
from service.http.schemas.base import Asked


class OnlineBotsQuerySchema(Asked):
    """The rating to sort by, and the page to return."""

    board = board_or_overall()
    after = pages.after(RANKED)
    limit = pages.limit("bots to answer with")
