"""A built-in bot is not seated on a board that it cannot play."""

import json
import subprocess
import sys

import pytest

from domain.boards import FOLDER, load_folder, parse
from domain.game.commands import CreateGame, Player
from service.accounts import bots
from service.api import wiring
from service.api.serving import serve, services
from service.games.creating import create_from
from service.matching.pool_sweep import sweep
from tests.outside import BOARDS as OUTSIDE
from tests.service.api.test_pool import enter, has_waited, own

USA = json.loads((FOLDER / "usa.json").read_text())
RICH = parse(json.dumps(USA | {"board": "rich", "name": "Rich", "points": dict.fromkeys(
    USA["points"], 999)}))
REFUSED = {  # board -> why
    "rich": "routes may bring a seat 44955 points; the simulator takes 30000 at most",
    "bare": "the rule bare of the board Bare Tracks has no compiled counterpart"}
every_bot = pytest.mark.parametrize("bot", ["expert", "learned"])
every_board = pytest.mark.parametrize("board", REFUSED)


@pytest.fixture
def app(redis, connection, routed, monkeypatch):
    """The application, with boards that the simulator cannot play."""
    monkeypatch.setattr(wiring, "all_boards", lambda: load_folder() | {
        "rich": RICH, "bare": OUTSIDE["bare"]})
    serve(routed, wiring.services(connection))
    return routed


def words(bot: str, board: str) -> str:
    name = {"rich": "Rich", "bare": "Bare Tracks"}[board]
    return f"{bot} cannot play on {name}: {REFUSED[board]}"


@every_board
@every_bot
def test_a_game_is_refused_with_the_seat_and_the_board(ada, is_problem, bot, board):
    seats = [{"player": "me"}, {"bot": bot}]
    problem = is_problem(ada.post("/v1/games", {"board": board, "seats": seats}), 422,
                         "bad-request")
    assert (problem["field"], problem["detail"]) == ("seats.1.bot", words(bot, board))
    assert ada.post("/v1/games", {"board": "usa", "seats": seats}).status_code == 201
    assert ada.post("/v1/games", {"board": board, "seats": [
        {"player": "me"}, {"bot": "planner"}]}).status_code == 201


@every_bot
def test_a_fork_and_a_rematch_of_an_older_game_are_refused(ada, games, is_problem, bot):
    game = games.store.new_id()
    create_from(games, CreateGame(game, ada.id, (
        (bots.player(bot, 0), None), (Player(ada.id, "Ada"), None)), bytes(32), first_seat=0), RICH)
    ada.play(game, {"type": "resign"})
    problem = is_problem(ada.post(f"/v1/games/{game}/rematch", {}), 422, "bad-request")
    assert problem["detail"] == words(bot, "rich")
    problem = is_problem(ada.post("/v1/games", {
        "fork": {"game": game, "version": 1, "cards": "kept"},
        "seats": [{"bot": bot}, {"player": "me"}]}), 422, "bad-request")
    assert (problem["field"], problem["detail"]) == ("seats.0.bot", words(bot, "rich"))


@every_bot
def test_a_tournament_on_the_board_takes_no_such_bot_nor_such_a_board_later(ada, is_problem, bot):
    wish = {"name": "Cup", "format": "round_robin", "seats": 2}
    made, other = (ada.post("/v1/tournaments", wish | {"boards": boards}).json["id"]
                   for boards in (["usa", "bare"], ["usa"]))
    problem = is_problem(ada.post(f"/v1/tournaments/{made}/entries", {"bot": bot}), 422,
                         "bad-request")
    assert (problem["field"], problem["detail"]) == ("bot", words(bot, "bare"))
    assert ada.post(f"/v1/tournaments/{other}/entries", {"bot": bot}).status_code == 201
    problem = is_problem(ada.patch(f"/v1/tournaments/{other}", {"boards": ["usa", "rich"]}), 422,
                         "bad-request")
    assert (problem["field"], problem["detail"]) == ("boards.1", words(bot, "rich"))
    assert ada.patch(f"/v1/tournaments/{other}", {"name": "Bowl"}).status_code == 200


def test_the_pool_pairs_no_such_bot(app, ada, monkeypatch):
    monkeypatch.setattr(bots, "OFFERED", ["expert", "learned"])
    pool = services(app).pool
    enter(ada, boards=["rich"])
    has_waited(pool, ada)
    sweep(pool)
    assert own(ada)["under_way"] == []
    enter(ada, boards=["rich", "usa"])
    has_waited(pool, ada)
    sweep(pool)
    [paired] = own(ada)["under_way"]
    assert paired["board"] == "usa"


def test_a_web_process_does_not_load_the_simulator_to_ask():
    code = ("import sys; from domain.boards import load_folder; from service.accounts import bots;"
            "assert not any(bots.refusal(bot, board) for bot in bots.OFFERED"
            " for board in load_folder().values());"
            "print({'numpy', 'numba', 'fogg_simulator.tables'} & {*sys.modules})")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
