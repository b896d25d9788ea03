"""What is asked about games."""

from __future__ import annotations

from marshmallow import fields, validate

from service.api.schemas.base import Asked, Union, text, whole
from service.api.schemas.views import STATUSES
from service.bots import BOTS
from service.store import PAGE

ENTROPY = "^[0-9A-Za-z_-]{1,64}$"
SEED = "^[0-9a-f]{64}$"
LONGEST_WAIT = 60


def entropy() -> fields.String:
    return fields.String(validate=validate.Regexp(ENTROPY), metadata={
        "description": "Anything random: it goes into every shuffle, so that nobody else, the "
                       "service included, has chosen the order of the cards alone."})


class MySeatSchema(Asked):
    """A seat for the caller."""

    player = fields.String(required=True, validate=validate.OneOf(["me"]))
    entropy = entropy()


class BotSeatSchema(Asked):
    """A seat for a built-in bot."""

    bot = fields.String(required=True, validate=validate.OneOf(list(BOTS)),
                        metadata={"description": "A name of `GET /v1/bots`."})


class OpenSeatSchema(Asked):
    """A seat for whoever joins."""

    open = fields.Boolean(required=True, truthy={True}, falsy=set(),
                          metadata={"enum": [True]})


class SeatWishSchema(Union):
    """Who is to sit on a seat."""

    by_type = False
    members = {"player": MySeatSchema, "bot": BotSeatSchema, "open": OpenSeatSchema}


class OptionsSchema(Asked):
    """How a game is to be played."""

    first_seat = whole("The seat that begins, instead of a drawn one.", 0, 7, required=False)
    seed = text("32 bytes in hex, instead of secret ones. The game is marked, as whoever knows the "
                "seed knows every card.", required=False, validate=validate.Regexp(SEED))


class NewGameSchema(Asked):
    """A game to be created. It starts by itself once every seat is taken."""

    board = text("A board's id.")
    seats = fields.List(
        fields.Nested(SeatWishSchema), required=True, validate=validate.Length(2, 8),
        metadata={"description": "The seats in the order of play. The creator need not sit."},
    )
    options = fields.Nested(OptionsSchema)


class JoinSchema(Asked):
    """A wish to sit down."""

    entropy = entropy()


class GamesQuerySchema(Asked):
    status = fields.String(validate=validate.OneOf(STATUSES),
                           metadata={"description": "Only games of this status."})
    board = text("Only games on this board.", required=False)
    player = text("Only games of this account; `me` for the caller's.", required=False)
    cursor = fields.String(validate=validate.Regexp("^[0-9]{1,15}[.]g_[0-9a-f]{20}$"), metadata={
        "description": "The `next` of the page before."})
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 200),
                           metadata={"description": "How many games."})


class ViewQuerySchema(Asked):
    legal_actions = fields.Boolean(
        load_default=True, truthy={"true"}, falsy={"false"},
        metadata={"description": "`false` leaves the legal actions out."},
    )


class EntriesQuerySchema(Asked):
    after = fields.Integer(load_default=0, validate=validate.Range(0, 2**31 - 1), metadata={
        "description": "Only entries after this version."})
    wait = fields.Float(load_default=0, validate=validate.Range(0, LONGEST_WAIT), metadata={
        "description": "If there are none, wait up to so many seconds for the next one."})
    limit = fields.Integer(load_default=PAGE, validate=validate.Range(1, PAGE),
                           metadata={"description": "How many entries."})


class ActionHeadersSchema(Asked):
    if_match = fields.String(
        data_key="If-Match", validate=validate.Regexp('^"[0-9]{1,9}"$'),
        metadata={"description": "The version, quoted, that the action is meant for: should the "
                                 "game have moved on, the answer is 412. Without it an action that "
                                 "is still legal is played."},
    )
    idempotency_key = fields.String(
        data_key="Idempotency-Key", validate=validate.Regexp("^[!-~]{1,128}$"),
        metadata={"description": "A name of your own for this action. Sent again with the same "
                                 "key, after a lost answer say, it is played only once."},
    )
