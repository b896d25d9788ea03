"""The sums over published games: results of players, routes and tickets, how long players took to
decide, and what each two players have played against each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Annotated, TypedDict

import sqlalchemy as sa

from domain import facts
from domain.codec import Json
from domain.described import Page, Positive
from domain.game.pace import LATE, counted, time_at
from domain.game.state import State
from service.records.rating_answers import HeadToHeadCounts, Pace, Record
from service.records.rating_rules import account_id, rated_id
from service.store.games import LoadedGame
from service.store.pages import page_of
from service.store.sql.database import add, add_up
from service.store.sql.tables import (
    board_total,
    pace_total,
    player_total,
    route_total,
    ticket_total,
    versus,
)

TABLES = (board_total, player_total, ticket_total, route_total, pace_total, versus)
ALL_BOARDS = ""  # in ``versus``
PERSON = "person"


class PlayerStatistics(TypedDict):
    """The results of one kind of player on a board, with a given number of seats."""

    seats: Annotated[int, {"minimum": 2}, "The number of seats in these games."]
    player: Annotated[
        str, "A built-in bot's name; `external` for all other bots; `person` for people."]
    played: Annotated[
        Positive, "The number of seats that such players had; two seats in one game count twice."]
    won: Annotated[int, "The number of seats with rank 1, alone or shared."]
    mean_score: Annotated[float, "The mean total."]
    tickets_completed: Annotated[float, "The share of kept tickets that were completed."]


class BotStatistics(PlayerStatistics):
    """The results of one kind of player on one board, with a given number of seats."""

    board: Annotated[str, "The board's id."]


BotsStatistics = Page(
    "BotsStatistics", BotStatistics, "Results by kind of player, board and number of seats.")


class GamesBySeats(TypedDict):
    """The number of games with a given number of seats."""

    seats: Annotated[int, {"minimum": 2}, "The number of seats."]
    games: Annotated[Positive, "The number of games."]


class RouteStatistics(TypedDict):
    """How often a route was claimed, by whom, and how early."""

    route: Annotated[str, "The route's id."]
    claimed: Annotated[Positive, "The number of games in which it was claimed."]
    share: Annotated[float, "The share of all games on the board."]
    by_winners: Annotated[int, "In how many of these by a seat with rank 1."]
    mean_turn: Annotated[
        float, "The mean of the turns in which it was claimed, counted for each seat; 1 is a "
        "seat's first turn."]


class TicketStatistics(TypedDict):
    """How often a ticket was kept and completed."""

    ticket: Annotated[str, "The ticket's id."]
    kept: Annotated[Positive, "How often it was kept."]
    completed: Annotated[int, "How often it was completed."]


class BoardStatistics(TypedDict):
    """Statistics of the finished games on a board."""

    board: Annotated[str, "The board's id."]
    games: Annotated[int, "The number of games."]
    by_seats: Annotated[list[GamesBySeats], "The number of games, by number of seats."]
    players: Annotated[list[PlayerStatistics], "Results by kind of player."]
    routes: Annotated[list[RouteStatistics], "Claimed routes, most frequent first."]
    tickets: Annotated[list[TicketStatistics], "Kept tickets, most frequent first."]


class Sums:
    """Rows of the tables of sums: table -> key -> numbers, both in the order of its columns."""

    def __init__(self) -> None:
        self.rows: dict[sa.Table, dict[tuple, list[int]]] = {table: {} for table in TABLES}

    def add(self, table: sa.Table, key: tuple, *numbers: int) -> None:
        """Add numbers to those of a row."""
        row = self.rows[table].setdefault(key, [0] * len(numbers))
        for place, more in enumerate(numbers):
            row[place] += more

    def of(self, table: sa.Table) -> list[Json]:
        """Return the rows of a table, by name of column."""
        names = table.columns.keys()
        return [dict(zip(names, (*key, *row), strict=True))
                for key, row in self.rows[table].items()]


def add_game(db: sa.Connection, over: LoadedGame) -> None:
    """Add a published game to all sums."""
    sums = sums_of([over])
    for table in TABLES:
        add_up(db, table, sums.of(table))


def sums_of(games: Iterable[LoadedGame]) -> Sums:
    """Return what published games add up to."""
    sums = Sums()
    for over in games:
        _add_seats(sums, over)
        _add_pairs(sums, over.state)
    return sums


def _add_seats(sums: Sums, over: LoadedGame) -> None:
    state, board = over.state, over.state.board
    sums.add(board_total, (board.id, len(state.players)), 1)
    for seat in state.seats:
        result, kept = state.results[seat], state.tickets[seat] + state.removed[seat]
        sums.add(player_total, (board.id, len(state.players), kind_of_player(state, seat)),
                 1, result["rank"] == 1, result["total"], result["tickets_completed"], len(kept))
        if player := state.players[seat]:
            for place, count in counted(over.pace, seat).items():
                sums.add(pace_total, (rated_id(player), place), count)
    for row in facts.tickets(state):
        sums.add(ticket_total, (board.id, row["ticket"]), 1, row["is_completed"])
    for row in facts.claims(state, over.pace):
        is_won = state.results[row["seat"]]["rank"] == 1
        sums.add(route_total, (board.id, row["route"]), 1, is_won, row["turn"])


def _add_pairs(sums: Sums, state: State) -> None:
    """Add each two players against each other. A player with two seats, as two copies of a built-in
    bot are, is left out."""
    names = [account_id(player) for player in state.players if player]
    once = [(name, seat) for seat, name in enumerate(names) if names.count(name) == 1]
    for (one, a), (other, b) in combinations(once, 2):
        first, second = state.results[a], state.results[b]
        is_ahead, is_behind = first["rank"] < second["rank"], first["rank"] > second["rank"]
        is_played = state.left[a] is None and state.left[b] is None
        margin = first["total"] - second["total"] if is_played else 0
        for board in (ALL_BOARDS, state.board.id):
            sums.add(versus, (one, other, board), 1, is_ahead, is_behind, is_played, margin)
            sums.add(versus, (other, one, board), 1, is_behind, is_ahead, is_played, -margin)


def kind_of_player(state: State, seat: int) -> str:
    """Return the kind of a seat's player: a built-in bot's name, ``external`` or ``person``."""
    player = state.players[seat]
    return (player.bot if player else None) or PERSON


def stored_sums(db: sa.Connection) -> Sums:
    """Return all rows of the tables, to be compared with ``sums_of`` all published games."""
    sums = Sums()
    for table in TABLES:
        keys = len(table.primary_key)
        for row in db.execute(sa.select(table)):
            sums.add(table, row[:keys], *row[keys:])
    return sums


def replace(db: sa.Connection, sums: Sums) -> None:
    """Replace all rows of the tables."""
    for table in TABLES:
        db.execute(sa.delete(table))
        add(db, table, sums.of(table))


# For the API


def mean(total: int, count: int) -> float:
    """Return a mean or a share as the API shows it, 0 if the count is 0."""
    return round(total / count, 4) if count else 0.0


def players_by_seats(db: sa.Connection) -> list[BotStatistics]:
    """Return the results of each kind of player, by board and number of seats."""
    rows = sa.select(player_total).order_by(*player_total.primary_key)
    return [{**_of_kind(row), "board": row.board} for row in db.execute(rows)]


def _of_kind(row: sa.Row) -> PlayerStatistics:
    return {"seats": row.seats, "player": row.kind, "played": row.played, "won": row.won,
            "mean_score": mean(row.points, row.played),
            "tickets_completed": mean(row.completed, row.kept)}


def board_statistics(db: sa.Connection, board: str) -> BoardStatistics:
    """Return the statistics of a board: games by number of seats, routes and tickets, the most
    frequent first."""
    games = db.execute(sa.select(board_total.c.seats, board_total.c.games)
                       .where(board_total.c.board == board).order_by(board_total.c.seats)).all()
    players = sa.select(player_total).where(player_total.c.board == board).order_by(
        *player_total.primary_key)
    routes, tickets = (
        db.execute(sa.select(table).where(table.c.board == board)
                   .order_by(frequent.desc(), table.c[name]))
        for table, frequent, name in ((route_total, route_total.c.claimed, "route"),
                                      (ticket_total, ticket_total.c.kept, "ticket")))
    total = sum(row.games for row in games)
    return {
        "board": board,
        "games": total,
        "by_seats": [{"seats": row.seats, "games": row.games} for row in games],
        "players": [*map(_of_kind, db.execute(players))],
        "routes": [{"route": row.route, "claimed": row.claimed, "share": mean(row.claimed, total),
                    "by_winners": row.won, "mean_turn": mean(row.turns, row.claimed)}
                   for row in routes],
        "tickets": [{"ticket": row.ticket, "kept": row.kept, "completed": row.completed}
                    for row in tickets]}


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
    records = _against(db, player, [row.opponent for row in page])
    return [(row.opponent, records[row.opponent]) for row in page], cursor


def against(db: sa.Connection, player: str, opponent: str) -> Record | None:
    """Return a player's record against another, None if they have not met."""
    return _against(db, player, [opponent]).get(opponent)


def _against(db: sa.Connection, player: str, opponents: Sequence[str]) -> dict[str, Record]:
    """Return a player's records against these opponents, over all and by board."""
    records: dict[str, Record] = {}
    for row in db.execute(
            sa.select(versus).where(versus.c.player == player, versus.c.opponent.in_(opponents))
            .order_by(versus.c.opponent, versus.c.board)):  # all boards together come first
        if row.board == ALL_BOARDS:
            records[row.opponent] = {**_shown(row), "boards": []}
        else:
            records[row.opponent]["boards"].append({**_shown(row), "board": row.board})
    return records


def _shown(row: sa.Row) -> HeadToHeadCounts:
    shown: HeadToHeadCounts = {"games": row.games, "wins": row.won,
                   "draws": row.games - row.won - row.lost, "losses": row.lost}
    if row.played:
        shown["margin"] = round(row.margin / row.played, 4)
    return shown


def conduct(db: sa.Connection, player: str) -> Pace | None:
    """Return how long a player takes to decide, None without decisions."""
    times = dict(db.execute(sa.select(pace_total.c.place, pace_total.c.decisions)
                            .where(pace_total.c.player == player)).all())
    late = times.pop(LATE, 0)
    decisions = sum(times.values())
    if not decisions:
        return None
    return {"decisions": decisions + late, "timeouts": late, "latency": {
        "median": _share(times, decisions * 0.5), "p95": _share(times, decisions * 0.95)}}


def _share(times: Mapping[int, int], share: float) -> int:
    """Return a quantile of the times of decisions, in milliseconds: ``share`` of them took no
    longer."""
    for place in sorted(times):
        share -= times[place]
        if share <= 0:
            break
    return time_at(place)
