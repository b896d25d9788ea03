"""Check who may enter a tournament that asks for a qualification."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from domain.errors import Refused
from domain.game.commands import Player
from domain.tournament.events import Qualification
from domain.tournament.standings import standings
from domain.tournament.state import FINISHED, Tournament
from service.accounts.accounts import Account
from service.errors import NotQualified
from service.tournaments.tournaments import Tournaments


class Rated(Protocol):
    """A player's overall rating, and the number of their rated games."""

    @property
    def rating(self) -> float: ...
    @property
    def games(self) -> int: ...


Ratings = Callable[[Player], Rated]


def check(
    tournaments: Tournaments, account: Account, asked: Qualification, ratings: Ratings
) -> None:
    """Raise NotQualified, which names all that is missing, unless an account meets every condition.
    Raise Refused while the tournament that decides is not over."""
    decides = tournaments.get(asked["ranked"]["tournament"]).state if "ranked" in asked else None
    if missing := [*_missing(account, asked, decides, ratings(account.player))]:
        raise NotQualified("; ".join(missing))
    if decides and decides.status != FINISHED:
        raise Refused("qualifier-not-over", None,
                      f"{decides.settings.name} ({decides.id}) decides who may enter, and is not "
                      "over yet")


def _missing(
    account: Account, asked: Qualification, decides: Tournament | None, rated: Rated
) -> Iterator[str]:
    """Yield a phrase for each condition that the account does not meet."""
    if rated.games < (least := asked.get("least_games", 0)):
        yield f"entering takes {least} rated games, you have {rated.games}"
    low, high = asked.get("rating_from"), asked.get("rating_to")
    if low is not None and rated.rating < low:
        yield f"entering takes a rating of {low:g} at least, yours is {rated.rating:.2f}"
    if high is not None and rated.rating > high:
        yield f"entering takes a rating of {high:g} at most, yours is {rated.rating:.2f}"
    if decides and decides.status == FINISHED:
        best = asked["ranked"]["best"]
        if not _rank(decides, account.id) <= best:
            yield (f"entering takes rank {best} or better in {decides.settings.name} "
                   f"({decides.id})")


def _rank(state: Tournament, entrant: str) -> float:
    """Return an entrant's rank in a tournament that is over, infinity for one who has none."""
    if entrant in state.disqualified or not state.counted:
        return float("inf")
    return next((row["rank"] for row in standings(state) if row["entrant"] == entrant),
                float("inf"))
