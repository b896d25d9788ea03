"""Signs of collusion in rated games: whether a player does better, or others leave more often,
where somebody else is at the table (``domain.tournament.collusion``)."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from threading import Lock
from typing import NamedTuple

from domain.chance import Chance
from domain.codec import Json
from domain.tournament.collusion import MAX_TABLES, MIN_TABLES, compared
from domain.tournament.events import SeatResult
from domain.tournament.state import Table
from service.projections.counting import BUILT_IN, account_of
from service.projections.leaderboards import VERSIONS
from service.projections.listing import Listing
from service.projections.standing import OVERALL, RatedGame
from service.store.games import GameStore

OWN = 400  # latest rated games of a player that are compared
COMPANIONS = 10  # others, those met most often, whose games elsewhere are compared, too
ELSEWHERE = 100  # latest rated games of each of them
KEPT, KEPT_FOR = 200, 600.0  # accounts whose pairs are kept, and for how many seconds


class Kept(NamedTuple):
    """Pairs that were asked for: the account's latest rated game then, when that was, and the
    rows, which may be still to come."""

    latest: str
    at: float
    rows: Future[list[Json]]


class Comparisons:
    """Compares the pairs of accounts, one account at a time: that takes most of a second of
    processor time. Its rows are kept until the account has another rated game, ten minutes at most.
    """

    def __init__(self, aside: Callable[..., list[Json]]):
        """``aside`` calls a function with arguments in a thread."""
        self._aside, self._one = aside, Lock()
        self._kept: OrderedDict[str, Kept] = OrderedDict()

    def of(self, store: GameStore, account: str) -> list[Json]:
        """Return a row for each pair of an account, as ``compared_pairs`` has it."""
        latest, now = _latest_id(store, account), time.monotonic()
        kept = self._kept.get(account)
        if kept and kept.latest == latest and now - kept.at < KEPT_FOR:
            return kept.rows.result()
        self._kept[account] = mine = Kept(latest, now, Future())
        self._kept.move_to_end(account)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        try:
            with self._one:
                mine.rows.set_result(self._aside(
                    compared_pairs, account, games_around(store, account)))
        except BaseException as error:
            if self._kept.get(account) is mine:
                del self._kept[account]
            mine.rows.set_exception(error)
            raise
        return mine.rows.result()


def games_around(store: GameStore, account: str) -> list[RatedGame]:
    """Return the latest rated games of an account, and of those that it met most often."""
    listing = Listing(store.redis, store.archive)
    games = _latest(listing, account, OWN)
    for other in companions(account, games.values()):
        games |= _latest(listing, other, ELSEWHERE)
    return [*games.values()]


def companions(account: str, games: Iterable[RatedGame]) -> list[str]:
    """Return the accounts that a player met most often in these games, without built-in bots."""
    met = Counter(other for game in games for other in accounts_of(game)
                  if other != account and not other.startswith(BUILT_IN))
    return [other for other, times in met.most_common(COMPANIONS) if times >= MIN_TABLES]


def compared_pairs(account: str, games: Iterable[RatedGame]) -> list[Json]:
    """Return a row for each pair of a player and another account in these games, the most
    suspicious first."""
    tables = [*_tables(sorted(games, key=lambda game: game.place))]
    chance = Chance(account.encode(), [game for table in tables[-1:] for game in table.games])
    return compared(tables, chance, lambda pair: account in pair and not any(
        one.startswith(BUILT_IN) for one in pair))


def accounts_of(game: RatedGame) -> tuple[str, ...]:
    """Return the accounts of a game's players, by seat."""
    return tuple(account_of(player) for player, _ in game.players)


def _latest(listing: Listing, account: str, limit: int) -> dict[str, RatedGame]:
    """Return the latest rated games of all versions of an account, by id."""
    names = [account, *(f"{account}@{version}" for version in listing.versions(account, VERSIONS))]
    return {game.id: game for game in listing.latest_of(OVERALL, names, limit)}


def _latest_id(store: GameStore, account: str) -> str:
    """Return the latest rated game of the version of an account that has played last."""
    listing = Listing(store.redis, store.archive)
    [player] = listing.last_versions(account, [OVERALL])
    return "".join(game.id for game in listing.games_of(OVERALL, player, None, 1)[0])


def _tables(games: Iterable[RatedGame]) -> Iterator[Table]:
    """Yield the tables of these games, in their order; the games of a deal are one table."""
    by_deal: dict[tuple[str, ...], list[RatedGame]] = {}
    for game in games:
        if not game.was_aborted:
            by_deal.setdefault(game.deal or (game.id,), []).append(game)
    for deal in [*by_deal.values()][-MAX_TABLES:]:
        entrants = accounts_of(deal[0])
        empty = Table(1, entrants, tuple(game.id for game in deal))
        yield Table(1, entrants, empty.games, results=tuple(
            _results(game, empty.seated(rotation)) for rotation, game in enumerate(deal)))


def _results(game: RatedGame, seated: tuple[str, ...]) -> tuple[SeatResult, ...]:
    """Return the results of a game in the order of these accounts. The totals are not known."""
    seats = {account: seat for seat, account in enumerate(accounts_of(game))}
    rows: list[SeatResult] = []
    for account in seated:
        row: SeatResult = {"total": 0, "rank": game.players[seats[account]][1]}
        if left := game.left.get(seats[account]):
            row["left"] = left
        rows.append(row)
    return tuple(rows)
