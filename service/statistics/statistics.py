"""The sums over published games that the API shows as statistics: results of players, routes and
tickets."""

from typing import Annotated, TypedDict

import sqlalchemy as sa

from domain import facts
from domain.described import Page, Positive
from domain.game.state import State
from service.games.store import LoadedGame
from service.records.sums import Sums
from service.records.tables import board_total, player_total, route_total, ticket_total

PERSON = "person"


class PlayerStatistics(TypedDict):
    """The results of one kind of player on a board, with a given number of seats."""

    seats: Annotated[int, {"minimum": 2}, "The number of seats in these games."]
    player: Annotated[
        str, "A built-in bot's name; `external` for all other bots; `person` for people."
    ]
    played: Annotated[
        Positive, "The number of seats that such players had; two seats in one game count twice."
    ]
    won: Annotated[int, "The number of seats with rank 1, alone or shared."]
    mean_score: Annotated[float, "The mean total."]
    tickets_completed: Annotated[float, "The share of kept tickets that were completed."]


class BotStatistics(PlayerStatistics):
    """The results of one kind of player on one board, with a given number of seats."""

    board: Annotated[str, "The board's id."]


BotsStatistics = Page(
    "BotsStatistics", BotStatistics, "Results by kind of player, board and number of seats."
)


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
        float,
        "The mean of the turns in which it was claimed, counted for each seat; 1 is a "
        "seat's first turn.",
    ]


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


class Statistics(Sums):
    """The sums, as the recorder keeps them."""

    tables = (board_total, player_total, ticket_total, route_total)

    def add_game(self, over: LoadedGame) -> None:
        state, board = over.state, over.state.board
        self.add(board_total, (board.id, len(state.players)), 1)
        for seat in state.seats:
            result, kind = state.results[seat], kind_of_player(state, seat)
            kept = len(state.tickets[seat] + state.removed[seat])
            self.add(
                player_total,
                (board.id, len(state.players), kind),
                1,
                result["rank"] == 1,
                result["total"],
                result["tickets_completed"],
                kept,
            )
        for row in facts.tickets(state):
            self.add(ticket_total, (board.id, row["ticket"]), 1, row["is_completed"])
        for row in facts.claims(state, over.pace):
            is_won = state.results[row["seat"]]["rank"] == 1
            self.add(route_total, (board.id, row["route"]), 1, is_won, row["turn"])


def kind_of_player(state: State, seat: int) -> str:
    """Return the kind of a seat's player: a built-in bot's name, ``external`` or ``person``."""
    player = state.players[seat]
    return (player.bot if player else None) or PERSON


def mean(total: int, count: int) -> float:
    """Return a mean or a share as the API shows it, 0 if the count is 0."""
    return round(total / count, 4) if count else 0.0


def players_by_seats(db: sa.Connection) -> list[BotStatistics]:
    """Return the results of each kind of player, by board and number of seats."""
    rows = sa.select(player_total).order_by(*player_total.primary_key)
    return [{**_of_kind(row), "board": row.board} for row in db.execute(rows)]


def _of_kind(row: sa.Row) -> PlayerStatistics:
    return {
        "seats": row.seats,
        "player": row.kind,
        "played": row.played,
        "won": row.won,
        "mean_score": mean(row.points, row.played),
        "tickets_completed": mean(row.completed, row.kept),
    }


def board_statistics(db: sa.Connection, board: str) -> BoardStatistics:
    """Return the statistics of a board, the most frequent routes and tickets first."""
    games = db.execute(
        sa.select(board_total.c.seats, board_total.c.games)
        .where(board_total.c.board == board)
        .order_by(board_total.c.seats)
    ).all()
    players = (
        sa.select(player_total)
        .where(player_total.c.board == board)
        .order_by(*player_total.primary_key)
    )
    routes, tickets = (
        db.execute(
            sa.select(table).where(table.c.board == board).order_by(frequent.desc(), table.c[name])
        )
        for table, frequent, name in (
            (route_total, route_total.c.claimed, "route"),
            (ticket_total, ticket_total.c.kept, "ticket"),
        )
    )
    total = sum(row.games for row in games)
    return {
        "board": board,
        "games": total,
        "by_seats": [{"seats": row.seats, "games": row.games} for row in games],
        "players": [*map(_of_kind, db.execute(players))],
        "routes": [
            {
                "route": row.route,
                "claimed": row.claimed,
                "share": mean(row.claimed, total),
                "by_winners": row.won,
                "mean_turn": mean(row.turns, row.claimed),
            }
            for row in routes
        ],
        "tickets": [
            {"ticket": row.ticket, "kept": row.kept, "completed": row.completed} for row in tickets
        ],
    }
