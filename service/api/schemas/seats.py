"""Players, clocks and results in a game."""

from __future__ import annotations

from domain.game.clock import ACT, RESIGN
from domain.rules import RULES
from service.api.schemas.base import Answered, Whole, flag, number, one_of, text, texts, whole
from service.api.schemas.declared import answer_of


class PlayerSchema(Answered):
    """The player on a seat."""

    id = text("The account's id.")
    name = text("The account's name.")
    bot = text("A built-in bot's name, or `external` for a bot that is not built in; missing for "
               "people.", required=False)
    owner = text("The id of the account that owns an external bot.", required=False)
    version = text("The version of an external bot when it took the seat.", required=False)


class PlaceSchema(Answered):
    """The place of a game in a tournament."""

    id = text("The tournament's id.")
    round = whole("The number of the round, from 1.", 1)
    table = whole("The number of the table, from 1.", 1)


class PlaceOfDealSchema(PlaceSchema):
    """The place of a game in a tournament, and the games of the same deal."""

    games = texts("The ids of all games of this deal, including this one.")


class PairingSchema(Answered):
    """The pool pairing that a game belongs to."""

    id = text("The pairing's id.")
    test = flag("`true` for a test game of a bot, which is not rated.", required=False)


class PairingOfDealSchema(PairingSchema):
    """The pool pairing that a game belongs to, and the games of the same deal."""

    games = texts("The ids of all games of this deal, including this one.")


class ClockTimesSchema(Answered):
    """The time that seats have, in seconds: for each decision, or in a bank."""

    per_decision = number("Seconds for each decision.", required=False)
    total = number("Seconds for all of a seat's decisions together.", required=False)
    bank = number("Seconds for all of a seat's decisions.", required=False)
    increment = number("Seconds that each decision adds to the bank.", required=False)


class ClockSchema(ClockTimesSchema):
    """A game's clock; times are in seconds."""

    on_timeout = one_of([RESIGN, ACT], "The effect of running out of time: the seat leaves the "
                                       "game, or the service acts for it once (rule 8.3).")


def _numbers() -> dict[str, Whole]:
    """Return the fields of a result: its parts, and further numbers that rules declare."""
    numbers = [number for rule in RULES for number in rule.numbers]
    return {n.name: whole(n.words, n.least, required=n.everywhere) for n in numbers}


ResultSchema = answer_of("Result", "A seat's final result. Its points add up to `total`.", {
    **_numbers(),
    "total": whole("The total.", None),
    "rank": whole("1 is the winner; equals share a rank (7.4).", 1),
})
