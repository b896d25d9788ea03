"""A built-in bot is not seated on a board that it cannot play."""

import json
import subprocess
import sys

import pytest

from domain.boards import FOLDER, load_folder, parse
from domain.game.commands import CreateGame, Player
from service.accounts import bots
from service.app import build_services
from service.games.creating import create_from
from service.http.serving import serve, services
from service.pool.pool import Pool
from service.pool.sweep import sweep
from service.ratings import present
from tests.outside import BOARDS as OUTSIDE
from tests.service.pool.test_pool import enter, has_waited, own

USA = json.loads((FOLDER / "usa.json").read_text())
RICH = parse(json.dumps(USA | {"board": "rich", "points": dict.fromkeys(USA["points"], 999)}))
WHY = {
    "rich": "USA: routes may bring a seat 44955 points; the simulator takes 30000 at most",
    "bare": "Bare Tracks: the rule bare of the board Bare Tracks has no compiled counterpart",
}
every_bot = pytest.mark.parametrize("bot", ["expert", "learned"])


@pytest.fixture
def app(redis, connection, routed, monkeypatch):
    """The application, with two boards that the simulator cannot play."""
    boards = load_folder() | {"rich": RICH, "bare": OUTSIDE["bare"]}
    monkeypatch.setattr("service.app.all_boards", lambda: boards)
    serve(routed, made := build_services(connection))
    present.copy(redis, made.games.database)
    return routed


@pytest.fixture
def check(is_problem):
    def check(answer, bot: str, board: str, field: str) -> None:
        problem = is_problem(answer, 422, "bad-request")
        assert problem["detail"] == f"{bot} cannot play on {WHY[board]}"
        assert problem["field"] == field

    return check


@every_bot
@pytest.mark.parametrize("board", WHY)
def test_a_game_is_refused_with_the_seat_and_the_board(ada, check, bot, board):
    seats = [{"player": "me"}, {"bot": bot}]
    check(ada.post("/v1/games", {"board": board, "seats": seats}), bot, board, "seats.1.bot")
    assert ada.post("/v1/games", {"board": "usa", "seats": seats}).status_code == 201


@every_bot
def test_a_fork_and_a_rematch_of_an_older_game_are_refused(ada, games, check, bot):
    game = games.store.new_id()
    create_from(
        games,
        CreateGame(
            game,
            ada.id,
            ((bots.player(bot, 0), None), (Player(ada.id, "Ada"), None)),
            bytes(32),
            first_seat=0,
        ),
        RICH,
    )
    ada.play(game, {"type": "resign"})
    check(ada.post(f"/v1/games/{game}/rematch", {}), bot, "rich", "game")
    fork = {
        "fork": {"game": game, "version": 1, "cards": "kept"},
        "seats": [{"bot": bot}, {"player": "me"}],
    }
    check(ada.post("/v1/games", fork), bot, "rich", "seats.0.bot")


@every_bot
def test_a_tournament_on_the_board_takes_no_such_bot_nor_such_a_board_later(ada, check, bot):
    both, usa = (
        f"/v1/tournaments/{ada.post('/v1/tournaments', wish).json['id']}"
        for wish in (
            {"name": "Cup", "format": "round_robin", "seats": 2, "boards": boards}
            for boards in (["usa", "bare"], ["usa"])
        )
    )
    check(ada.post(f"{both}/entries", {"bot": bot}), bot, "bare", "bot")
    assert ada.post(f"{usa}/entries", {"bot": bot}).status_code == 201
    check(ada.patch(usa, {"boards": ["usa", "rich"]}), bot, "rich", "boards.1")


def test_the_pool_pairs_no_such_bot(app, ada, monkeypatch):
    monkeypatch.setattr(bots, "OFFERED", ["expert", "learned"])
    for boards, played in ((["rich"], []), (["rich", "usa"], ["usa"])):
        enter(ada, boards=boards)
        has_waited(services(app).find(Pool), ada)
        sweep(services(app).find(Pool))
        assert [paired["board"] for paired in own(ada)["under_way"]] == played


def test_a_web_process_does_not_load_the_simulator_to_ask():
    code = (
        "import sys; from domain.boards import load_folder; from service.accounts import bots;"
        "assert not any(bots.refusal(bot, board) for bot in bots.OFFERED"
        " for board in load_folder().values());"
        "print({'numpy', 'numba', 'fogg_simulator.tables'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
