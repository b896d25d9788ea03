"""What is asked about ratings, and what they look like."""

from __future__ import annotations

from marshmallow import fields, validate

from domain.skill import PROVEN
from service.accounts.accounts import LONGEST_VERSION, VERSION
from service.api.schemas import pages
from service.api.schemas.base import (
    Answered,
    Asked,
    Fits,
    many,
    one,
    text,
    texts,
    time,
    whole,
)
from service.api.schemas.players import AccountSchema
from service.api.schemas.seats import PlayerSchema
from service.projections.standing import OVERALL, SETTLED_GAMES, SETTLED_SIGMA

RANKED = "^[0-9]{10,15}[.][a-z]{1,3}_[0-9a-z_]{1,40}(@[A-Za-z0-9._+-]{1,40})?$"
GAME = "^[0-9]{1,15}[.]g_[0-9a-f]{20}$"


def number(description: str) -> fields.Float:
    """Return a number that is always there."""
    return fields.Float(required=True, metadata={"description": description})


def board_or_overall() -> fields.String:
    """Return which rating is asked for."""
    return text(f"The rating on a board, by its id; `{OVERALL}` is that of all games.",
                load_default=OVERALL, required=False, validate=validate.Length(1, 100))


def version() -> fields.String:
    """Return which version of a player is asked for."""
    return text("A version of the player, empty for what has played without one. By default that "
                "which has played last.", required=False,
                validate=[validate.Length(0, LONGEST_VERSION), Fits(
                    VERSION.replace("+$", "*$"),
                    "Should be made of A-Z a-z 0-9 . _ + - alone.")])


class LeaderboardQuerySchema(Asked):
    """Which part of a leaderboard to answer with."""

    provisional = fields.Boolean(
        load_default=True, truthy={"true"}, falsy={"false"},
        metadata={"description": "`false` leaves out those whose rating is provisional, and ranks "
                                 "the others among themselves."})
    after = pages.after(RANKED)
    limit = pages.limit("players to answer with")


class RatingsQuerySchema(Asked):
    """Which rated games of a player to answer with."""

    board = board_or_overall()
    version = version()
    after = pages.after(GAME)
    limit = pages.limit("games to answer with")


class RatingPlotQuerySchema(Asked):
    """Which rating of a player to draw."""

    board = board_or_overall()
    version = version()


class PlayerPageQuerySchema(Asked):
    """Which version of a player to tell of."""

    version = version()


class RatingSchema(Answered):
    """A rating."""

    rating = number("mu - 3 sigma: how strong the player is at least, almost surely.")
    mu = number("How strong the player probably is; everybody starts with 25.")
    sigma = number("How uncertain that is: a standard deviation, 25/3 at the start.")


class StandingMixin:
    """What a rating rests on."""

    games = whole("How many rated games.", 1)
    wins = whole("How many of these came to rank 1, alone or with others.")
    provisional = fields.Boolean(required=True, metadata={
        "description": f"Whether fewer than {SETTLED_GAMES} games are rated, sigma is above "
                       f"{SETTLED_SIGMA:g}, or the games against proven players, such as "
                       f"built-in bots, count for fewer than {PROVEN:g}."})
    last_played = time("When the last of these games counted.")


class RankedPlayerSchema(StandingMixin, RatingSchema):
    """A player on a leaderboard."""

    rank = whole("1 is the strongest; equals share a rank.", 1)
    player = one(PlayerSchema, "Who it is. All copies of a built-in bot are one player.")
    owner_name = text("The name of the account that owns it, where it is an external bot.",
                      required=False)


class LeaderboardSchema(Answered):
    """A page of a leaderboard."""

    items = many(RankedPlayerSchema, "The players, the highest rating first.")
    next = pages.next_cursor()


class SeasonSchema(Answered):
    """A month in which rated games count."""

    season = text("The month, such as `2026-11`.")
    since = time("When it began, by UTC.")
    until = time("When the next one begins.")
    games = whole("How many rated games count in it.", 1)
    final = fields.Boolean(required=True, metadata={
        "description": "Whether it is over for a day, and every game of it is counted."})


SeasonsSchema = pages.page_of(SeasonSchema, "SeasonsSchema", "The seasons, the latest first.")


class SeasonLeaderboardSchema(SeasonSchema):
    """A page of the leaderboard of a season."""

    items = many(RankedPlayerSchema, "Those who played in it, the highest rating at its end first.")
    next = pages.next_cursor()


class ListedLeaderboardSchema(Answered):
    """A leaderboard that there is."""

    board = text(f"A board's id, or `{OVERALL}`.")
    players = whole("How many players are on it.")
    settled = whole("How many of these are not provisional.")


LeaderboardsSchema = pages.page_of(ListedLeaderboardSchema, "LeaderboardsSchema",
                                   "The leaderboards.")


class PlayersRatingSchema(StandingMixin, RatingSchema):
    """How a player stands."""

    board = text(f"A board's id, or `{OVERALL}` for all games.")
    version = text("The version of the player that this is of.", required=False)
    rank = whole("The rank on the leaderboard, among all players.", 1)


class OpponentSchema(Answered):
    """Who else played."""

    player = one(PlayerSchema, "Who it is.")
    rank = whole("The rank that they came to.", 1)


class RatedGameSchema(Answered):
    """A rated game of a player."""

    game = text("The game's id.")
    board = text("The board's id.")
    at = time("When it counted: when it was over; where a tournament plays the same deal several "
              "times, when the last game of that deal was.")
    rank = whole("The rank that the player came to in the game.", 1)
    opponents = many(OpponentSchema, "The others, in the order of the seats.")
    before = one(RatingSchema, "The player's rating before the game.")
    after = one(RatingSchema, "The player's rating after it.")
    weight = number("How much the game counted for the player, 0 to 1: the less, the less the "
                    "opponents are proven and the more often they have met this month.")


class RatedGamesSchema(Answered):
    """A page of a player's rated games."""

    items = many(RatedGameSchema, "The games, the latest first.")
    next = pages.next_cursor()


class EndingsSchema(Answered):
    """How a player's games ended, of those that could be rated."""

    finished = whole("Played to the end, or until all others had left.")
    resigned = whole("Resigned by the player.")
    timed_out = whole("Left because the player's time was over.")
    aborted = whole("Called off by the player, who had seen tickets.")


class CountsSchema(Answered):
    """How a player did against another."""

    games = whole("How many games.")
    wins = whole("In how many of these the player came before the other.")
    draws = whole("In how many they shared a rank.")
    losses = whole("In how many the other came before the player.")
    margin = fields.Float(metadata={
        "description": "The player's total less the other's, on average over the games that "
                       "neither left; missing without such a game."})


class BoardsCountsSchema(CountsSchema):
    """The same on one board."""

    board = text("The board's id.")


class AgainstSchema(CountsSchema):
    """How a player did against another, whoever else played, over all and by board."""

    player = one(PlayerSchema, "The other.")
    boards = many(BoardsCountsSchema, "By board.")


class OpponentsSchema(Answered):
    """A page of whom a player has met."""

    items = many(AgainstSchema, "Those they have met, the most often met first.")
    next = pages.next_cursor()


class OpponentsQuerySchema(Asked):
    """Which of a player's opponents to answer with."""

    after = pages.after("^[0-9]{9}[.][a-z]{1,3}_[0-9a-z_]{1,40}$")
    limit = pages.limit("opponents to answer with")


class GamesAgainstQuerySchema(Asked):
    """Which games of two players to answer with."""

    after = pages.after(GAME)
    limit = pages.limit("games to answer with")


class LatencySchema(Answered):
    """How long a player takes to decide, in milliseconds, to a tenth."""

    median = whole("Half of the decisions took no longer.", 1)
    p95 = whole("19 of 20 took no longer.", 1)


class ConductSchema(Answered):
    """How a player plays, whatever comes of it: in public games that were played to a result."""

    decisions = whole("How many decisions the player had to make.", 1)
    timeouts = whole("For how many of these the time ran out.")
    faults = whole("How many actions of the player were refused in any game, by whatever version, "
                   "those left out that only came late.")
    latency = one(LatencySchema, "How long the others took by the service's clock, on a game's "
                                 "clock less the service's absence: from when the decision was "
                                 "there to when the action arrived.")


class PlayerPageSchema(AccountSchema):
    """What everybody may know of a player."""

    versions = texts("Versions that have rated games, in alphabetical order, 100 at most; "
                     "missing without any.", required=False)
    conduct = one(ConductSchema, "How they play; missing before the first decision.",
                  required=False)

    ratings = many(PlayersRatingSchema, "How the player stands over all, and on each board they "
                                        "have played; empty without a rated game.")
    endings = one(EndingsSchema, "How the player's games ended: who leaves is said so.")
    recent = many(RatedGameSchema, "The latest rated games, ten at most, with the rating over "
                                   "all.")
