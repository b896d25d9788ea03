"""What is asked about games."""

from __future__ import annotations

from typing import ClassVar, get_args

from marshmallow import fields, validate

from domain.game.clock import ACT, RESIGN
from domain.game.legal import Listed
from service.accounts.bots import BOTS
from service.api.schemas import pages
from service.api.schemas.base import (
    INVITATION,
    Asked,
    Fits,
    Truth,
    Union,
    WrittenWhole,
    Yes,
    moment,
    one,
    one_of,
    seconds,
    text,
    whole,
)
from service.api.schemas.views import STATUSES

ENTROPY = "^[0-9A-Za-z_-]{1,64}$"
SEED = "^[0-9a-f]{64}$"
CURSOR = "^[0-9]{1,15}[.]g_[0-9a-f]{20}$"
LONGEST_THOUGHT = 30 * 86_400  # seconds


def entropy() -> fields.String:
    """Return what a player may add to the shuffles."""
    return text("Anything random: it goes into every shuffle, so that nobody else, the service "
                "included, has chosen the order of the cards alone.",
                required=False,
                validate=Fits(ENTROPY, "Should be 1 to 64 of A-Z a-z 0-9 _ -."))


class MySeatRequestSchema(Asked):
    """A seat for the caller."""

    player = one_of(["me"], "The caller.")
    entropy = entropy()


class BotSeatRequestSchema(Asked):
    """A seat for a built-in bot."""

    bot = one_of(BOTS, "A name of `listBots`.")


class OpenSeatRequestSchema(Asked):
    """A seat for whoever joins."""

    open = Yes(required=True, metadata={"enum": [True], "description": "The seat is open."})


class SeatRequestSchema(Union):
    """Who is to sit on a seat."""

    by_type = False
    members: ClassVar = {
        "player": MySeatRequestSchema, "bot": BotSeatRequestSchema, "open": OpenSeatRequestSchema}


class PerDecisionRequestSchema(Asked):
    """So long for each decision."""

    per_decision = seconds("Seconds for each decision.", 0.1, LONGEST_THOUGHT, required=True)


class BankRequestSchema(Asked):
    """So long for all decisions of a seat, and more with each."""

    bank = seconds("Seconds for all of a seat's decisions.", 0.1, LONGEST_THOUGHT, required=True)
    increment = seconds("Seconds that each decision adds to the bank.", 0, 3600, load_default=0.0)


class ClockRequestSchema(Union):
    """How long seats may think. A decision's time runs from when it was there to when the action
    arrived, less what the service itself was away in between, and, of a built-in bot, less what it
    waited for one of the service's workers."""

    by_type = False
    members: ClassVar = {"per_decision": PerDecisionRequestSchema, "bank": BankRequestSchema}


class OptionsRequestSchema(Asked):
    """How a game is to be played."""

    clock = one(ClockRequestSchema, "How long seats may think. Without it there are three days for "
                "each decision, unless the service is set otherwise (the game's `clock` says what "
                "holds); a game of built-in bots alone has none.", required=False)
    on_timeout = one_of([RESIGN, ACT], "What happens to a seat that thinks too long: it leaves the "
                        "game (the default), or the service acts for it that once (rule 8.3).",
                        required=False)
    visibility = one_of(
        ["public", "unlisted", "private"], "`public` (the default): in the lists, open to all. "
        "`unlisted`: not in the lists; joining takes the invitation code that the creator's view "
        "shows. `private`: moreover nobody without a seat sees it.", required=False)
    spectators = Truth(metadata={
        "description": "Whether those without a seat may watch; by default unless it is private."})

    first_seat = whole("The seat that begins, instead of a drawn one.", 0, 7, required=False)
    seed = text("32 bytes in hex, instead of secret ones. The game is marked, as whoever knows the "
                "seed knows every card.", required=False,
                validate=Fits(SEED, "Should be 32 bytes in hex, 64 of 0-9 a-f."))


class FreshGameRequestSchema(Asked):
    """A game to be created. It starts by itself once every seat is taken."""

    board = text("A board's id.")
    seats = fields.List(
        fields.Nested(SeatRequestSchema), required=True, validate=validate.Length(2, 8),
        metadata={"description": "The seats in the order of play. The creator need not sit."},
    )
    options = one(OptionsRequestSchema, "Leave it out for an ordinary game.", required=False)


class ForkRequestSchema(Asked):
    """A position of a finished game."""

    game = text("The game's id.", validate=Fits(
        "^g_[0-9a-f]{20}$", "Should be a game's id, g_ and 20 of 0-9 a-f."))
    version = whole("The version to go on from, at which the game was under way.", 1, 2**31 - 1)
    cards = one_of(["reshuffled", "kept"], "Whether the undrawn cards and tickets keep their "
                   "order; by default they are shuffled.", required=False,
                   load_default="reshuffled")


class ForkedGameRequestSchema(Asked):
    """A game that is to go on from a position of a finished one, with as many seats."""

    fork = one(ForkRequestSchema, "Where to go on from.")
    seats = fields.List(
        fields.Nested(SeatRequestSchema), required=True, validate=validate.Length(2, 8),
        metadata={"description": "The seats in the order of play. The creator need not sit."},
    )
    options = one(OptionsRequestSchema, "Leave it out for an ordinary game; `first_seat` says "
                                        "nothing here.", required=False)


class GameRequestSchema(Union):
    """A game on a board, or a fork of another."""

    by_type = False
    members: ClassVar = {"fork": ForkedGameRequestSchema, "board": FreshGameRequestSchema}

    def _kind(self, data: dict) -> str:
        return "fork" if "fork" in data else "board"


class JoinRequestSchema(Asked):
    """A wish to sit down."""

    seat = whole("The seat to take, instead of the first that is open.", 0, 7, required=False)
    invitation = text("The code of a game that is not public.", required=False,
                      validate=Fits(INVITATION, "Should be the code, 20 of 0-9 a-f."))
    entropy = entropy()


class InvitationRequestSchema(Asked):
    """Whom to invite."""

    player = text("The id of an account.", validate=Fits(
        "^[a-z]{1,3}_[0-9a-z_]{1,40}$", "Should be an account's id, as getPlayer shows it."))


class GamesQuerySchema(Asked):
    """Which games to list."""

    status = one_of(STATUSES, "Only games of this status.", required=False)
    board = text("Only games on this board.", required=False)
    player = text("Only games in which this account has a seat; `me` for the caller.",
                  required=False)
    bot = one_of(BOTS, "Only games in which this built-in bot has a seat.", required=False)
    won_by = text("Only games that this account has won, alone or with others; `me` for the "
                  "caller.", required=False)
    since = moment("Only games created at this time or later.")
    until = moment("Only games created before this time.")
    after = pages.after(CURSOR)
    limit = pages.limit("games to answer with")


def at() -> WrittenWhole:
    """Return the version of a game to show."""
    return WrittenWhole(required=False, validate=validate.Range(1, 2**31 - 1), metadata={
        "description": "Show the game as it was at this version, instead of as it is."})


class PictureQuerySchema(Asked):
    """When to look."""

    at = at()


def legal_actions() -> fields.String:
    """Return how views are to have what may be played."""
    return one_of(
        get_args(Listed), "How views have the legal actions. With a big hand they are the greater "
        "part of a view: a list of a thousand of them (`true`) is a tenth as long in groups "
        "(`grouped`: then `you.grouped_actions` stands for `you.legal_actions`), and `false` "
        "leaves them out.", required=False, load_default="true")


class ViewQuerySchema(Asked):
    """When to look, and what to leave out of a view."""

    at = at()
    legal_actions = legal_actions()
