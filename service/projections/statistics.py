"""Count the results of players, routes and tickets in finished games, by board.

``{stats}:boards``  "game BOARD SEATS" -> how many games; "seat BOARD SEATS WHO" -> of the seats of
                    one kind of player how many were played and won, the sums of their points, and
                    how many tickets they completed and kept; "ticket BOARD ID" -> how often it was
                    kept and completed; "route BOARD ID" -> how often it was claimed, how often by a
                    winner, and the sum of the turns of these claims; a seat's first turn is 1
"""

from __future__ import annotations

from collections.abc import Iterator

from redis import Redis

from domain.game.pace import turns_of_claims
from domain.game.state import State
from domain.rules.tickets import completed_tickets
from service.projections.finished import Statistic, mean
from service.store.games import LoadedGame

PERSON = "person"


def adds(game: LoadedGame) -> dict[str, list[int]]:
    """Return what a finished game adds to each row."""
    state, board = game.state, game.state.board
    rows: dict[str, list[int]] = {f"game {board.id} {len(state.players)}": [1]}
    for seat in state.seats:
        result, kept = state.results[seat], state.tickets[seat] + state.removed[seat]
        row = rows.setdefault(
            f"seat {board.id} {len(state.players)} {kind_of_player(state, seat)}", [0] * 5)
        for place, more in enumerate((1, result["rank"] == 1, result["total"],
                                      result["tickets_completed"], len(kept))):
            row[place] += more
        for ticket in kept:
            _ticket(rows, state, ticket)[0] += 1
        for ticket in completed_tickets(state, seat):
            _ticket(rows, state, ticket)[1] += 1
        turns = turns_of_claims(game.pace, seat)
        for route, turn in zip(state.routes[seat], turns, strict=True):
            rows[f"route {board.id} {board.routes[route].id}"] = [
                1, int(result["rank"] == 1), turn]
    return rows


def _ticket(rows: dict[str, list[int]], state: State, ticket: int) -> list[int]:
    return rows.setdefault(f"ticket {state.board.id} {state.board.tickets[ticket].id}", [0, 0])


def kind_of_player(state: State, seat: int) -> str:
    """Return the kind of a seat's player: a built-in bot's name, ``external`` or ``person``."""
    player = state.players[seat]
    return (player.bot if player else None) or PERSON


def players_by_seats(redis: Redis, board: str | None = None) -> list[dict]:
    """Return the results of each kind of player, by board and number of seats."""
    rows = {(words[0], int(words[1]), words[2]): row for kind, words, row in _rows(redis, board)
             if kind == "seat"}
    return [
        {"board": on, "seats": seats, "player": name, "played": played, "won": won,
         "mean_score": mean(points, played), "tickets_completed": mean(completed, kept)}
        for (on, seats, name), (played, won, points, completed, kept) in sorted(rows.items())
    ]


def board_statistics(redis: Redis, board: str) -> dict:
    """Return the statistics of a board: games by number of seats, routes and tickets, the most
    frequent first."""
    games: dict[int, int] = {}
    tickets: dict[str, list[int]] = {}
    routes: dict[str, list[int]] = {}
    for kind, (_, what, *_), row in _rows(redis, board):
        if kind == "game":
            games[int(what)] = row[0]
        elif kind == "ticket":
            tickets[what] = row
        elif kind == "route":
            routes[what] = row
    total = sum(games.values())
    return {
        "board": board,
        "games": total,
        "by_seats": [{"seats": seats, "games": games[seats]} for seats in sorted(games)],
        "players": [{name: v for name, v in row.items() if name != "board"}
                    for row in players_by_seats(redis, board)],
        "routes": [{"route": route, "claimed": claimed, "share": mean(claimed, total),
                    "by_winners": won, "mean_turn": mean(turns, claimed)}
                   for route, (claimed, won, turns) in _most_frequent(routes)],
        "tickets": [{"ticket": ticket, "kept": kept, "completed": completed}
                    for ticket, (kept, completed) in _most_frequent(tickets)],
    }


def _most_frequent(rows: dict[str, list[int]]) -> list[tuple[str, list[int]]]:
    """Return rows by their first number, the largest first, then by name."""
    return sorted(rows.items(), key=lambda row: (-row[1][0], row[0]))


def _rows(redis: Redis, board: str | None) -> Iterator[tuple[str, list[str], list[int]]]:
    """Yield the kind, the other words of the name, and the numbers of each row of a board."""
    for name, row in STATISTIC.read(redis, STATISTIC.key).items():
        kind, *words = name.split(" ")
        if board in (None, words[0]):
            yield kind, words, row


STATISTIC = Statistic("boards", adds)
