"""Queries of ratings, leaderboards, records against opponents, and players' pages."""

from marshmallow import fields, validate

from service.accounts.accounts import LONGEST_VERSION, VERSION
from service.games.schemas.games import RANKED, board_or_overall
from service.http.schemas import pages
from service.http.schemas.base import Asked, Fits, moment, text

GAME = "^[0-9]{1,15}[.]g_[0-9a-f]{20}$"


def version() -> fields.String:
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


class OpponentsQuerySchema(Asked):
    """Which of a player's opponents to return."""

    opponent = text("Only the record against this account.", required=False,
                    validate=validate.Length(1, 100))
    after = pages.after("^[0-9]{1,9}[.][a-z]{1,3}_[0-9a-z_]{1,40}$")
    limit = pages.limit("opponents to answer with")
