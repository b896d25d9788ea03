"""Leaderboards, ratings and records of players."""

from marshmallow import fields, validate

from service.accounts import accounts
from service.accounts.accounts import LONGEST_VERSION, VERSION
from service.games.schemas.games import RANKED, board_or_overall
from service.games.strengths import scope_called
from service.http.answers import answer, answer_page
from service.http.blueprint import Blueprint
from service.http.caching import brief_answer
from service.http.schemas import pages
from service.http.schemas.base import Asked, Fits, moment, text
from service.http.serving import games
from service.ratings import answers, leaderboards

GAME = "^[0-9]{1,15}[.]g_[0-9a-f]{20}$"

blueprint = Blueprint(
    "ratings",
    __name__,
    url_prefix="/v1",
    description="Ratings and leaderboards, computed from finished games.",
)


def _version() -> fields.String:
    return text(
        "A version of the player; empty for games played without a version. By default the "
        "version that played last.",
        required=False,
        validate=[
            validate.Length(0, LONGEST_VERSION),
            Fits(VERSION.replace("+$", "*$"), "Should be made of A-Z a-z 0-9 . _ + - alone."),
        ],
    )


class LeaderboardQuerySchema(Asked):
    """Which part of a leaderboard to return."""

    provisional = fields.Boolean(
        load_default=True,
        truthy={"true"},
        falsy={"false"},
        metadata={
            "description": "`false` leaves out players with provisional ratings, and ranks "
            "the others among themselves."
        },
    )
    active_since = moment(
        "Only players whose last rated game here is from this time or later. "
        "Ranks stay those among all players."
    )
    after = pages.after(RANKED)
    limit = pages.limit("players to answer with")


class RatingsQuerySchema(Asked):
    """Which rated games of a player to return."""

    board = board_or_overall()
    version = _version()
    after = pages.after(GAME)
    limit = pages.limit("games to answer with")


class PlayerPageQuerySchema(Asked):
    """Which version of a player to show."""

    version = _version()


class OpponentsQuerySchema(Asked):
    """Which of a player's opponents to return."""

    opponent = text(
        "Only the record against this account.", required=False, validate=validate.Length(1, 100)
    )
    after = pages.after("^[0-9]{1,9}[.][a-z]{1,3}_[0-9a-z_]{1,40}$")
    limit = pages.limit("opponents to answer with")


@blueprint.operation("GET /leaderboards", "listLeaderboards", [], 503)
@blueprint.brief(answers.Leaderboards, "The leaderboards.")
def list_leaderboards():
    """List the leaderboards

    One for all games, and one for each board that can be played."""
    with games().database.reading() as db:
        sizes = leaderboards.sizes(db)
    rows = [(scope, *sizes.get(scope, (0, 0))) for scope in leaderboards.scopes(games().store)]
    return brief_answer(
        answer_page(
            [
                answers.ListedLeaderboard(board=scope, players=players, settled=settled)
                for scope, players, settled in rows
            ]
        )
    )


@blueprint.operation(
    "GET /leaderboards/<string:leaderboard>",
    "getLeaderboard",
    [],
    404,
    503,
    query=LeaderboardQuerySchema,
)
@blueprint.brief(answers.Leaderboard, "A page of the leaderboard.")
def get_leaderboard(query: dict, leaderboard: str):
    """Get a leaderboard

    Players by `rating`, which is mu - 3 sigma of the Plackett-Luce model, so a well-proven player
    ranks higher. A game counts within seconds of its end if two or more different players played it
    to a result, in public or in a tournament. Not rated are forks, imports, games with a chosen
    seed, and games in which two seats belong to one account or owner: a person and their own bots,
    two bots of one owner, two copies of a built-in bot. Games of duplicate deals count once the
    last game of the deal is over. docs/ratings.md has the details. Send `next` as `after` until it
    is null. Players who move in between may appear twice or not at all. With `active_since`, a
    request reads at most ten times `limit` players, so a page can be short, or empty, before the
    end."""
    return brief_answer(
        answer_page(
            *leaderboards.shown_page(
                games(),
                scope_called(games().store, leaderboard),
                provisional=query["provisional"],
                active_since=query.get("active_since", 0),
                before=query.get("after"),
                limit=query["limit"],
            )
        )
    )


@blueprint.operation(
    "GET /players/<string:player>", "getPlayer", [], 404, 503, query=PlayerPageQuerySchema
)
@blueprint.brief(answers.PlayerPage, "The player.")
def get_player(query: dict, player: str):
    """Get a player

    The public page of an account: name, bot name or owner, ratings, and latest rated games. All
    accounts of a built-in bot are rated as one player. Each version of an external bot is rated
    separately; you get the version that played last, unless you name another."""
    account = accounts.get(games().redis, player)
    return brief_answer(
        answer(
            account.as_json() | leaderboards.page_of(games(), account.player, query.get("version"))
        )
    )


@blueprint.operation(
    "GET /players/<string:player>/opponents",
    "listOpponents",
    [],
    404,
    503,
    query=OpponentsQuerySchema,
)
@blueprint.brief(answers.Opponents, "A page of opponents.")
def list_opponents(query: dict, player: str):
    """List a player's opponents

    The opponents of a player in the public games that count for statistics, and how often each
    ranked higher, over all boards and by board. Other players at the table and versions do not
    matter. Send `next` as `after` until it is null. `listGames` lists the games of two players."""
    redis = games().redis
    opponent = accounts.get(redis, query["opponent"]).player if "opponent" in query else None
    return brief_answer(
        answer_page(
            *leaderboards.opponents_of(
                games(),
                accounts.get(redis, player).player,
                opponent,
                query.get("after"),
                query["limit"],
            )
        )
    )


@blueprint.operation(
    "GET /players/<string:player>/ratings", "listRatings", [], 404, 503, query=RatingsQuerySchema
)
@blueprint.brief(answers.RatedGames, "A page of rated games.")
def list_ratings(query: dict, player: str):
    """List a player's rated games

    Latest first, with the rating before and after each game, over all boards or on one. A game that
    is not listed was not rated. Send `next` as `after` until it is null."""
    store = games().store
    rated, scope = accounts.get(store.redis, player).player, scope_called(store, query["board"])
    return brief_answer(
        answer_page(
            *leaderboards.games_of(
                games(), rated, query.get("version"), scope, query.get("after"), query["limit"]
            )
        )
    )
