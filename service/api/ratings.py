"""Leaderboards, ratings and records of players."""

from __future__ import annotations

from service.accounts import accounts
from service.api.answers import SVG, answer, answer_page, answer_picture, aside
from service.api.blueprint import Blueprint
from service.api.caching import DAILY, brief_answer
from service.api.schemas.ratings import (
    GamesAgainstQuerySchema,
    HeadToHeadSchema,
    LeaderboardQuerySchema,
    LeaderboardSchema,
    LeaderboardsSchema,
    OpponentsQuerySchema,
    OpponentsSchema,
    PlayerPageQuerySchema,
    PlayerPageSchema,
    RatedGamesSchema,
    RatingPlotQuerySchema,
    RatingsQuerySchema,
    SeasonLeaderboardSchema,
    SeasonsSchema,
)
from service.api.schemas.tournaments import PairsQuerySchema, PairsSchema
from service.api.schemas.views import GamesSchema
from service.api.serving import games
from service.projections import collusion, leaderboards, plots
from service.projections.leaderboards import scope_called
from service.projections.listing import ALL, SETTLED, Listing
from service.projections.ratings import account_id
from service.projections.standing import OVERALL

blueprint = Blueprint("ratings", __name__, url_prefix="/v1",
                      description="Ratings and leaderboards, computed from finished games.")
DRAWN = 500  # games in a plot at most
COMPARISONS = collusion.Comparisons(aside)


@blueprint.operation("GET /leaderboards", "listLeaderboards", [], 503)
@blueprint.brief(LeaderboardsSchema, "The leaderboards.")
def list_leaderboards():
    """List the leaderboards

    One for all games, and one for each board that can be played."""
    ledger, scopes = Listing(games().redis), leaderboards.scopes(games().store)
    rows = [{"board": scope, "players": ledger.how_many(ALL, scope),
             "settled": ledger.how_many(SETTLED, scope)} for scope in scopes]
    return brief_answer(answer_page(rows))


@blueprint.operation("GET /leaderboards/<string:leaderboard>", "getLeaderboard", [], 404, 503,
                     query=LeaderboardQuerySchema)
@blueprint.brief(LeaderboardSchema, "A page of the leaderboard.")
def get_leaderboard(query: dict, leaderboard: str):
    """Get a leaderboard

    Players by `rating`, which is mu - 3 sigma of the Plackett-Luce model, so a well-proven player
    ranks higher. A game counts within seconds of its end if two or more different players played it
    to a result, in public or in a tournament. Not rated are forks, imports, games with a chosen
    seed, and games in which two seats belong to one account or owner: a person and their own bots,
    two bots of one owner, two copies of a built-in bot. Games of duplicate deals count once the
    last game of the deal is over. docs/ratings.md has the details. Send `next` as `after` until it
    is null. Players who move in between may appear twice or not at all."""
    return brief_answer(answer_page(*leaderboards.leaderboard(
        games().redis, scope_called(games().store, leaderboard), provisional=query["provisional"],
        before=query.get("after"), limit=query["limit"])))


@blueprint.operation("GET /seasons", "listSeasons", [], 503)
@blueprint.brief(SeasonsSchema, "The seasons.")
def list_seasons():
    """List the seasons

    The months (UTC) with rated games, latest first."""
    return brief_answer(answer_page(leaderboards.seasons(games().redis)))


@blueprint.operation("GET /seasons/<string:season>/leaderboards/<string:leaderboard>",
                     "getSeasonLeaderboard", [], 404, 503, query=LeaderboardQuerySchema)
@blueprint.brief(SeasonLeaderboardSchema, "A page of the leaderboard.")
def get_season_leaderboard(query: dict, season: str, leaderboard: str):
    """Get the leaderboard of a season

    The players of that month, by their `rating` after their last game in it. Ratings carry over
    from season to season. Once the season is `final`, the answer may be cached for a day. Send
    `next` as `after` until it is null."""
    redis = games().redis
    found = leaderboards.season(redis, season)
    scope = scope_called(games().store, leaderboard)
    shown = brief_answer(answer_page(*leaderboards.leaderboard(
        redis, f"{season}/{scope}", provisional=query["provisional"], before=query.get("after"),
        limit=query["limit"]), **found))
    if found["final"]:
        shown.headers |= DAILY
    return shown


@blueprint.operation("GET /players/<string:player>", "getPlayer", [], 404, 503,
                     query=PlayerPageQuerySchema)
@blueprint.brief(PlayerPageSchema, "The player.")
def get_player(query: dict, player: str):
    """Get a player

    The public page of an account: name, bot name or owner, ratings, and latest rated games. All
    accounts of a built-in bot are rated as one player. Each version of an external bot is rated
    separately; you get the version that played last, unless you name another."""
    account = accounts.get(games().redis, player)
    return brief_answer(answer(account.as_json() | leaderboards.page_of(
        games().store, account.player, query.get("version"))))


@blueprint.operation("GET /players/<string:player>/opponents", "listOpponents", [], 404, 503,
                     query=OpponentsQuerySchema)
@blueprint.brief(OpponentsSchema, "A page of opponents.")
def list_opponents(query: dict, player: str):
    """List a player's opponents

    The opponents of a player in the public games that count for statistics, and how often each
    ranked higher, over all boards and by board. Other players at the table and versions do not
    matter. Send `next` as `after` until it is null."""
    return brief_answer(answer_page(*leaderboards.opponents_of(
        games().redis, accounts.get(games().redis, player).player, query.get("after"),
        query["limit"])))


@blueprint.operation("GET /players/<string:player>/against/<string:opponent>", "getRecordAgainst",
                     [], 404, 503)
@blueprint.brief(HeadToHeadSchema, "The record.")
def get_record_against(player: str, opponent: str):
    """Get a player's record against another

    As in `listOpponents`; all counts are 0 if the two have not met. `listGamesAgainst` has the
    games."""
    redis = games().redis
    one, other = (accounts.get(redis, name).player for name in (player, opponent))
    return brief_answer(answer(leaderboards.record_against(redis, one, other)))


@blueprint.operation("GET /players/<string:player>/against/<string:opponent>/games",
                     "listGamesAgainst", [], 404, 503, query=GamesAgainstQuerySchema)
@blueprint.brief(GamesSchema, "A page of games.")
def list_games_against(query: dict, player: str, opponent: str):
    """List the games of two players

    The games that `getRecordAgainst` counts, latest end first. Send `next` as `after` until it is
    null."""
    store = games().store
    one, other = (accounts.get(store.redis, name).player for name in (player, opponent))
    return brief_answer(answer_page(*leaderboards.games_against(
        store, one, other, query.get("after"), query["limit"])))


@blueprint.operation("GET /players/<string:player>/pairs", "listPlayerPairs", [], 404, 503,
                     query=PairsQuerySchema)
@blueprint.brief(PairsSchema, "The pairs.")
def list_player_pairs(query: dict, player: str):
    """Check a player's rated games for collusion

    For every account that shared at least two rated games, or deals, with the player lately:
    whether one of them did better against, or next to, the other than chance explains, as
    `listTournamentPairs` has it for tournaments. A suspect is a reason to look at the games, not
    proof. docs/ratings.md says which games are compared."""
    account = account_id(accounts.get(games().redis, player).player)
    return brief_answer(answer_page(
        COMPARISONS.of(games().store, account)[:query["limit"]]))


@blueprint.operation("GET /players/<string:player>/ratings", "listRatings", [], 404, 503,
                     query=RatingsQuerySchema)
@blueprint.brief(RatedGamesSchema, "A page of rated games.")
def list_ratings(query: dict, player: str):
    """List a player's rated games

    Latest first, with the rating before and after each game, over all boards or on one. A game that
    is not listed was not rated. Send `next` as `after` until it is null."""
    store = games().store
    rated, scope = accounts.get(store.redis, player).player, scope_called(store, query["board"])
    return brief_answer(answer_page(*leaderboards.games_of(
        store, rated, query.get("version"), scope, query.get("after"), query["limit"])))


@blueprint.operation("GET /players/<string:player>/ratings.svg", "getRatingPlot", [], 404, 503,
                     query=RatingPlotQuerySchema)
@blueprint.brief({"type": "string"}, "The plot.", content_type=SVG)
def get_rating_plot(query: dict, player: str):
    """Get a plot of a player's rating

    The rating, and mu plus and minus sigma, after each of the latest 500 rated games."""
    scope = scope_called(games().store, query["board"])
    account = accounts.get(games().redis, player)
    rows, more = leaderboards.games_of(
        games().store, account.player, query.get("version"), scope, None, DRAWN)
    of = "all boards" if scope == OVERALL else games().store.boards[scope].name
    return brief_answer(answer_picture(
        plots.rating(account.name, of, rows[::-1], more is not None)))
