"""Who sits in a game, and how they did."""

from __future__ import annotations

from marshmallow import fields

from domain.game.clock import ACT, RESIGN
from service.api.schemas.base import Answered, one_of, text, texts, whole


class PlayerSchema(Answered):
    """Who sits on a seat."""

    id = text("The account's id.")
    name = text("The account's name.")
    bot = text("The built-in bot's name, where it is one; `external` for a bot that somebody else "
               "runs.", required=False)
    owner = text("The id of the account that owns an external bot.", required=False)


class PlaceSchema(Answered):
    """Where in a tournament a game belongs."""

    id = text("The tournament's id.")
    round = whole("The number of the round, from 1.", 1)
    table = whole("The number of the table, from 1.", 1)


class PlaceOfDealSchema(PlaceSchema):
    """Where in a tournament a game belongs, and with which others."""

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


class ResultSchema(Answered):
    """A seat's final result; the parts from `routes` to `flags` add up to `total`."""

    routes = whole("Points for routes (rule 4.1).")
    tickets = whole("Points for tickets completed less those for tickets not (5.3).", None)
    longest_path = whole("Bonus for the longest path (7.2).")
    stations = whole("Points for unused stations, where the board has them (6.3).")
    districts = whole("Points for districts, where the board has them (7.3).")
    flags = whole("Points for flags, where the board has them (4.5).")
    total = whole("All of it.", None)
    tickets_completed = whole("How many tickets were completed.")
    longest_path_length = whole("The longest path in trains.")
    rank = whole("1 is the winner; equals share a rank (7.4).", 1)
