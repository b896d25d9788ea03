"""Who sits in a game, and how they did."""

from __future__ import annotations

from marshmallow import fields

from domain.game.clock import ACT, RESIGN
from domain.rules import RULES
from service.api.schemas.base import Answered, Whole, one_of, text, texts, whole
from service.api.schemas.declared import answer_of


class PlayerSchema(Answered):
    """Who sits on a seat."""

    id = text("The account's id.")
    name = text("The account's name.")
    bot = text("The built-in bot's name, where it is one; `external` for a bot that somebody else "
               "runs.", required=False)
    owner = text("The id of the account that owns an external bot.", required=False)
    version = text("Which version of an external bot it was when it sat down.", required=False)


class PlaceSchema(Answered):
    """Where in a tournament a game belongs."""

    id = text("The tournament's id.")
    round = whole("The number of the round, from 1.", 1)
    table = whole("The number of the table, from 1.", 1)


class PlaceOfDealSchema(PlaceSchema):
    """Where in a tournament a game belongs, and with which others."""

    games = texts("The ids of all games of this deal, the game itself among them.")


class PairingSchema(Answered):
    """Which pairing of the pool a game is of."""

    id = text("The pairing's id.")
    test = fields.Boolean(metadata={"description": "`true` where the game only shows whether a bot "
                                                   "can play; it is not rated."})


class PairingOfDealSchema(PairingSchema):
    """Which pairing of the pool a game is of, and with which others."""

    games = texts("The ids of all games of this deal, the game itself among them.")


class TimesSchema(Answered):
    """How long seats may think, in seconds: for each decision, or out of a bank."""

    per_decision = fields.Float(metadata={"description": "For each decision."})
    bank = fields.Float(metadata={"description": "For all of a seat's decisions."})
    increment = fields.Float(metadata={"description": "What each decision adds to the bank."})


class ClockSchema(TimesSchema):
    """A game's clock; times are in seconds."""

    on_timeout = one_of([RESIGN, ACT], "Whether a seat that thinks too long leaves the game, or "
                                       "the service acts for it that once (rule 8.3).")


def _numbers() -> dict[str, Whole]:
    """Return the fields of a result: of its parts, and of what else the rules count."""
    numbers = [number for rule in RULES for number in rule.numbers]
    return {n.name: whole(n.words, n.least, required=n.everywhere) for n in numbers}


ResultSchema = answer_of("Result", "A seat's final result; its points add up to `total`.", {
    **_numbers(),
    "total": whole("All of it.", None),
    "rank": whole("1 is the winner; equals share a rank (7.4).", 1),
})
