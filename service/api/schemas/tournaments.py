"""Requests and views of tournaments."""

from __future__ import annotations

from marshmallow import fields, missing, validate

from domain.game.clock import ACT, RESIGN
from domain.tournament.events import DEALS, ENDINGS, FORMATS, INDEPENDENT, LADDER, ROUND_ROBIN
from domain.tournament.rounds import MOST_ROUNDS
from domain.tournament.state import STATUSES
from service.accounts.bots import BOTS
from service.api.schemas import base, pages
from service.api.schemas.base import (
    INVITATION,
    Answered,
    Asked,
    Fits,
    Lines,
    OneLine,
    WrittenWhole,
    distinct,
    flag,
    many,
    number,
    one,
    one_of,
    text,
    texts,
    time,
    times,
    whole,
)
from service.api.schemas.games import ClockRequestSchema
from service.api.schemas.seats import ClockSchema, PlayerSchema

CURSOR = "^[0-9]{1,15}[.]c_[0-9a-f]{20}$"
TIME = (r"^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
        r"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,9})?"
        r"(Z|[-+]([01][0-9]|2[0-3]):[0-5][0-9])$")
A_TIME = Fits(TIME, "Should be a time such as 2030-01-01T12:00:00Z.")
MOST_ENTRANTS = 128
MOST_ROUND_TIMES = 128
ROUNDS = 100  # shown by default
MOST_DESCRIPTION, MOST_RULES = 1_000, 10_000  # characters
# settings that null removes
REMOVABLE = ("description", "rules", "rounds", "starts_at", "round_times")


def lines(description: str, most: int) -> fields.String:
    """Return the field for an optional text of several lines."""
    return text(description, required=False, validate=[validate.Length(1, most), Lines()])


class TournamentRequestSchema(Asked):
    """A new tournament."""

    name = base.name("A display name: one line of visible characters, without spaces at the ends.")
    format = one_of(
        FORMATS, "`round_robin` (the default): everyone meets everyone. `swiss`: entrants with "
                 "similar points meet, and none twice if possible. `knockout`: the winners of "
                 "tables go on.", required=False,
        load_default=ROUND_ROBIN)
    boards = fields.List(
        fields.String(validate=validate.Length(1, 100)), load_default=lambda: ["usa"],
        validate=[validate.Length(1, 10), distinct],
        metadata={"description": "Ids of boards, used in turn; `usa` by default.",
                  "uniqueItems": True})
    seats = whole("Seats at a table; 2 by default.", 2, 5, required=False, load_default=2)
    rounds = whole("The number of rounds; for a `round_robin`, how many times everyone meets "
                   "everyone. By default 1 for a `round_robin`, and as many as needed to find "
                   "the winner for a `swiss`. Not allowed for a `knockout`.",
                   1, MOST_ROUNDS, required=False)
    deals = one_of(
        DEALS, "`independent` (the default): a table plays one game. `duplicate`: it plays the "
               "same deal once from each seat, all at the same time, to reduce luck. Others cannot "
               "see its games until all are over.", required=False, load_default=INDEPENDENT)
    clock = one(ClockRequestSchema, "The time that entrants have; 10 seconds for each decision by "
                                    "default.", required=False,
                load_default=lambda: {"per_decision": 10.0})
    on_timeout = one_of([RESIGN, ACT], "The effect of running out of time: the seat leaves the "
                                       "game (`resign`, the default), or the service acts for it "
                                       "once (`act`; rule 8.3).",
                        required=False, load_default=RESIGN)
    entry = one_of(["open", "invitation"], "`open` (the default): anyone may enter. `invitation`: "
                                           "entering requires a code that only the creator can "
                                           "see.", required=False,
                   load_default="open")
    max_entrants = whole("The maximum number of entrants; 64 by default.", 2, MOST_ENTRANTS,
                         required=False, load_default=64)
    per_owner = whole("The maximum number of entries of one owner, counting the account itself and "
                      "its bots; 1 by default. Built-in bots do not count.", 1, MOST_ENTRANTS,
                      required=False, load_default=1)
    description = lines("A description, shown to everybody.", MOST_DESCRIPTION)
    rules = lines("The rules of this competition in words, shown to everybody: who may enter, what "
                  "is forbidden, what the winners get. The service does not enforce them.",
                  MOST_RULES)
    visibility = one_of(["public", "unlisted"], "`public` (the default), or `unlisted`: not in "
                        "lists of others, and nor are its games; whoever has its address can see "
                        "it. To decide who enters, use `entry`.", required=False,
                        load_default="public")
    starts_at = text("When it starts, RFC 3339, such as `2030-01-01T12:00:00Z`. Without it, "
                     "you start the tournament.", required=False, validate=A_TIME)
    round_times = fields.List(
        fields.String(validate=A_TIME), validate=validate.Length(1, MOST_ROUND_TIMES),
        metadata={"description": "The earliest times of the first rounds, in order, such as one a "
                                 "day: a round is paired when its time has come and the round "
                                 "before is over. Rounds after these begin at once."})


class TournamentChangeRequestSchema(TournamentRequestSchema):
    """Changes to a tournament; missing members stay as they are, and null removes one."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        for name, field in self.fields.items():
            field.required, field.load_default = False, missing
            field.allow_none = name in REMOVABLE


class EntrantRequestSchema(Asked):
    """A new entrant: the caller, or a built-in bot."""

    bot = one_of(BOTS, "A name of `listBots`; only the creator may enter built-in bots. Without "
                       "it, the caller enters.",
                 required=False)
    invitation = text("The code of a tournament that is not open to all.", required=False,
                      validate=Fits(INVITATION, "Should be the code, 20 of 0-9 a-f."))


REASON = [validate.Length(1, 200), OneLine()]


class DisqualificationRequestSchema(Asked):
    """Why an entrant is disqualified."""

    reason = text("The reason, on one line; everybody can see it.", validate=REASON)


class ReasonRequestSchema(Asked):
    """Why the creator removes an entrant, or ends a tournament."""

    reason = text("The reason, on one line; everybody can see it.", required=False,
                  validate=REASON)


class TournamentsQuerySchema(Asked):
    """Filters of a list of tournaments."""

    status = one_of(STATUSES, "Only tournaments with this status.", required=False)
    creator = text("Only tournaments that this account has created; `me` for the caller.",
                   required=False)
    player = text("Only tournaments that this account has entered; `me` for the caller.",
                  required=False)
    after = pages.after(CURSOR)
    limit = pages.limit("tournaments to answer with")


class TournamentQuerySchema(Asked):
    """How much of a tournament to show, and whether to wait for a change."""

    rounds = WrittenWhole(load_default=ROUNDS, validate=validate.Range(0, MOST_ROUNDS), metadata={
        "description": "The maximum number of rounds to show, latest first. Standings always cover "
                       "all rounds."})
    after = WrittenWhole(load_default=0, validate=validate.Range(0, 2**31 - 1), metadata={
        "description": "The `version` that you have."})
    wait = pages.wait("Seconds to wait for a version later than `after`.")




class SettingsSchema(Answered):
    """The settings of a tournament."""

    boards = texts("Ids of the boards, used in turn.")
    seats = whole("Seats at a table.", 2)
    format = one_of((*FORMATS, LADDER), "The format, which decides the pairings. Only "
                    "former tournaments are a `ladder`, which is paired like a `swiss`.")
    deals = one_of(DEALS, "Whether a table plays one game (`independent`), or the same deal from "
                          "each seat (`duplicate`).")
    clock = one(ClockSchema, "The time that entrants have.")
    entry = one_of(["open", "invitation"], "Whether entering requires a code.")
    max_entrants = whole("The maximum number of entrants.", 2)
    per_owner = whole("The maximum number of entries of one owner.", 1, required=False)
    rounds = whole("The number of rounds: as requested or, once the tournament has started, the "
                   "actual number.", 1,
                   required=False)
    round_times = times("The earliest times of the first rounds.", required=False)
    rules_version = whole("The version of the tournament rules.", 1)
    lots_seed = text("Once it is over: the random text of the last tie-break. The entrant with the "
                "lower SHA-256 of this text, a newline and the entrant's id ranks "
                "first.", required=False)


class EntrantSchema(Answered):
    """An entrant."""

    entrant = text("The account's id, or the name of a built-in bot.")
    player = one(PlayerSchema, "The player. A built-in bot uses one account for each seat.")
    withdrawn = flag("`true` if the entrant was withdrawn and is not paired any "
                     "more.", required=False)
    annulled = flag("`true` if the tables of this entrant count for nobody and are byes for "
                    "the opponents, since the entrant withdrew from a round robin for two before "
                    "having played half of them.", required=False)
    absent = flag("`true` if the service withdrew the entrant because it lost three games in a row "
                  "on time.", required=False)


class TraceSchema(Answered):
    """A decision of the creator."""

    by = text("The id of the account that decided.")
    at = time("When it was decided.")
    reason = text("The reason, if one was given.", required=False)


class RemovedSchema(TraceSchema):
    """An entrant that was removed or disqualified. A disqualification always has a reason."""

    entrant = text("The entrant's id.")
    player = one(PlayerSchema, "The player.")
    lifted_at = time("When the disqualification was lifted; only in `reinstated`.", required=False)


class TableResultSchema(Answered):
    """The result of a seat."""

    total = whole("Final points.", None)
    rank = whole("Final rank; equal results share a rank.", 1)
    left = one_of(["resigned", "time"], "The reason, if the seat left the game.", required=False)


class TableGameSchema(Answered):
    """A game of a table."""

    game = text("The game's id.")
    seats = texts("The entrants in seat order; the first begins.")
    results = many(TableResultSchema, "The results by seat, once all games of the deal are over.",
                   required=False)


class TableSchema(Answered):
    """A table of a round."""

    table = whole("The number, from 1.", 1)
    games = many(TableGameSchema, "Its game, or one game for each seat with the same deal. In a "
                                  "knockout there are more after a tie.")


class RoundSchema(Answered):
    """A round of a tournament."""

    round = whole("The number, from 1.", 1)
    board = text("The board's id.")
    byes = texts("Entrants who do not play in this round.")
    tables = many(TableSchema, "The tables.")


class StandingSchema(Answered):
    """An entrant's standing. Only tables whose games are all over count."""

    rank = whole("The rank; 1 is the best, and equal standings share a rank.", 1)
    entrant = text("The entrant's id.")
    points = number("Points: a table is worth 1 to the entrant who beats all others there, a bye "
                    "one half.")
    opponents_points = number("The first tie-break: the points of all opponents.")
    forfeits = whole("The second tie-break: the number of games that the entrant left by resigning "
                     "or on time; fewer is better.")
    margin = number("The third tie-break: how far the entrant's totals were above the mean of "
                    "their table, in deals that were played to the end.", required=False)
    margin_interval = fields.List(fields.Float(), metadata={
        "description": "The 95 % confidence interval of `margin` against these opponents, once "
                       "there are enough deals."})
    mean_total = number("The mean of the final points in the deals that count for "
                        "`margin`.", required=False)
    wins = whole("Games won, including shared wins.")
    games = whole("Games played.")
    tables = whole("Tables played.")
    byes = whole("Rounds without a table (byes), and tables against entrants who are `annulled`.")
    walkovers = whole("Byes that count as wins, since the opponent withdrew after half of their "
                      "tables.", 1, required=False)


class AboutTournamentSchema(Answered):
    """The members that every view of a tournament has."""

    id = text("The tournament's id.")
    name = text("Its name.")
    status = one_of(STATUSES, "`open` until it starts, then `running`, then `finished`.")
    version = whole("The number of entries in the tournament's history.", 1)
    creator = text("The id of the account that created it.")
    created = time("When it was created.")
    updated = time("When the last entry of its history was accepted.")
    starts_at = time("When it starts, if not by hand.", required=False)
    next_round_at = time("The earliest time of the next round, if that has one. It is paired then, "
                         "or once the present round is over.", required=False)
    format = one_of((*FORMATS, LADDER), "The format, which decides the pairings. Only "
                    "former tournaments are a `ladder`, which is paired like a `swiss`.")
    round = whole("The number of the last paired round; 0 if none.")
    visibility = one_of(["unlisted"], "`unlisted`: it is not in lists.", required=False)


class ListedTournamentSchema(AboutTournamentSchema):
    """A tournament in a list."""

    boards = texts("Ids of the boards, used in turn.")
    entered = whole("The number of entrants who have not withdrawn.")


TournamentsSchema = pages.page_of(
    ListedTournamentSchema, "TournamentsSchema", "A page of tournaments, newest first.",
    "The tournaments.")


class TournamentSchema(AboutTournamentSchema):
    """A tournament."""

    description = text("Its description.", required=False)
    rules = text("Its rules in words.", required=False)
    unrated = text("While it is open: why its games, or those with built-in bots, will not be "
                   "rated; missing if all may be.", required=False)
    removed = many(RemovedSchema, "Entrants that the creator has removed, first to last.",
                   required=False)
    ended_early = one(TraceSchema, "The decision to end it early, if there was one.",
                      required=False)
    disqualified = many(
        RemovedSchema, "The disqualified. They are ranked last; those who were disqualified "
        "before the start are not in `entrants`.", required=False)
    reinstated = many(RemovedSchema, "Disqualifications that were lifted, first to last. They have "
                                     "no effect.", required=False)
    settings = one(SettingsSchema, "Its settings.")
    entrants = many(EntrantSchema, "The entrants, in the order of entry.")
    rounds = many(RoundSchema, "The latest rounds.")
    standings = many(StandingSchema, "The standings, best first.")
    standings_final_at = time("Once it is over: when the standings become final, 72 hours after "
                              "the end. Until then the creator may disqualify entrants or lift "
                              "disqualifications.", required=False)
    last_round = whole("The last round, if the creator ended the tournament during "
                       "it.", 1, required=False)
    ending = one_of(ENDINGS,
                    "Once it is over: all rounds were played (`complete`), too few entrants were "
                    "left (`too_few`), the creator ended it (`ended`), or nobody started it in "
                    "time (`expired`).", required=False)
    invitation = text("The code for entering, if one is required; only the creator sees it.",
                      required=False)
