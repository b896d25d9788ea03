"""Schemas of notices."""

from __future__ import annotations

from service.games.cursors import CURSOR
from service.games.schemas.games import legal_actions
from service.http.schemas import pages
from service.http.schemas.base import RECEIVED, Asked, Fits, text


class NoticesQuerySchema(Asked):
    """Where to resume, how long to wait, and the form of legal actions."""

    after = text("The last `cursor` or `next` received. Without it, the answer describes the "
                 "situation now.", required=False, validate=Fits(CURSOR, RECEIVED))
    wait = pages.wait("With JSON: seconds to wait for the first notice.")
    keep_alive = pages.keep_alive()
    legal_actions = legal_actions()
