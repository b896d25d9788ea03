"""What is asked and answered about accounts, their tokens and what they are told."""

from __future__ import annotations

from marshmallow import ValidationError, fields, validate, validates_schema

from service.accounts.accounts import LONGEST_VERSION, VERSION
from service.accounts.tokens import SCOPES
from service.api.schemas import base, pages
from service.api.schemas.base import (
    RECEIVED,
    Answered,
    Asked,
    Fits,
    distinct,
    many,
    one_of,
    text,
    time,
)
from service.api.schemas.games import legal_actions
from service.games.cursors import CURSOR


def _name(**kwargs) -> fields.String:
    return base.name("A name to show: one line of characters that can be seen, no space at either "
                     "end, and not to be taken for one of the built-in bots.", **kwargs)


class PlayerRequestSchema(Asked):
    """An account to be made."""

    name = _name()


def _version(**kwargs) -> fields.String:
    return text("Which version of the bot it is: 1 to 40 characters of `A-Z a-z 0-9 . _ + -`. "
                "Each is rated as a player of its own, and a new one starts from the one before.",
                validate=[validate.Length(1, LONGEST_VERSION),
                          Fits(VERSION, "Should be made of A-Z a-z 0-9 . _ + - alone.")], **kwargs)


class BotRequestSchema(PlayerRequestSchema):
    """A bot's account to be made."""

    version = _version(required=False)


class AccountRequestSchema(Asked):
    """What is to be another about an account from now on: one of these, or both."""

    fewest = 1
    name = _name(required=False)
    version = _version(required=False)

    @validates_schema
    def asks_for_something(self, data: dict, **_kwargs) -> None:
        """Refuse to change nothing."""
        if not data:
            raise ValidationError("Should have name, version, or both.")


class AccountSchema(Answered):
    """An account."""

    id = text("The account's id.")
    name = text("The account's name.")
    bot = text("The built-in bot's name, where it is one; `external` for a bot that somebody else "
               "runs.", required=False)
    owner = text("The id of the account that owns an external bot.", required=False)
    version = text("Which version of an external bot it is at present.", required=False)
    created = time("When it was made.")


class CreatedAccountSchema(AccountSchema):
    """A new account with its token, which is shown this once."""

    token = text("Send it as `Authorization: Bearer fogg_...`. It cannot be shown again.")


class AccountsSchema(Answered):
    """The caller's bots, the oldest first."""

    items = many(AccountSchema, "A page of them.")
    next = pages.next_cursor()


OLDEST_FIRST = "^[0-9]{1,15}[.][a-z]_[0-9a-f]{20}$"


class OldestFirstQuerySchema(Asked):
    """Which page of what an account has."""

    limit = pages.limit("on a page", default=200)
    after = pages.after(OLDEST_FIRST)


class TokenSchema(Answered):
    """What may be shown of a token."""

    id = text("The token's id, to revoke it by.")
    scopes = fields.List(one_of(SCOPES, "What it is good for."), required=True, metadata={
        "description": "What the token is good for."})
    label = text("What its owner calls it.", required=False)
    created = time("When it was made.")


class CreatedTokenSchema(TokenSchema):
    """A new token, which is shown this once."""

    token = text("Send it as `Authorization: Bearer fogg_...`. It cannot be shown again.")


class TokenRequestSchema(Asked):
    """What a token is to be good for."""

    scopes = fields.List(
        one_of(SCOPES, "`read`: see what the account may see. `play`: create, join and play games. "
                       "`admin`: make and revoke tokens and bots."),
        load_default=list(SCOPES), validate=[validate.Length(1, len(SCOPES)), distinct],
        metadata={"description": "What the token is to be good for; everything, if you leave it "
                                 "out.", "uniqueItems": True})
    label = base.name("What you call it.", required=False)


class TokensSchema(Answered):
    """An account's tokens, the oldest first."""

    items = many(TokenSchema, "A page of them.")
    next = pages.next_cursor()


class NoticesQuerySchema(Asked):
    """Which notices to answer with, and when."""

    after = text("The last `cursor` or `next` received; without it you are told what is the case "
                 "now.", required=False, validate=Fits(CURSOR, RECEIVED))
    wait = pages.wait("As JSON: wait up to so many seconds for the first notice.")
    legal_actions = legal_actions()
