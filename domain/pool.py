"""Who of those that are ready for a game meets whom: pure, from what is known of them.

Whoever has played less today goes first. Opponents are near in rating, and others than last time: a
meeting today counts as ``REPEAT`` more of a distance. Two who are within ``REACH`` meet at once;
whoever has waited for ``PATIENCE`` meets whoever is nearest. Then a built-in bot sits in where
nobody else is near: it counts as being ``REACH`` further away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from domain.board.board import Board

REACH = 4.0  # of mu: less than one standard deviation of how well somebody plays
REPEAT = 2.0  # of mu, for each time that two have met today
PATIENCE = 10_000  # milliseconds


@dataclass(frozen=True)
class Ready:
    """Somebody who is ready, with what they would play; ``games`` are those of today, ``room`` for
    how many more at once, ``waited`` milliseconds. A built-in bot is ready for anything."""

    id: str
    rating: float
    owner: str = ""
    boards: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    clocks: tuple[str, ...] = ()
    games: int = 0
    room: int = 0
    waited: int = 0
    playing: frozenset[str] = field(default_factory=frozenset)  # with whom, now
    is_built_in: bool = False


@dataclass(frozen=True)
class Table:
    """Who plays what; ``is_duplicate``: the same deal once from each seat."""

    board: str
    clock: str
    players: tuple[Ready, ...]
    is_duplicate: bool

    @property
    def distance(self) -> float:
        """How far the ratings of the players are apart."""
        ratings = [player.rating for player in self.players]
        return max(ratings) - min(ratings)


Meetings = Mapping[tuple[str, str], int]  # (of two, the lower first) -> how often they met today


def pair(one: str, other: str) -> tuple[str, str]:
    """Return what two are known by."""
    return (one, other) if one < other else (other, one)


def tables(
    ready: Sequence[Ready], built_in: Sequence[Ready], met: Meetings, boards: Mapping[str, Board]
) -> Iterator[Table]:
    """Yield the tables that can be played now, each of those who are ready at one at most."""
    free = sorted((one for one in ready if one.room),
                  key=lambda one: (one.games, -one.waited, one.id))
    seated: set[str] = set()
    for one in free:
        if one.id in seated:
            continue
        others = [other for other in free if other.id not in seated and may_meet(one, other)]
        if one.waited >= PATIENCE:
            others += built_in
        if table := _best(one, others, met, boards):
            seated |= {player.id for player in table.players}
            yield table


def may_meet(one: Ready, other: Ready) -> bool:
    """Return whether two may sit at a table: no two of one owner, nor who are at one already."""
    return one.owner != other.owner and other.id not in one.playing


def _best(
    one: Ready, others: Sequence[Ready], met: Meetings, boards: Mapping[str, Board]
) -> Table | None:
    """Return the table at which somebody's company is nearest, None if there is none yet."""
    near = sorted((_cost(one, other, met), other.id, other) for other in others)
    if one.waited < PATIENCE:
        near = [row for row in near if row[0] <= REACH]
    found = []
    for seats in one.seats:
        if table := _table(one, seats, [other for _, _, other in near], boards):
            company = [_cost(one, other, met) for other in table.players[1:]]
            found.append((sum(company) / len(company), seats, table))
    return min(found, key=lambda row: row[:2])[2] if found else None


def _cost(one: Ready, other: Ready, met: Meetings) -> float:
    distance = abs(one.rating - other.rating) + REACH * other.is_built_in
    return distance + REPEAT * met.get(pair(one.id, other.id), 0)


def _table(
    one: Ready, seats: int, near: Sequence[Ready], boards: Mapping[str, Board]
) -> Table | None:
    """Return the table of somebody and the nearest who would play the same with so many seats."""
    players = [one]
    on = [name for name in one.boards if name in boards and seats in boards[name].players]
    clocks = list(one.clocks)
    for other in near:
        if len(players) == seats:
            break
        if other.is_built_in:
            players.append(other)
            continue
        common = [name for name in on if name in other.boards]
        in_time = [name for name in clocks if name in other.clocks]
        if (common and in_time and seats in other.seats
                and all(may_meet(player, other) for player in players)):
            players.append(other)
            on, clocks = common, in_time
    if len(players) < seats or not on:
        return None
    people = [player for player in players if not player.is_built_in]
    return Table(on[one.games // seats % len(on)], clocks[0], tuple(players),
                 all(player.room >= seats for player in people))
