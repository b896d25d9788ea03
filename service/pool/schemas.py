"""Requests about the pool, and of the bots that are online."""

from marshmallow import fields, validate

from service.games.schemas.games import RANKED, board_or_overall
from service.http.schemas import pages
from service.http.schemas.base import Asked, Whole, distinct, whole
from service.pool.pool import CLOCKS, EXPIRES_IN_S

CLOCK_WORDS = ", ".join(f"`{name}` {seconds:g}" for name, seconds in CLOCKS.items())


class PoolRequestSchema(Asked):
    """The games that an account is ready for."""

    boards = fields.List(
        fields.String(validate=validate.Length(1, 100)), load_default=lambda: ["usa"],
        validate=[validate.Length(1, 20), distinct],
        metadata={"description": "Ids of boards to play in turn; `usa` by default.",
                  "uniqueItems": True})
    seats = fields.List(
        Whole(validate=validate.Range(2, 5)), load_default=lambda: [2],
        validate=[validate.Length(1, 4), distinct],
        metadata={"description": "Accepted numbers of seats; 2 by default.", "uniqueItems": True})
    clocks = fields.List(
        fields.String(validate=validate.OneOf(list(CLOCKS))), load_default=lambda: ["normal"],
        validate=[validate.Length(1, len(CLOCKS)), distinct],
        metadata={"description": f"Accepted clocks, in order of preference: {CLOCK_WORDS} seconds "
                                 "for each decision; `normal` by default.",
                  "uniqueItems": True})
    parallel_games = whole(
        "The maximum number of games at the same time; 1 by default. Leave it at 1 if you play one "
        "game after the other, as all clocks run. A pairing has one game from each seat where all "
        "players have room for so many, else one game.",
        1, 100, required=False, load_default=1)
    expires_in = whole(
        f"Seconds without a heartbeat after which you are no longer ready; {EXPIRES_IN_S} by "
        "default. This request and following `listMyEvents` are heartbeats. With only a webhook, "
        "choose a longer time.", 10, 86_400, required=False, load_default=EXPIRES_IN_S)


class OnlineBotsQuerySchema(Asked):
    """The rating to sort by, and the page to return."""

    board = board_or_overall()
    after = pages.after(RANKED)
    limit = pages.limit("bots to answer with")
