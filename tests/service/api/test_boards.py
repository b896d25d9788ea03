"""Boards and built-in bots: fetched once, and kept."""

import pytest

from tests.generators.openapi_tape import Tape


@pytest.mark.parametrize("path", ["/v1/boards/usa", "/v1/boards/usa/map.svg"])
def test_a_board_that_one_has_is_not_sent_again(anybody, path):
    first = anybody.get(path)
    assert first.headers["Cache-Control"].startswith("public, max-age=")
    again = anybody.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.get_data()) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert anybody.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


# Examples for openapi.yaml


def show_boards(tape: Tape) -> None:
    """Fetch what never changes."""
    tape.call("listBots", "bots", "The built-in bots", "GET", "/v1/bots")
    tape.call("listBoards", "boards", "The boards", "GET", "/v1/boards")
    tape.call("getBoard", "usa", "The board of the USA", "GET", "/v1/boards/usa")
    tape.call("getBoard", "unknown-board", "No such board", "GET", "/v1/boards/atlantis")
    tape.call("getBoardMap", "usa", "The map of the USA", "GET", "/v1/boards/usa/map.svg")
