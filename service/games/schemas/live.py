"""The stream of all public games."""

from __future__ import annotations

from service.http.schemas import pages
from service.http.schemas.base import RECEIVED, Asked, Fits, text

CURSOR = "^[0-9a-f]{8}[.][0-9]{1,15}$"


class LiveQuerySchema(Asked):
    """Where to resume, and how long to wait."""

    after = text("The cursor of the last message that you have. Without it, or if the process does "
                 "not know it, the first message is `under_way`.", required=False,
                 validate=Fits(CURSOR, RECEIVED))
    tournament = text("Only games of this tournament.", required=False)
    wait = pages.wait("Seconds to wait for a message if there is none yet.")
