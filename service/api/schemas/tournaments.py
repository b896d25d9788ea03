"""What is asked and answered about tournaments."""

from __future__ import annotations

from marshmallow import fields, validate

from domain.game.clock import ACT, RESIGN
from domain.tournament.events import DEALS, FORMATS, INDEPENDENT, ROUND_ROBIN
from domain.tournament.rounds import MOST_ROUNDS
from domain.tournament.state import STATUSES
from service.accounts.bots import BOTS
from service.api.schemas import base, pages
from service.api.schemas.base import (
    INVITATION,
    Answered,
    Asked,
    Fits,
    WrittenWhole,
    distinct,
    many,
    one,
    one_of,
    text,
    texts,
    time,
    whole,
)
from service.api.schemas.games import ClockRequestSchema
from service.api.schemas.seats import ClockSchema, PlayerSchema

CURSOR = "^[0-9]{1,15}[.]c_[0-9a-f]{20}$"
TIME = (r"^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
        r"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,6})?Z$")
MOST_ENTRANTS = 128
ROUNDS = 100  # shown unless another number is asked for


class TournamentRequestSchema(Asked):
    """A tournament to be set up."""

    name = base.name("A name to show: one line of characters that can be seen, no space at either "
                     "end.")
    format = one_of(
        FORMATS, "`round_robin` (the default): everybody meets everybody. `swiss`: equals meet, "
        "nobody twice if it can be managed. `knockout`: the winners of tables go on. `ladder`: as "
        "`swiss`, but entry stays open, and it goes on until you end it.", required=False,
        load_default=ROUND_ROBIN)
    boards = fields.List(
        fields.String(validate=validate.Length(1, 100)), load_default=lambda: ["usa"],
        validate=[validate.Length(1, 10), distinct],
        metadata={"description": "Ids of boards, used in turn; `usa` by default.",
                  "uniqueItems": True})
    seats = whole("Seats at a table; 2 by default.", 2, 5, required=False, load_default=2)
    rounds = whole("How many rounds; of a round robin, how many times everybody meets everybody. "
                   "By default 1 there, in a `swiss` what it takes to tell the first place, in a "
                   "`ladder` as many as you like. A `knockout` has none to choose.",
                   1, MOST_ROUNDS, required=False)
    deals = one_of(
        DEALS, "`independent` (the default): a table plays one game. `duplicate`: it plays the "
        "same deal once from each seat, all at the same time, so that luck counts less; its games "
        "are closed to others until all are over.", required=False, load_default=INDEPENDENT)
    clock = one(ClockRequestSchema, "How long entrants may think; 10 seconds for each decision by "
                                 "default.", required=False,
                load_default=lambda: {"per_decision": 10.0})
    on_timeout = one_of([RESIGN, ACT], "What happens to a seat that thinks too long: it leaves the "
                        "game (the default), or the service acts for it that once (rule 8.3).",
                        required=False, load_default=RESIGN)
    entry = one_of(["open", "invitation"], "`open` (the default): anybody may enter. `invitation`: "
                   "it takes the code that you, the creator, are shown.", required=False,
                   load_default="open")
    most = whole("The most entrants; 64 by default.", 2, MOST_ENTRANTS, required=False,
                 load_default=64)
    per_owner = whole("How many of the entries may be one owner's: the account itself and bots "
                      "that it owns; 1 by default. Built-in bots do not count.", 1, MOST_ENTRANTS,
                      required=False, load_default=1)
    starts_at = text("When it is to start, RFC 3339 in UTC, such as `2030-01-01T12:00:00Z`; "
                     "without it you start it.", required=False, validate=Fits(
                         TIME, "Should be a time such as 2030-01-01T12:00:00Z."))


class EntrantRequestSchema(Asked):
    """Who is to enter: the caller, or a built-in bot."""

    bot = one_of(BOTS, "A name of `listBots`, to be entered by the creator; else the caller is.",
                 required=False)
    invitation = text("The code of a tournament that is not open to all.", required=False,
                      validate=Fits(INVITATION, "Should be the code, 20 of 0-9 a-f."))


class TournamentsQuerySchema(Asked):
    """Which tournaments to list."""

    status = one_of(STATUSES, "Only tournaments of this status.", required=False)
    after = pages.after(CURSOR)
    cursor = pages.formerly_after(CURSOR)
    limit = pages.limit("tournaments to answer with")


class TournamentQuerySchema(Asked):
    """How much of a tournament to show."""

    rounds = WrittenWhole(load_default=ROUNDS, validate=validate.Range(0, MOST_ROUNDS), metadata={
        "description": "Show the latest so many rounds only; the standings are always of all."})
    after = WrittenWhole(load_default=0, validate=validate.Range(0, 2**31 - 1), metadata={
        "description": "The `version` that you know."})
    wait = pages.wait("If there is nothing after it, wait up to so many seconds.")


class PairsQuerySchema(Asked):
    """How many pairs to show."""

    limit = pages.limit("pairs to answer with, the most suspicious first", 1000)


class ComparedSchema(Answered):
    """How often something happened, against how often it would be expected."""

    times = fields.Float(required=True, metadata={"description": "How often it happened."})
    of = whole("Of how often.", 1)
    expected = fields.Float(required=True, metadata={
        "description": "How often it would be expected of the same two, had they nothing to do "
                       "with each other."})
    p = fields.Float(required=True, metadata={
        "description": "How likely any pair at all of an honest tournament comes to as much: "
                       "already corrected for the number of pairs."})


class PairSchema(Answered):
    """Two that sat together at two tables or more, and what it came to for the second."""

    giver = text("The entrant that may have given.")
    taker = text("The entrant that may have been given to.")
    tables = whole("At how many tables both sat.", 1)
    same_owner = fields.Boolean(metadata={"description": "`true` where one owner has both."})
    suspect = fields.Boolean(required=True, metadata={
        "description": "Whether a `p` is 0.01 at most. That is a reason to look at the games, and "
                       "no proof."})
    won = one(ComparedSchema, "Two at a table: how often the taker won against the giver, given "
                              "how often each of all entrants won at all.", required=False)
    beside = one(ComparedSchema, "More at a table: how many of the others the taker left behind "
                                 "with the giver there.", required=False)
    left = one(ComparedSchema, "How often the giver resigned or ran out of time, of the tables "
                               "that it lost with the taker there.", required=False)


class PairsSchema(Answered):
    """Possible collusion between entrants: who may have lost to whom on purpose."""

    items = many(PairSchema, "The pairs, the most suspicious first.")
    next = text("Always null: there is one page.", allow_none=True)


class SettingsSchema(Answered):
    """How a tournament is played."""

    boards = texts("Ids of the boards, used in turn.")
    seats = whole("Seats at a table.", 2)
    format = one_of(FORMATS, "Who meets whom.")
    deals = one_of(DEALS, "Whether a table plays one game, or the same deal from each seat.")
    clock = one(ClockSchema, "How long entrants may think.")
    entry = one_of(["open", "invitation"], "Whether it takes a code to enter.")
    most = whole("The most entrants.", 2)
    per_owner = whole("How many entries may be one owner's.", 1, required=False)
    rounds = whole("Number of rounds: as requested, or the actual number once it has begun.", 1,
                   required=False)
    rules_version = whole("1 where it was set up before resignations were left out of margins: "
                          "docs/tournaments.md says by what each is held.", 1)
    lots = text("Once it is over: of equals who has the lower SHA-256 of this, a newline and the "
                "entrant came first.", required=False)


class EntrantSchema(Answered):
    """Who takes part."""

    entrant = text("The account's id, or the name of a built-in bot.")
    player = one(PlayerSchema, "Who it is; a built-in bot plays with an account for each seat.")
    withdrawn = fields.Boolean(metadata={
        "description": "`true` where the entrant is not paired any more."})
    absent = fields.Boolean(metadata={
        "description": "`true` where it was the service that withdrew it, since it had lost three "
                       "games in a row by the clock."})


class TableResultSchema(Answered):
    """How a seat ended."""

    total = whole("Final points.", None)
    rank = whole("Final rank; equals share one.", 1)
    left = one_of(["resigned", "time"], "Why the seat left the game, if it did.", required=False)


class TableGameSchema(Answered):
    """A game of a table."""

    game = text("The game's id.")
    seats = texts("The entrants in the order of seats; the first plays first.")
    results = many(TableResultSchema, "By seat, once all games of the deal are over.",
                   required=False)


class TableSchema(Answered):
    """A table of a round."""

    table = whole("Its number, from 1.", 1)
    games = many(TableGameSchema, "Its game, or the same deal from each seat; in a knockout as "
                                  "many more as a tie takes.")


class RoundSchema(Answered):
    """A round."""

    round = whole("Its number, from 1.", 1)
    board = text("The board's id.")
    byes = texts("Entrants who do not play this time.")
    tables = many(TableSchema, "The tables.")
    void = fields.Boolean(metadata={
        "description": "`true` where the round counts for nobody, as the tournament was ended "
                       "before all of it was over: of old, as such rounds are played out now."})


class StandingSchema(Answered):
    """How an entrant stands; only tables whose games are all over count."""

    rank = whole("1 is the best; equals share a rank.", 1)
    entrant = text("Who.")
    points = fields.Float(required=True, metadata={
        "description": "A table is worth 1 to who beats all others there, a bye one half."})
    opponents = fields.Float(required=True, metadata={
        "description": "The points of all opponents, the first tie-break."})
    left = whole("Games that the entrant left, by resigning or by the clock; the fewest are the "
                 "second tie-break.")
    margin = fields.Float(metadata={
        "description": "How far totals were above the mean of those at the table, in deals that "
                       "were played out; the third tie-break."})
    margin_interval = fields.List(fields.Float(), metadata={
        "description": "The 95 % confidence interval of `margin` against these opponents, once "
                       "enough was played to tell chance from strength."})
    mean_total = fields.Float(metadata={"description": "The mean of the final points in the deals "
                                                       "that are in `margin`."})
    wins = whole("Games won, shared victories included.")
    games = whole("Games played.")
    tables = whole("Tables played at.")
    byes = whole("Rounds without a table.")


class AboutTournamentSchema(Answered):
    """What is always told of a tournament."""

    id = text("The tournament's id.")
    name = text("Its name.")
    status = one_of(STATUSES, "`open` until it starts, then `running`, then `finished`.")
    version = whole("How many entries the tournament's history has.", 1)
    creator = text("The id of the account that created it.")
    created = time("When it was created.")
    updated = time("When its last entry was accepted.")
    starts_at = time("When it is to start, if not by hand.", required=False)
    format = one_of(FORMATS, "Who meets whom.")
    round = whole("The number of the last round that was paired, 0 for none.")


class ListedTournamentSchema(AboutTournamentSchema):
    """What lists show of a tournament."""

    boards = texts("Ids of the boards, used in turn.")
    entered = whole("How many have entered and not withdrawn.")


class TournamentsSchema(Answered):
    """A page of tournaments, the newest first."""

    items = many(ListedTournamentSchema, "The tournaments.")
    next = pages.next_cursor()


class TournamentSchema(AboutTournamentSchema):
    """A tournament."""

    settings = one(SettingsSchema, "How it is played.")
    entrants = many(EntrantSchema, "Who takes part, in the order of entry.")
    rounds = many(RoundSchema, "The latest rounds.")
    standings = many(StandingSchema, "How the entrants stand, the best first.")
    last_round = whole("The round with which it ends, where its creator has ended it while one was "
                       "under way.", 1, required=False)
    ending = one_of(["complete", "too_few", "ended", "expired"],
                    "Once it is over: all was played, too few entrants were left, its creator "
                    "ended it, or nobody ever started it.", required=False)
    invitation = text("The code to enter with, for the creator, where it takes one.",
                      required=False)
