"""The pool's matchmaking: pairs the players who are ready; pure functions.

Players with fewer games today go first. Opponents should have similar ratings and be new to each
other: each meeting today adds ``MEETING_DISTANCE``. Two players within ``RATING_RANGE`` are paired
at once. After ``MAX_WAIT_MS`` a player is paired with the nearest one. A built-in bot takes the
seat if no player is nearer; its distance counts as ``RATING_RANGE`` more.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from domain.board.board import Board

RATING_RANGE = 4.0  # of mu: less than a standard deviation of a player's performance
MEETING_DISTANCE = 2.0  # of mu, for each meeting of the two today
MAX_WAIT_MS = 10_000  # milliseconds


@dataclass(frozen=True)
class Ready:
    """A player who is ready, and the games that they accept. ``games`` counts today's games,
    ``capacity`` is how many more they can play at once, ``waited`` is in milliseconds. A built-in
    bot accepts any game, except on the boards in ``refused``."""

    id: str
    rating: float
    owner: str = ""
    boards: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    clocks: tuple[str, ...] = ()
    games: int = 0
    capacity: int = 0
    waited: int = 0
    playing: frozenset[str] = field(default_factory=frozenset)  # current opponents
    blocked: frozenset[str] = field(default_factory=frozenset)  # accounts and owners not to meet
    is_built_in: bool = False
    refused: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True)
class Table:
    """A pairing with its game; ``from_each_seat``: one game for each seat, in which the players
    move on by one seat. Each game has its own deal."""

    board: str
    clock: str
    players: tuple[Ready, ...]
    from_each_seat: bool

    @property
    def rating_difference(self) -> float:
        ratings = [player.rating for player in self.players]
        return max(ratings) - min(ratings)


Meetings = Mapping[tuple[str, str], int]  # (two ids, the lower first) -> number of meetings today


def pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def tables(
    ready: Sequence[Ready], built_in: Sequence[Ready], met: Meetings, boards: Mapping[str, Board]
) -> Iterator[Table]:
    """Yield the tables to play now; each ready player is at one table at most."""
    free = sorted(
        (one for one in ready if one.capacity), key=lambda one: (one.games, -one.waited, one.id)
    )
    seated: set[str] = set()
    for one in free:
        if one.id in seated:
            continue
        others = [other for other in free if other.id not in seated and may_meet(one, other)]
        if one.waited >= MAX_WAIT_MS:
            others += built_in
        if table := _best(one, others, met, boards):
            seated |= {player.id for player in table.players}
            yield table


def may_meet(one: Ready, other: Ready) -> bool:
    """Return whether two may share a table: of other owners, in no other game, and not blocked."""
    return (
        one.owner != other.owner
        and other.id not in one.playing
        and one.blocked.isdisjoint((other.id, other.owner))
        and other.blocked.isdisjoint((one.id, one.owner))
    )


def _best(
    one: Ready, others: Sequence[Ready], met: Meetings, boards: Mapping[str, Board]
) -> Table | None:
    near = sorted((_distance(one, other, met), other.id, other) for other in others)
    if one.waited < MAX_WAIT_MS:
        near = [row for row in near if row[0] <= RATING_RANGE]
    near_tables = []
    for seats in one.seats:
        if table := _table(one, seats, [other for _, _, other in near], boards):
            distances = [_distance(one, other, met) for other in table.players[1:]]
            near_tables.append((sum(distances) / len(distances), seats, table))
    return min(near_tables, key=lambda row: row[:2])[2] if near_tables else None


def _distance(one: Ready, other: Ready, met: Meetings) -> float:
    distance = abs(one.rating - other.rating) + RATING_RANGE * other.is_built_in
    return distance + MEETING_DISTANCE * met.get(pair(one.id, other.id), 0)


def _table(
    one: Ready, seats: int, near: Sequence[Ready], boards: Mapping[str, Board]
) -> Table | None:
    players = [one]
    on = [name for name in one.boards if name in boards and seats in boards[name].players]
    clocks = list(one.clocks)
    for other in near:
        if len(players) == seats:
            break
        if other.is_built_in:
            if common := [name for name in on if name not in other.refused]:
                players.append(other)
                on = common
            continue
        common = [name for name in on if name in other.boards]
        in_time = [name for name in clocks if name in other.clocks]
        if (
            common
            and in_time
            and seats in other.seats
            and all(may_meet(player, other) for player in players)
        ):
            players.append(other)
            on, clocks = common, in_time
    if len(players) < seats or not on:
        return None
    people = [player for player in players if not player.is_built_in]
    return Table(
        on[one.games // seats % len(on)],
        clocks[0],
        tuple(players),
        all(player.capacity >= seats for player in people),
    )
