"""Schemas of notices."""

from __future__ import annotations

from service.api.schemas import pages
from service.api.schemas.base import RECEIVED, Asked, Fits, text
from service.api.schemas.games import legal_actions
from service.games.cursors import CURSOR


class NoticesQuerySchema(Asked):
    """Where to resume, how long to wait, and the form of legal actions."""

    after = text("The last `cursor` or `next` received. Without it, the answer describes the "
                 "situation now.", required=False, validate=Fits(CURSOR, RECEIVED))
    wait = pages.wait("With JSON: seconds to wait for the first notice.")
    keep_alive = pages.keep_alive()
    legal_actions = legal_actions()
