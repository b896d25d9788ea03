"""Requests about games."""

from typing import ClassVar, get_args

from marshmallow import fields, validate

from domain.game.clock import ACT, RESIGN
from domain.game.events import DeclineReason, IfDeclined
from domain.game.legal import Listed
from domain.game.state import FINISHED, LOBBY, PLAYING
from service.accounts.bots import BOTS
from service.games.strengths import OVERALL
from service.http.schemas import pages
from service.http.schemas.base import (
    INVITATION,
    Asked,
    Fits,
    Truth,
    Union,
    Whole,
    WrittenWhole,
    Yes,
    moment,
    one,
    one_of,
    seconds,
    text,
    whole,
)

ENTROPY = "^[0-9A-Za-z_-]{1,64}$"
SEED = "^[0-9a-f]{64}$"
CURSOR = "^[0-9]{1,15}[.]g_[0-9a-f]{20}$"
LONGEST_THOUGHT = 30 * 86_400  # seconds
# a cursor by rating: the points, and the player
RANKED = "^[0-9]{10,15}[.][a-z]{1,3}_[0-9a-z_]{1,40}(@[A-Za-z0-9._+-]{1,40})?$"


def _rating(description: str) -> Whole:
    return whole(description, -1000, 1000, required=False)


def entropy() -> fields.String:
    return text(
        "Any random text. It is mixed into every shuffle, so that nobody else, not even "
        "the service, can choose the order of the cards alone.",
        required=False,
        validate=Fits(ENTROPY, "Should be 1 to 64 of A-Z a-z 0-9 _ -."),
    )


class MySeatRequestSchema(Asked):
    """A seat for the caller."""

    player = one_of(["me"], "The caller.")
    entropy = entropy()


class BotSeatRequestSchema(Asked):
    """A seat for a built-in bot."""

    bot = one_of(BOTS, "A name of `listBots`.")


class OpenSeatRequestSchema(Asked):
    """An open seat for anyone who joins, or anyone with a rating in a range."""

    open = Yes(required=True, metadata={"enum": [True], "description": "The seat is open."})
    rating_from = _rating("The minimum overall rating of players who may take the seat.")
    rating_to = _rating("The maximum overall rating.")


class InvitedSeatRequestSchema(Asked):
    """A seat that is reserved for an invited player, who gets the notice `invited`."""

    invite = text(
        "The id of an account.",
        validate=Fits(
            "^[a-z]{1,3}_[0-9a-z_]{1,40}$", "Should be an account's id, as getPlayer shows it."
        ),
    )
    minutes = whole(
        "Minutes until the invitation expires.", 1, 24 * 60, required=False, load_default=15
    )
    if_declined = one_of(
        get_args(IfDeclined),
        "What follows once the invitation was declined or withdrawn, or has "
        "expired: the seat is `open` to others, or the game is aborted (`withdraw`, the default).",
        required=False,
        load_default="withdraw",
    )


class SeatRequestSchema(Union):
    """The player for a seat."""

    by_type = False
    members: ClassVar = {
        "bot": BotSeatRequestSchema,  # first, as generators of requests choose it most often
        "player": MySeatRequestSchema,
        "open": OpenSeatRequestSchema,
        "invite": InvitedSeatRequestSchema,
    }


class PerDecisionRequestSchema(Asked):
    """A clock with a fixed time for each decision, and perhaps a limit for all of them."""

    per_decision = seconds("Seconds for each decision.", 0.1, LONGEST_THOUGHT, required=True)
    total = seconds(
        "Seconds for all of a seat's decisions together. By default they are not limited.",
        0.1,
        LONGEST_THOUGHT,
        required=False,
    )


class BankRequestSchema(Asked):
    """A clock with a bank of time for all of a seat's decisions, and an increment for each."""

    bank = seconds("Seconds for all of a seat's decisions.", 0.1, LONGEST_THOUGHT, required=True)
    increment = seconds("Seconds that each decision adds to the bank.", 0, 3600, load_default=0.0)


class ClockRequestSchema(Union):
    """The time that seats have. A decision's time runs from when the decision was due to when the
    action arrived, minus the service's downtime and, for a built-in bot, minus its wait for a
    worker."""

    by_type = False
    members: ClassVar = {"per_decision": PerDecisionRequestSchema, "bank": BankRequestSchema}


class OptionsRequestSchema(Asked):
    """The options of a game."""

    clock = one(
        ClockRequestSchema,
        "The time that seats have. By default three days for each decision, "
        "and in a public game one day for all of a seat's decisions (two hours if a built-in bot "
        "has a seat), unless the service is configured otherwise (the game's `clock` shows it); a "
        "game of built-in bots alone has no clock.",
        required=False,
    )
    on_timeout = one_of(
        [RESIGN, ACT],
        "The effect of running out of time: the seat leaves the game (`resign`, the "
        "default), or the service acts for it once (`act`; rule 8.3).",
        required=False,
    )
    visibility = one_of(
        ["public", "unlisted", "private"],
        "`public` (the default): listed and open to all. "
        "`unlisted`: not listed; joining requires the invitation code in the creator's view. "
        "`private`: also, only players with a seat can see it.",
        required=False,
    )
    spectators = Truth(
        metadata={
            "description": "Whether accounts without a seat may watch. Default: yes, unless the "
            "game is private."
        }
    )

    first_seat = whole(
        "The seat that begins, instead of a random one; then the game is not rated.",
        0,
        7,
        required=False,
    )
    seed = text(
        "32 bytes in hex, instead of secret random ones. The game is marked as seeded, "
        "since anyone who knows the seed knows every card.",
        required=False,
        validate=Fits(SEED, "Should be 32 bytes in hex, 64 of 0-9 a-f."),
    )


class FreshGameRequestSchema(Asked):
    """A new game. It starts by itself once every seat is taken."""

    board = text("A board's id.")
    seats = fields.List(
        fields.Nested(SeatRequestSchema),
        required=True,
        validate=validate.Length(2, 8),
        metadata={"description": "The seats in the order of play. The creator need not sit."},
    )
    options = one(OptionsRequestSchema, "Optional settings.", required=False)


class ForkRequestSchema(Asked):
    """A position in a finished game."""

    game = text(
        "The game's id.",
        validate=Fits("^g_[0-9a-f]{20}$", "Should be a game's id, g_ and 20 of 0-9 a-f."),
    )
    version = whole("The version to continue from, at which the game was under way.", 1, 2**31 - 1)
    cards = one_of(
        ["reshuffled", "kept"],
        "Whether undrawn cards and tickets are `reshuffled` (the default) "
        "or keep their order (`kept`).",
        required=False,
        load_default="reshuffled",
    )


class ForkedGameRequestSchema(Asked):
    """A new game that continues from a position in a finished game, with the same number of
    seats."""

    fork = one(ForkRequestSchema, "The position to continue from.")
    seats = fields.List(
        fields.Nested(SeatRequestSchema),
        required=True,
        validate=validate.Length(2, 8),
        metadata={"description": "The seats in the order of play. The creator need not sit."},
    )
    options = one(
        OptionsRequestSchema,
        "Leave it out for an ordinary game; `first_seat` says nothing here.",
        required=False,
    )


class GameRequestSchema(Union):
    """A new game on a board, or a fork of a finished game."""

    by_type = False
    members: ClassVar = {"board": FreshGameRequestSchema, "fork": ForkedGameRequestSchema}

    def _kind(self, data: dict) -> str:
        return "fork" if "fork" in data else "board"


class JoinRequestSchema(Asked):
    """A request to join."""

    seat = whole("The seat to take, instead of the first that is open.", 0, 7, required=False)
    invitation = text(
        "The code of a game that is not public.",
        required=False,
        validate=Fits(INVITATION, "Should be the code, 20 of 0-9 a-f."),
    )
    entropy = entropy()


class DeclineQuerySchema(Asked):
    """Why an invitation is declined."""

    reason = one_of(
        get_args(DeclineReason),
        "The reason, if the invited player declines: not now "
        "(`later`), too many games (`busy`), not against you (`opponent`), a different "
        "`board` or `clock`, a clock that is `too_fast` or `too_slow`, only `rated` or "
        "`casual` games, `no_bots`, `only_bots`, or `generic`.",
        required=False,
        load_default="generic",
    )


class GamesQuerySchema(Asked):
    """Filters of a list of games."""

    status = one_of((LOBBY, PLAYING, FINISHED), "Only games with this status.", required=False)
    board = text("Only games on this board.", required=False)
    player = text(
        "Only games in which this account has a seat; `me` for the caller.", required=False
    )
    opponent = text(
        "Only games in which this account has a seat, too. All accounts of a built-in "
        "bot are one; `me` for the caller.",
        required=False,
    )
    bot = one_of(BOTS, "Only games in which this built-in bot has a seat.", required=False)
    won_by = text(
        "Only games that this account has won, alone or with others; `me` for the caller.",
        required=False,
    )
    rated = one_of(
        ["true", "false"],
        "Only games in the lobby that may be rated, or only others.",
        required=False,
    )
    joinable = one_of(
        ["me"],
        "Only public games in the lobby in which the caller may take a seat.",
        required=False,
    )
    invited = one_of(
        ["me"],
        "Only games in the lobby to which the caller is invited, those that "
        "are not public included.",
        required=False,
    )
    since = moment("Only games created at this time or later.")
    until = moment("Only games created before this time.")
    after = pages.after(CURSOR)
    limit = pages.limit("games to answer with")


def at() -> WrittenWhole:
    return WrittenWhole(
        required=False,
        validate=validate.Range(1, 2**31 - 1),
        metadata={"description": "Show the game at this version instead of the latest."},
    )


class PictureQuerySchema(Asked):
    """Which version to show."""

    at = at()


def legal_actions() -> fields.String:
    return one_of(
        get_args(Listed),
        "The form of legal actions in views. With a large hand they are most of "
        "a view. `true`: a list in `you.legal_actions`, of up to a thousand "
        "actions. `grouped`: groups in `you.grouped_actions` instead, about a "
        "tenth of the size. `false`: none.",
        required=False,
        load_default="true",
    )


class ViewQuerySchema(Asked):
    """Which version to show, and the form of legal actions."""

    at = at()
    legal_actions = legal_actions()


def board_or_overall() -> fields.String:
    return text(
        f"A board's id, or `{OVERALL}` (the default) for the rating over all boards.",
        load_default=OVERALL,
        required=False,
        validate=validate.Length(1, 100),
    )
