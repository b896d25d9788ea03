"""The port by which other features ask about the strength and the results of players."""

from collections.abc import Iterable, Sequence
from typing import Annotated, TypedDict

from domain.game.clock import Clock
from domain.game.commands import Player
from domain.game.state import State
from domain.skill import Skill
from service.games.store import GameStore

OVERALL = "overall"  # the scope of all games; each board is one, too


class Rating(TypedDict):
    """A rating."""

    rating: Annotated[
        float, "mu - 3 sigma: the player's strength is almost certainly at least this."
    ]
    mu: Annotated[float, "The estimate of the player's strength; everyone starts with 25."]
    sigma: Annotated[float, "The standard deviation of the estimate; 25/3 at the start."]


class Place(Rating):
    """The place of a player among others."""

    games: Annotated[int, "The number of rated games."]
    provisional: Annotated[bool, "Whether the rating is provisional, as on the leaderboard."]


class Strengths:
    """The strengths in a service that does not rate games: all players are equal. A feature puts
    its own in place of these (``Games.strengths``). If they are not known yet, each method that
    asks for one raises RecordsUnavailable."""

    def unrated_because(self, state: State) -> str:
        """Return why a game will not be rated, by what is known so far; empty if it may be."""
        return "no game is rated here"

    def unrated_clock(self, clock: Clock, built_in: Iterable[str]) -> str:
        """Return why no game on a clock against these bots is rated; empty if one may be."""
        return "no game is rated here"

    def overall(self, player: Player) -> float:
        """Return a player's rating over all boards."""
        return 0.0

    def have_played(self, one: str, other: str) -> bool:
        """Return whether two accounts have played a public game with each other to its end."""
        return False

    def mus(self, versions: Sequence[str]) -> list[float]:
        """Return the mu of versions of players over all boards (``service.accounts.versions``)."""
        return [Skill().mu] * len(versions)

    def standings(self, scope: str, players: Sequence[Player]) -> list[tuple[int, Place]]:
        """Return each player's points and place in a scope, which orders by the points."""
        start = Skill()
        return [
            (
                0,
                {
                    "rating": 0.0,
                    "mu": round(start.mu, 4),
                    "sigma": round(start.sigma, 4),
                    "games": 0,
                    "provisional": True,
                },
            )
        ] * len(players)


def scope_called(store: GameStore, name: str) -> str:
    """Return the name of a scope; raise UnknownThing if there is none."""
    return name if name == OVERALL else store.board(name).id
