"""Ratings, leaderboards, records against opponents, and players' pages."""

from __future__ import annotations

from marshmallow import fields, validate

from domain.skill import PROVEN
from service.accounts.accounts import LONGEST_VERSION, VERSION
from service.api.schemas import pages
from service.api.schemas.base import (
    Answered,
    Asked,
    Fits,
    flag,
    many,
    moment,
    number,
    one,
    text,
    texts,
    time,
    whole,
)
from service.api.schemas.players import AccountSchema
from service.api.schemas.seats import PlayerSchema
from service.games.strengths import OVERALL
from service.records.standing import SETTLED_GAMES, SETTLED_SIGMA

RANKED = "^[0-9]{10,15}[.][a-z]{1,3}_[0-9a-z_]{1,40}(@[A-Za-z0-9._+-]{1,40})?$"
GAME = "^[0-9]{1,15}[.]g_[0-9a-f]{20}$"


def board_or_overall() -> fields.String:
    """Return the query field for the board of a rating."""
    return text(f"A board's id, or `{OVERALL}` (the default) for the rating over all boards.",
                load_default=OVERALL, required=False, validate=validate.Length(1, 100))


def version() -> fields.String:
    """Return the query field for a player's version."""
    return text("A version of the player; empty for games played without a version. By default the "
                "version that played last.", required=False,
                validate=[validate.Length(0, LONGEST_VERSION), Fits(
                    VERSION.replace("+$", "*$"),
                    "Should be made of A-Z a-z 0-9 . _ + - alone.")])


class LeaderboardQuerySchema(Asked):
    """Which part of a leaderboard to return."""

    provisional = fields.Boolean(
        load_default=True, truthy={"true"}, falsy={"false"},
        metadata={"description": "`false` leaves out players with provisional ratings, and ranks "
                                 "the others among themselves."})
    active_since = moment("Only players whose last rated game here is from this time or later. "
                          "Ranks stay those among all players.")
    after = pages.after(RANKED)
    limit = pages.limit("players to answer with")


class RatingsQuerySchema(Asked):
    """Which rated games of a player to return."""

    board = board_or_overall()
    version = version()
    after = pages.after(GAME)
    limit = pages.limit("games to answer with")


class PlayerPageQuerySchema(Asked):
    """Which version of a player to show."""

    version = version()


class RatingSchema(Answered):
    """A rating."""

    rating = number("mu - 3 sigma: the player's strength is almost certainly at least this.")
    mu = number("The estimate of the player's strength; everyone starts with 25.")
    sigma = number("The standard deviation of the estimate; 25/3 at the start.")


class StandingMixin:
    """The games behind a rating."""

    games = whole("The number of rated games.", 1)
    wins = whole("The number of games with rank 1, alone or shared.")
    provisional = flag(f"Whether the rating is uncertain: fewer than {SETTLED_GAMES} rated games, "
                       f"sigma above {SETTLED_SIGMA:g}, or games against proven players, such as "
                       f"built-in bots, that weigh less than {PROVEN:g} in total.")
    last_played = time("When the latest of these games counted.")


class RankedPlayerSchema(StandingMixin, RatingSchema):
    """A player on a leaderboard."""

    rank = whole("The rank; 1 is the strongest, and equal ratings share a rank.", 1)
    player = one(PlayerSchema, "The player. All copies of a built-in bot are one player.")
    owner_name = text("The owner's name, for an external bot.",
                      required=False)


LeaderboardSchema = pages.page_of(
    RankedPlayerSchema, "LeaderboardSchema", "A page of a leaderboard.",
    "The players, highest rating first.")


class ListedLeaderboardSchema(Answered):
    """A leaderboard."""

    board = text(f"A board's id, or `{OVERALL}`.")
    players = whole("The number of players on it.")
    settled = whole("The number of players whose rating is not provisional.")


LeaderboardsSchema = pages.page_of(ListedLeaderboardSchema, "LeaderboardsSchema",
                                   "The leaderboards.")


class PlayersRatingSchema(StandingMixin, RatingSchema):
    """A player's rating and rank."""

    board = text(f"A board's id, or `{OVERALL}` for all games.")
    version = text("The player's version that has this rating.", required=False)
    rank = whole("The rank among all players of the leaderboard.", 1)


class OpponentSchema(Answered):
    """Another player of the game."""

    player = one(PlayerSchema, "The player.")
    rank = whole("Their final rank.", 1)


class RatedGameSchema(Answered):
    """A rated game of a player."""

    game = text("The game's id.")
    board = text("The board's id.")
    at = time("When it counted: at its end; for a duplicate deal, at the end of the deal's last "
              "game.")
    rank = whole("The player's final rank.", 1)
    opponents = many(OpponentSchema, "The other players, in seat order.")
    before = one(RatingSchema, "The player's rating before the game.")
    after = one(RatingSchema, "The player's rating after the game.")
    weight = number("How much the game counted for the player, 0 to 1. It is lower against "
                    "unproven opponents, and against opponents met often this month.")
    deal_rank = whole("The player's rank over all games of the deal, if these are rated as one "
                      "result in this game; the other games of the deal have weight 0.", 1,
                      required=False)


RatedGamesSchema = pages.page_of(
    RatedGameSchema, "RatedGamesSchema", "A page of a player's rated games.",
    "The games, latest first.")


class EndingsSchema(Answered):
    """How a player's games ended; counts only games that could be rated."""

    finished = whole("Games played to the end, or until all others had left.")
    resigned = whole("Games that the player resigned.")
    timed_out = whole("Games in which the player's time ran out.")
    aborted = whole("Games that were aborted after the player had seen tickets.")


class HeadToHeadCountsSchema(Answered):
    """A player's record against another."""

    games = whole("The number of games.")
    wins = whole("Games in which the player ranked higher.")
    draws = whole("Games in which they shared a rank.")
    losses = whole("Games in which the other ranked higher.")
    margin = number("The player's total minus the other's, averaged over the games that neither "
                    "left; missing without such a game.", required=False)


class BoardHeadToHeadSchema(HeadToHeadCountsSchema):
    """A player's record against another on one board."""

    board = text("The board's id.")


class HeadToHeadSchema(HeadToHeadCountsSchema):
    """A player's record against another, overall and by board, in games with any other players."""

    player = one(PlayerSchema, "The other player.")
    boards = many(BoardHeadToHeadSchema, "By board.")


OpponentsSchema = pages.page_of(
    HeadToHeadSchema, "OpponentsSchema", "A page of a player's opponents.",
    "The opponents, most games first.")


class OpponentsQuerySchema(Asked):
    """Which of a player's opponents to return."""

    opponent = text("Only the record against this account.", required=False,
                    validate=validate.Length(1, 100))
    after = pages.after("^[0-9]{1,9}[.][a-z]{1,3}_[0-9a-z_]{1,40}$")
    limit = pages.limit("opponents to answer with")


class LatencySchema(Answered):
    """The time that a player takes to decide, in milliseconds, rounded to a tenth of its value."""

    median = whole("The median.", 1)
    p95 = whole("The 95th percentile.", 1)


class ConductSchema(Answered):
    """A player's conduct in public games that were played to a result."""

    decisions = whole("The number of decisions that the player had to make.", 1)
    timeouts = whole("The number of decisions for which the time ran out.")
    faults = whole("The number of the player's actions that were refused, in any game and by any "
                   "version, except those that only came too late.")
    latency = one(LatencySchema, "The time from when a decision was due to when the action "
                                 "arrived, minus the service's downtime in games with a clock; "
                                 "without decisions that timed out.")


class VersionRatingSchema(StandingMixin, RatingSchema):
    """The overall rating of a version of a player."""

    version = text("The version; missing for games played without one.", required=False)


class PlayerPageSchema(AccountSchema):
    """The public page of a player."""

    versions = texts("Versions with rated games, in alphabetical order, at most 100; missing if "
                     "there are none.", required=False)
    version_ratings = many(VersionRatingSchema, "The overall rating of each of these versions "
                           "after its last game, and of games without a version.",
                           required=False)
    conduct = one(ConductSchema, "The player's conduct; missing before the first decision.",
                  required=False)

    ratings = many(PlayersRatingSchema, "The player's ratings, overall and for each board they "
                                        "played; empty without a rated game.")
    endings = one(EndingsSchema, "How the player's games ended, including games that they left.")
    recent = many(RatedGameSchema, "The latest rated games, at most ten, with the overall rating.")
