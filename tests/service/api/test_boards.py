"""Boards and built-in bots; test_caching.py has how long they may be kept."""

from tests.generators.openapi_tape import Tape


def test_every_board_is_listed_with_how_many_can_play(anybody):
    rows = anybody.get("/v1/boards").json["items"]
    assert {row["id"] for row in rows} >= {"usa", "europe"}
    assert all(row["least_players"] <= row["most_players"] for row in rows)


# Examples for openapi.yaml


def show_boards(tape: Tape) -> None:
    """Fetch what never changes."""
    tape.call("listBots", "bots", "The built-in bots", "GET", "/v1/bots")
    tape.call("listBoards", "boards", "The boards", "GET", "/v1/boards")
    tape.call("getBoard", "usa", "The board of the USA", "GET", "/v1/boards/usa")
    tape.call("getBoard", "unknown-board", "No such board", "GET", "/v1/boards/atlantis")
    tape.call("getBoard", "unknown-table", "No such table", "GET",
              f"/v1/boards/usa?digest={'0' * 64}")
    tape.call("getBoardMap", "usa", "The map of the USA", "GET", "/v1/boards/usa/map.svg")
