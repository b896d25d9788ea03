"""Fields of queries about the strength of players."""

from __future__ import annotations

from marshmallow import fields, validate

from service.games.strengths import OVERALL
from service.http.schemas.base import text

# a cursor by rating: the points, and the player
RANKED = "^[0-9]{10,15}[.][a-z]{1,3}_[0-9a-z_]{1,40}(@[A-Za-z0-9._+-]{1,40})?$"


def board_or_overall() -> fields.String:
    """Return the query field for the board of a rating."""
    return text(f"A board's id, or `{OVERALL}` (the default) for the rating over all boards.",
                load_default=OVERALL, required=False, validate=validate.Length(1, 100))
