"""Requests about tournaments."""

from marshmallow import fields, missing, validate

from domain.game.clock import ACT, RESIGN
from domain.tournament.events import DEALS, ENTRIES, FORMATS, INDEPENDENT, OPEN, ROUND_ROBIN
from domain.tournament.rounds import MOST_ROUNDS
from domain.tournament.state import STATUSES
from service.accounts.bots import BOTS
from service.games.schemas.games import ClockRequestSchema
from service.http.schemas import base, pages
from service.http.schemas.base import (
    INVITATION,
    LINES,
    ONE_LINE,
    Asked,
    Fits,
    WrittenWhole,
    distinct,
    one,
    one_of,
    text,
    whole,
)

CURSOR = "^[0-9]{1,15}[.]c_[0-9a-f]{20}$"
TIME = (
    r"^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    r"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,9})?"
    r"(Z|[-+]([01][0-9]|2[0-3]):[0-5][0-9])$"
)
A_TIME = Fits(TIME, "Should be a time such as 2030-01-01T12:00:00Z.")
MOST_ENTRANTS = 128
MOST_ROUND_TIMES = 128
ROUNDS = 100  # shown by default
MOST_DESCRIPTION, MOST_RULES = 1_000, 10_000  # characters
# settings that null removes
REMOVABLE = ("description", "rules", "rounds", "starts_at", "round_times")


def lines(description: str, most: int) -> fields.String:
    """Return the field for an optional text of several lines."""
    return text(description, required=False, validate=[validate.Length(1, most), LINES])


class TournamentRequestSchema(Asked):
    """A new tournament."""

    name = base.name("A display name: one line of visible characters, without spaces at the ends.")
    format = one_of(
        FORMATS,
        "`round_robin` (the default): everyone meets everyone. `swiss`: entrants with "
        "similar points meet, and none twice if possible. `knockout`: the winners of tables go on.",
        required=False,
        load_default=ROUND_ROBIN,
    )
    boards = fields.List(
        fields.String(validate=validate.Length(1, 100)),
        load_default=lambda: ["usa"],
        validate=[validate.Length(1, 10), distinct],
        metadata={
            "description": "Ids of boards, used in turn; `usa` by default.",
            "uniqueItems": True,
        },
    )
    seats = whole("Seats at a table; 2 by default.", 2, 5, required=False, load_default=2)
    rounds = whole(
        "The number of rounds; for a `round_robin`, how many times everyone meets "
        "everyone. By default 1 for a `round_robin`, and as many as needed to find "
        "the winner for a `swiss`. Not allowed for a `knockout`.",
        1,
        MOST_ROUNDS,
        required=False,
    )
    deals = one_of(
        DEALS,
        "`independent` (the default): a table plays one game. `duplicate`: it plays the "
        "same deal once from each seat, all at the same time, to reduce luck. Others cannot "
        "see its games until all are over.",
        required=False,
        load_default=INDEPENDENT,
    )
    clock = one(
        ClockRequestSchema,
        "The time that entrants have; 10 seconds for each decision by default.",
        required=False,
        load_default=lambda: {"per_decision": 10.0},
    )
    on_timeout = one_of(
        [RESIGN, ACT],
        "The effect of running out of time: the seat leaves the "
        "game (`resign`, the default), or the service acts for it "
        "once (`act`; rule 8.3).",
        required=False,
        load_default=RESIGN,
    )
    entry = one_of(
        ENTRIES,
        "`open` (the default): anyone may enter. `invitation`: entering "
        "requires a code that only the creator can see. `closed`: only the creator itself and "
        "built-in bots may enter.",
        required=False,
        load_default=OPEN,
    )
    max_entrants = whole(
        "The maximum number of entrants; 64 by default.",
        2,
        MOST_ENTRANTS,
        required=False,
        load_default=64,
    )
    per_owner = whole(
        "The maximum number of entries of one owner, counting the account itself and "
        "its bots; 1 by default. Built-in bots do not count.",
        1,
        MOST_ENTRANTS,
        required=False,
        load_default=1,
    )
    description = lines("A description, shown to everybody.", MOST_DESCRIPTION)
    rules = lines(
        "The rules of this competition in words, shown to everybody: who may enter, what "
        "is forbidden, what the winners get. The service does not enforce them.",
        MOST_RULES,
    )
    visibility = one_of(
        ["public", "unlisted"],
        "`public` (the default), or `unlisted`: not in "
        "lists of others, and nor are its games; whoever has its address can see "
        "it. To decide who enters, use `entry`.",
        required=False,
        load_default="public",
    )
    starts_at = text(
        "When it starts, RFC 3339, such as `2030-01-01T12:00:00Z`. Without it, "
        "you start the tournament.",
        required=False,
        validate=A_TIME,
    )
    round_times = fields.List(
        fields.String(validate=A_TIME),
        validate=validate.Length(1, MOST_ROUND_TIMES),
        metadata={
            "description": "The earliest times of the first rounds, in order, such as one a "
            "day: a round is paired when its time has come and the round "
            "before is over. Rounds after these begin at once."
        },
    )


class TournamentChangeRequestSchema(TournamentRequestSchema):
    """Changes to a tournament; missing members stay as they are, and null removes one."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        for name, field in self.fields.items():
            field.required, field.load_default = False, missing
            field.allow_none = name in REMOVABLE


class EntrantRequestSchema(Asked):
    """A new entrant: the caller, or a built-in bot."""

    bot = one_of(
        BOTS,
        "A name of `listBots`; only the creator may enter built-in bots. Without "
        "it, the caller enters.",
        required=False,
    )
    invitation = text(
        "The code of a tournament that is not open to all.",
        required=False,
        validate=Fits(INVITATION, "Should be the code, 20 of 0-9 a-f."),
    )


REASON = [validate.Length(1, 200), ONE_LINE]


class DisqualificationRequestSchema(Asked):
    """Why an entrant is disqualified."""

    reason = text("The reason, on one line; everybody can see it.", validate=REASON)


class ReasonRequestSchema(Asked):
    """Why the creator removes an entrant, or ends a tournament."""

    reason = text("The reason, on one line; everybody can see it.", required=False, validate=REASON)


class RemovalQuerySchema(ReasonRequestSchema):
    """How the creator removes an entrant."""

    keep_out = fields.Boolean(
        load_default=False,
        truthy={"true"},
        falsy={"false"},
        metadata={
            "description": "Whether no account of the same owner can enter again; for the creator "
            "only, before the start."
        },
    )


class TournamentsQuerySchema(Asked):
    """Filters of a list of tournaments."""

    status = one_of(STATUSES, "Only tournaments with this status.", required=False)
    creator = text(
        "Only tournaments that this account has created; `me` for the caller.", required=False
    )
    player = text(
        "Only tournaments that this account has entered; `me` for the caller.", required=False
    )
    after = pages.after(CURSOR)
    limit = pages.limit("tournaments to answer with")


class TournamentQuerySchema(Asked):
    """How much of a tournament to show, and whether to wait for a change."""

    rounds = WrittenWhole(
        load_default=ROUNDS,
        validate=validate.Range(0, MOST_ROUNDS),
        metadata={
            "description": "The maximum number of rounds to show, latest first. Standings always "
            "cover all rounds."
        },
    )
    after = WrittenWhole(
        load_default=0,
        validate=validate.Range(0, 2**31 - 1),
        metadata={"description": "The `version` that you have."},
    )
    wait = pages.wait("Seconds to wait for a version later than `after`.")
