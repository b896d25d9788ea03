"""What each two players have played against each other, and how long players take to decide."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import sqlalchemy as sa

from domain.game.pace import TIMED_OUT, counted, time_at
from domain.game.state import State
from service.accounts.versions import account_id, version_id
from service.eventlog.pages import page_of
from service.games.store import LoadedGame
from service.ratings.answers import HeadToHeadCounts, Pace, Record
from service.records.sums import Sums
from service.records.tables import pace_total, versus

ALL_BOARDS = ""  # in ``versus``


class Opponents(Sums):
    """The sums over published games that a player's page shows."""

    tables = (pace_total, versus)

    def add_game(self, over: LoadedGame) -> None:
        for seat, player in enumerate(over.state.players):
            if player:
                for place, count in counted(over.pace, seat).items():
                    self.add(pace_total, (version_id(player), place), count)
        self._add_pairs(over.state)

    def _add_pairs(self, state: State) -> None:
        """Add each two players; leave out one with two seats, as copies of a built-in bot are."""
        names = [account_id(player) for player in state.players if player]
        once = [(name, seat) for seat, name in enumerate(names) if names.count(name) == 1]
        for (one, a), (other, b) in combinations(once, 2):
            first, second = state.results[a], state.results[b]
            is_ahead, is_behind = first["rank"] < second["rank"], first["rank"] > second["rank"]
            is_played = state.left[a] is None and state.left[b] is None
            margin = first["total"] - second["total"] if is_played else 0
            for board in (ALL_BOARDS, state.board.id):
                self.add(versus, (one, other, board), 1, is_ahead, is_behind, is_played, margin)
                self.add(versus, (other, one, board), 1, is_behind, is_ahead, is_played, -margin)


def opponents(
    db: sa.Connection, player: str, before: str | None, limit: int
) -> tuple[list[tuple[str, Record]], str | None]:
    """Return a page of the opponents of a player, each with the record against them, the most often
    met first, and the cursor of the next page, None at the end. A cursor is "GAMES.OPPONENT"."""
    place = versus.c.games, versus.c.opponent
    met = sa.select(*place).where(versus.c.player == player, versus.c.board == ALL_BOARDS)
    if before:
        games, _, opponent = before.partition(".")
        met = met.where(sa.tuple_(*place) < sa.tuple_(int(games), opponent))
    rows = db.execute(met.order_by(*(column.desc() for column in place)).limit(limit + 1)).all()
    page, cursor = page_of(rows, limit, lambda row: f"{row.games}.{row.opponent}")
    records = against(db, player, [row.opponent for row in page])
    return [(row.opponent, records[row.opponent]) for row in page], cursor


def against(db: sa.Connection, player: str, opponents: Sequence[str]) -> dict[str, Record]:
    """Return a player's records against those of these opponents that they have met."""
    records: dict[str, Record] = {}
    for row in db.execute(
        sa.select(versus)
        .where(versus.c.player == player, versus.c.opponent.in_(opponents))
        .order_by(versus.c.opponent, versus.c.board)
    ):  # all boards together come first
        if row.board == ALL_BOARDS:
            records[row.opponent] = {**_shown(row), "boards": []}
        else:
            records[row.opponent]["boards"].append({**_shown(row), "board": row.board})
    return records


def have_played(db: sa.Connection, player: str, opponent: str) -> bool:
    """Return whether two players have played a game with each other to its end."""
    key = versus.c.player == player, versus.c.opponent == opponent, versus.c.board == ALL_BOARDS
    return bool(db.scalar(sa.select(versus.c.played).where(*key)))


def _shown(row: sa.Row) -> HeadToHeadCounts:
    shown: HeadToHeadCounts = {
        "games": row.games,
        "wins": row.won,
        "draws": row.games - row.won - row.lost,
        "losses": row.lost,
    }
    if row.played:
        shown["margin"] = round(row.margin / row.played, 4)
    return shown


def conduct(db: sa.Connection, player: str) -> Pace | None:
    """Return how long a player takes to decide, None without decisions."""
    times = dict(
        db.execute(
            sa.select(pace_total.c.place, pace_total.c.decisions).where(
                pace_total.c.player == player
            )
        ).all()
    )
    late = times.pop(TIMED_OUT, 0)
    decisions = sum(times.values())
    if not decisions:
        return None
    return {
        "decisions": decisions + late,
        "timeouts": late,
        "latency": {
            "median": _share(times, decisions * 0.5),
            "p95": _share(times, decisions * 0.95),
        },
    }


def _share(times: Mapping[int, int], share: float) -> int:
    """Return the time in milliseconds that ``share`` of the decisions did not exceed."""
    for place in sorted(times):
        share -= times[place]
        if share <= 0:
            break
    return time_at(place)
