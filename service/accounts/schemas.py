"""Requests about accounts, tokens and notices."""

from marshmallow import ValidationError, fields, validate, validates_schema

from service.accounts.accounts import LONGEST_VERSION, VERSION
from service.accounts.invitations import MAX_BLOCKED, MAX_OPEN, MAX_POOL_BLOCKS
from service.accounts.tokens import SCOPES
from service.http.schemas import base, pages
from service.http.schemas.base import Asked, Fits, Number, distinct, one, one_of, text, whole


def _name(**kwargs) -> fields.String:
    return base.name(
        "A display name: one line of visible characters, without spaces at the ends, "
        "and not confusable with a built-in bot's name.",
        **kwargs,
    )


class PlayerRequestSchema(Asked):
    """A new account."""

    name = _name()


def _version(**kwargs) -> fields.String:
    return text(
        "The version of the bot: 1 to 40 characters of `A-Z a-z 0-9 . _ + -`. Each version "
        "is rated as a separate player; a new one starts from the rating of the version "
        "before.",
        validate=[
            validate.Length(1, LONGEST_VERSION),
            Fits(VERSION, "Should be made of A-Z a-z 0-9 . _ + - alone."),
        ],
        **kwargs,
    )


class BotRequestSchema(PlayerRequestSchema):
    """A new bot account."""

    version = _version(required=False)


class InvitationsRequestSchema(Asked):
    """Which invitations an account takes. Members that are left out stay as they are."""

    boards = fields.List(
        fields.String(validate=validate.Length(1, 100)),
        validate=[validate.Length(0, 20), distinct],
        metadata={
            "description": "Ids of boards; any if empty, as by default.",
            "uniqueItems": True,
        },
    )
    shortest_clock = Number(
        validate=validate.Range(0, 86_400),
        metadata={
            "description": "The least seconds for a decision; for a clock with a bank, its "
            "increment plus a hundredth of the bank. 2 by default."
        },
    )
    open = whole(
        "The most invitations that may wait for an answer; 0 for none at all. 100 by default. As "
        "many again may come from accounts with which this one has played a public game to its "
        "end.",
        0,
        MAX_OPEN,
        required=False,
    )


class AccountRequestSchema(Asked):
    """Changes to an account: at least one member."""

    fewest = 1
    name = _name(required=False)
    version = _version(required=False)
    invitations = one(
        InvitationsRequestSchema, "Which invitations the account takes.", required=False
    )
    blocked = fields.List(
        fields.String(validate=validate.Length(1, 40)),
        validate=[validate.Length(0, MAX_BLOCKED), distinct],
        metadata={
            "description": "Ids of accounts that cannot invite this one nor join the games "
            "that it creates, nor this one theirs. On both sides that holds for an owner and all "
            "its bots. It does not hold at a table that somebody else has created. The pool does "
            f"not pair the account with the first {MAX_POOL_BLOCKS} of them, built-in bots aside, "
            "from the day (UTC) after they were blocked.",
            "uniqueItems": True,
        },
    )

    @validates_schema
    def asks_for_something(self, data: dict, **_kwargs) -> None:
        if not data:
            raise ValidationError("Should have at least one member.")


OLDEST_FIRST = "^[0-9]{1,15}[.][a-z]_[0-9a-f]{20}$"


class OldestFirstQuerySchema(Asked):
    """The page to return."""

    limit = pages.limit("items on a page", default=200)
    after = pages.after(OLDEST_FIRST)


class TokenRequestSchema(Asked):
    """A new token."""

    scopes = fields.List(
        one_of(
            SCOPES,
            "`read`: see everything that the account may see. `play`: create, join and "
            "play games. `admin`: create and revoke tokens, bots and webhooks.",
        ),
        validate=[validate.Length(1, len(SCOPES)), distinct],
        metadata={
            "description": "The scopes of the token: some of those that the token of the "
            "request has, by default all of them.",
            "uniqueItems": True,
        },
    )
    label = base.name("A label of your choice.", required=False)
