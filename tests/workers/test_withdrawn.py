"""Bots and tunnels: the built-in ones do not lay the same cards for ever. A game of bots that do
ends all the same (8.6), and is like any other game from then on."""

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from fogg_client.client import Client

from cli.offline.arena import Arena, play_game
from cli.offline.games import seen_by
from domain.board.board import Board
from domain.boards import parse
from domain.errors import BrokenTable
from domain.game.commands import CreateGame, Fork
from domain.game.fold import create
from domain.game.proof import finished, fold
from domain.rules.ending import MAX_IDLE
from domain.rules.forking import position_of
from service import settings
from service.games import importing
from service.games.store import GameStore
from service.operation.stack import Stack
from tests.domain.given import BARROW, BARROW_FILE
from tests.waiting import until
from tests.workers.matches import Checked, play_out, seat_bots
from workers.bots.greedy import Greedy
from workers.bots.withdrawn import Withdrawn
from workers.judgement import judged

pytestmark = pytest.mark.timeout(900)  # the expert may have to be compiled first
LONG = 250  # entries; with bots that try in vain half of the games take more


class Forgetful(Greedy):
    """Greedy, as if another worker played each of its decisions."""

    def choose(self, view):
        self._withdrawn = Withdrawn()
        return super().choose(view)


@pytest.mark.parametrize("games", [5, pytest.param(400, marks=pytest.mark.deep)])
@pytest.mark.parametrize("names", ["greedy greedy", "planner planner", "greedy planner"])
def test_a_built_in_bot_does_not_try_a_tunnel_again_in_vain(names, games):
    for game in range(games):
        bots = [Checked(BARROW, name, game) for name in names.split()]
        end = play_out(seat_bots(BARROW, bots, game), bots)
        assert end.ending in ("all_passed", "final_turns")
        assert end.version < LONG


def test_a_tunnel_is_tried_again_with_a_card_more_that_helps():
    withdrawn = Withdrawn()
    claim, draw = {"type": "claim_route", "route": "r", "cards": {"red": 1}}, {"type": "draw_card"}

    def tried(version, hand, **members):
        you = {"seat": 0, "hand": hand, "legal_actions": [claim, draw]}
        seen = withdrawn.avoid({"id": "g", "version": version, "you": you} | members)
        return claim in seen["you"]["legal_actions"]

    assert tried(1, {"red": 1})
    tried(2, {"wild": 1}, tunnel={"seat": 0, "route": "r", "laid": {"red": 1}})
    assert not tried(3, {"red": 1, "wild": 1, "blue": 5})
    assert tried(4, {"red": 2, "wild": 1})
    assert tried(1, {"red": 1})  # another game of this name


@pytest.fixture(scope="module")
def history():
    """The entries of a game that ended since nobody made progress."""
    bot = f"{__name__}:{Forgetful.__name__}"
    arena = Arena((bot,), (str(BARROW_FILE),), games=20, out=Path("games.ndjson"))
    for fixture in arena.schedule:
        lines = play_game(arena, fixture).history.splitlines()
        if len(lines) > MAX_IDLE:
            return [json.loads(line) for line in lines]
    raise AssertionError("every game made progress")


def test_8_6_a_game_without_progress_can_be_verified_imported_forked_and_judged(history, redis):
    boards = {BARROW.digest: BARROW}
    verdict = finished(boards, history)
    assert (verdict.wrong, verdict.status) == (None, "finished")
    *_, before, end = fold(boards, history)
    assert end.ending == "no_progress"
    store = GameStore(redis, {BARROW.id: BARROW})
    assert importing.put(store, importing.known_boards(store, []), history) == (end.id, True)

    seat = before.turn
    position = json.loads(json.dumps(position_of(before)))
    seats = tuple((player, None) for player in before.players)
    fork = create(
        BARROW,
        CreateGame(
            "h", "p_me", seats, bytes(32), fork=Fork(end.id, before.version, "kept", position)
        ),
    )
    bots = [Checked(BARROW, "greedy") for _ in seats]
    assert play_out(fork, bots).ending == "all_passed"

    action, described = history[-1]["action"], json.loads(json.dumps(BARROW.described))
    row = judged(
        described,
        end.version,
        seen_by(before, seat),
        action,
        Random(1),
        seconds=0,
        worlds=8,
    )
    assert row["played"] == action


def random_board(random: Random) -> Board:
    """Barrow's places with other routes and cards."""
    colors = BARROW.colors[:-1]
    while True:
        routes = [
            {"a": route["a"], "b": route["b"], "length": random.randint(1, 3)}
            | {"color": random.choice(("grey", *colors)), "tunnel": random.random() < 0.5}
            for route in BARROW.table["routes"]
        ]
        cards = {color: random.randint(1, 6) for color in colors} | {"wild": random.randint(3, 20)}
        table = BARROW.table | {
            "board": f"barrow-{random.randrange(10**6)}",
            "trains": random.randint(8, 40),
            "cards": cards,
            "routes": routes,
        }
        try:
            return parse(json.dumps(table), is_new=True)
        except BrokenTable:
            continue


@pytest.mark.deep
def test_9_7_games_of_built_in_bots_end_on_random_boards(tmp_path, seed):
    random = Random(seed)
    boards = [random_board(random) for _ in range(20)]
    for board in boards:
        (tmp_path / f"{board.id}.json").write_text(json.dumps(board.table))
    with settings.BOARDS.set_to(str(tmp_path)), Stack(tmp_path / "data") as stack:
        ann = Client(stack.url).sign_up("Ann")
        seats = [{"bot": "greedy"}, {"bot": "planner"}]
        games = [
            ann.post("/v1/games", {"board": board.id, "seats": seats})["id"] for board in boards
        ]
        until(lambda: all(ann.view(game)["status"] == "finished" for game in games), 300)
        endings = Counter(ann.view(game)["ending"] for game in games)
    assert endings.keys() <= {"all_passed", "final_turns"}
