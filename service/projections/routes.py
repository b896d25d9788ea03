"""Contested routes: how often each route is claimed, by whom, and how early.

``{stats}:routes``  "BOARD ROUTE" -> how often it was claimed, how often by a seat that won the
                    game, and the sum of the turns of these claims; a seat's first turn is 1
"""

from __future__ import annotations

from redis import Redis

from service.projections.finished import Statistic, mean
from service.store.games import LoadedGame
from service.store.pace import turns_of_claims


def adds(game: LoadedGame) -> dict[str, list[int]]:
    """Return what a finished game adds to each row."""
    state, board, rows = game.state, game.state.board, {}
    for seat in state.seats:
        is_winner = int(state.results[seat]["rank"] == 1)
        turns = turns_of_claims(game.pace, seat)
        for route, turn in zip(state.routes[seat], turns, strict=True):
            rows[f"{board.id} {board.routes[route].id}"] = [1, is_winner, turn]
    return rows


def contested(redis: Redis, board: str | None = None) -> list[dict]:
    """Return the routes of one board or of all boards as the API shows them, grouped by board, the
    most often claimed first."""
    rows = [(*name.split(" "), *row) for name, row in
            STATISTIC.read(redis, STATISTIC.key).items()]
    rows = sorted((on, -claimed, route, won, turns) for on, route, claimed, won, turns in rows
                  if board in (None, on))
    return [{"board": on, "route": route, "claimed": -claimed, "by_winners": won,
             "mean_turn": mean(turns, -claimed)} for on, claimed, route, won, turns in rows]


STATISTIC = Statistic("routes", adds)
