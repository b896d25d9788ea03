"""Answers about ratings."""

from typing import Annotated, NotRequired, TypedDict

from domain.described import AllOf, Page, Positive, Time
from domain.game.commands import PlayerJson
from domain.skill import PROVEN
from service.accounts.accounts import Account
from service.games.strengths import OVERALL, Rating
from service.ratings.standing import SETTLED_GAMES, SETTLED_SIGMA


class Proven(Rating):
    """A rating and the games behind it."""

    games: Annotated[Positive, "The number of rated games."]
    wins: Annotated[int, "The number of games with rank 1, alone or shared."]
    provisional: Annotated[
        bool,
        f"Whether the rating is uncertain: fewer than {SETTLED_GAMES} rated games, sigma "
        f"above {SETTLED_SIGMA:g}, or games against proven players, such as built-in bots, that "
        f"weigh less than {PROVEN:g} in total.",
    ]
    last_played: Annotated[Time, "When the latest of these games counted."]


class RankedPlayer(Proven):
    """A player on a leaderboard."""

    rank: Annotated[Positive, "The rank; 1 is the strongest, and equal ratings share a rank."]
    player: Annotated[PlayerJson, "The player. All copies of a built-in bot are one player."]
    owner_name: NotRequired[Annotated[str, "The owner's name, for an external bot."]]


Leaderboard = Page(
    "Leaderboard", RankedPlayer, "A page of a leaderboard.", "The players, highest rating first."
)


class ListedLeaderboard(TypedDict):
    """A leaderboard."""

    board: Annotated[str, f"A board's id, or `{OVERALL}`."]
    players: Annotated[int, "The number of players on it."]
    settled: Annotated[int, "The number of players whose rating is not provisional."]


Leaderboards = Page("Leaderboards", ListedLeaderboard, "The leaderboards.")


class PlayersRating(Proven):
    """A player's rating and rank."""

    board: Annotated[str, f"A board's id, or `{OVERALL}` for all games."]
    version: NotRequired[Annotated[str, "The player's version that has this rating."]]
    rank: Annotated[Positive, "The rank among all players of the leaderboard."]


class Opponent(TypedDict):
    """Another player of the game."""

    player: Annotated[PlayerJson, "The player."]
    rank: Annotated[Positive, "Their final rank."]


class RatedGameJson(TypedDict):
    """A rated game of a player."""

    game: Annotated[str, "The game's id."]
    board: Annotated[str, "The board's id."]
    at: Annotated[
        Time,
        "When it counted: at its end; for a duplicate deal, at the end of the deal's last game.",
    ]
    rank: Annotated[Positive, "The player's final rank."]
    opponents: Annotated[list[Opponent], "The other players, in seat order."]
    before: Annotated[Rating, "The player's rating before the game."]
    after: Annotated[Rating, "The player's rating after the game."]
    weight: Annotated[
        float,
        "How much the game counted for the player, 0 to 1. It is lower against unproven "
        "opponents, and against opponents met often this month.",
    ]
    deal_rank: NotRequired[
        Annotated[
            Positive,
            "The player's rank over all games of the deal, if these are rated as one result "
            "in this game; the other games of the deal have weight 0.",
        ]
    ]


RatedGames = Page(
    "RatedGames", RatedGameJson, "A page of a player's rated games.", "The games, latest first."
)


class Endings(TypedDict):
    """How a player's games ended; counts only games that could be rated."""

    finished: Annotated[int, "Games played to the end, or until all others had left."]
    resigned: Annotated[int, "Games that the player resigned."]
    timed_out: Annotated[int, "Games in which the player's time ran out."]
    aborted: Annotated[int, "Games that were aborted after the player had seen tickets."]


class HeadToHeadCounts(TypedDict):
    """A player's record against another."""

    games: Annotated[int, "The number of games."]
    wins: Annotated[int, "Games in which the player ranked higher."]
    draws: Annotated[int, "Games in which they shared a rank."]
    losses: Annotated[int, "Games in which the other ranked higher."]
    margin: NotRequired[
        Annotated[
            float,
            "The player's total minus the other's, averaged over the games that neither left; "
            "missing without such a game.",
        ]
    ]


class BoardHeadToHead(HeadToHeadCounts):
    """A player's record against another on one board."""

    board: Annotated[str, "The board's id."]


class Record(HeadToHeadCounts):
    """A player's record against another, overall and by board."""

    boards: Annotated[list[BoardHeadToHead], "By board."]


class HeadToHead(Record):
    """A player's record against another, overall and by board, in games with any other players."""

    player: Annotated[PlayerJson, "The other player."]


Opponents = Page(
    "Opponents", HeadToHead, "A page of a player's opponents.", "The opponents, most games first."
)


class Latency(TypedDict):
    """The time that a player takes to decide, in milliseconds, rounded to a tenth of its value."""

    median: Annotated[Positive, "The median."]
    p95: Annotated[Positive, "The 95th percentile."]


class Pace(TypedDict):
    """How long a player takes to decide."""

    decisions: Annotated[Positive, "The number of decisions that the player had to make."]
    timeouts: Annotated[int, "The number of decisions for which the time ran out."]
    latency: Annotated[
        Latency,
        "The time from when a decision was due to when the action arrived, minus the "
        "service's downtime in games with a clock; without decisions that timed out.",
    ]


class Conduct(Pace):
    """A player's conduct in public games that were played to a result."""

    faults: Annotated[
        int,
        "The number of the player's actions that were refused, in any game and by any "
        "version, except those that only came too late.",
    ]


class VersionRating(Proven):
    """The overall rating of a version of a player."""

    version: NotRequired[Annotated[str, "The version; missing for games played without one."]]


class PlayerRatings(TypedDict):
    """The ratings and statistics of a player."""

    versions: NotRequired[
        Annotated[
            list[str],
            "Versions with rated games, in alphabetical order, at most 100; missing if "
            "there are none.",
        ]
    ]
    version_ratings: NotRequired[
        Annotated[
            list[VersionRating],
            "The overall rating of each of these versions after its last game, "
            "and of games without a version.",
        ]
    ]
    conduct: NotRequired[
        Annotated[Conduct, "The player's conduct; missing before the first decision."]
    ]
    ratings: Annotated[
        list[PlayersRating],
        "The player's ratings, overall and for each board they played; empty without a rated game.",
    ]
    endings: Annotated[Endings, "How the player's games ended, including games that they left."]
    recent: Annotated[
        list[RatedGameJson], "The latest rated games, at most ten, with the overall rating."
    ]


PlayerPage = AllOf("PlayerPage", "The public page of a player.", (Account, PlayerRatings))
