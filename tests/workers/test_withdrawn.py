"""Bots and tunnels: the built-in ones do not lay the same cards for ever. A game of bots that do
ends all the same (8.6), and is like any other game from then on."""

import json
from pathlib import Path
from random import Random

import pytest
from fogg_client.client import Client

from cli.offline.arena import Arena, play_game
from cli.offline.games import seen_by
from domain.game.fold import create
from domain.game.proof import fold
from domain.rules.ending import MAX_IDLE
from service import settings
from service.games import importing
from service.games.store import GameStore
from service.operation.stack import Stack
from tests.domain.game.test_forks import SEATS, wish
from tests.domain.given import BARROW, BARROW_FILE
from tests.waiting import until
from tests.workers.matches import Checked, play_out, seat_bots
from workers.bots.greedy import Greedy
from workers.bots.withdrawn import Withdrawn
from workers.judgement import judged

pytestmark = pytest.mark.timeout(900)  # the expert may have to be compiled first
BOARDS = 20


class Forgetful(Greedy):
    """Greedy, as if another worker played each of its decisions."""

    def choose(self, view):
        self._withdrawn = Withdrawn()
        return super().choose(view)


@pytest.mark.parametrize("games", [5, pytest.param(400, marks=pytest.mark.deep)])
@pytest.mark.parametrize("names", ["greedy greedy", "planner planner", "greedy planner"])
def test_a_built_in_bot_does_not_try_a_tunnel_for_ever(names, games):
    for game in range(games):
        bots = [Checked(BARROW, name, game) for name in names.split()]
        assert play_out(seat_bots(BARROW, bots, game), bots).version < 250


def test_a_tunnel_is_tried_again_with_a_card_more_that_helps():
    claim, withdrawn = {"type": "claim_route", "route": "r", "cards": {"red": 1}}, Withdrawn()

    def is_tried(version, hand, **members):
        you = {"seat": 0, "hand": hand, "legal_actions": [claim, {"type": "draw_card"}]}
        view = {"id": "g", "version": version, "you": you} | members
        return claim in withdrawn.avoid(view)["you"]["legal_actions"]

    is_tried(2, {"wild": 1}, tunnel={"seat": 0, "route": "r", "laid": {"red": 1}})
    assert not is_tried(3, {"red": 1, "wild": 1, "blue": 5})
    assert is_tried(4, {"red": 2, "wild": 1})
    assert is_tried(1, {"red": 1})  # in another game with this id


def without_progress() -> list[dict]:
    """The entries of a game in an arena that ended since nobody made progress."""
    bot = f"{__name__}:{Forgetful.__name__}"
    arena = Arena((bot,), (str(BARROW_FILE),), games=20, out=Path("games.ndjson"))
    games = (play_game(arena, fixture).history.splitlines() for fixture in arena.schedule)
    return [json.loads(line) for line in next(game for game in games if len(game) > MAX_IDLE)]


def test_8_6_a_game_without_progress_can_be_imported_forked_and_judged(redis):
    history = without_progress()
    *_, before, end = fold({BARROW.digest: BARROW}, history)
    assert end.ending == "no_progress"
    store = GameStore(redis, {BARROW.id: BARROW})
    assert importing.put(store, importing.known_boards(store, []), history) == (end.id, True)
    fork = create(BARROW, wish(before, seats=SEATS[:2]))
    assert play_out(fork, [Checked(BARROW, "greedy")] * 2).ending == "all_passed"
    view, action = seen_by(before, before.turn), history[-1]["action"]
    assert judged(BARROW.described, end.version, view, action, Random(1), seconds=0, worlds=8)


@pytest.mark.deep
def test_9_7_games_of_built_in_bots_end_on_random_boards(tmp_path, seed):
    random, table = Random(seed), BARROW.table
    for n in range(BOARDS):
        cards = {color: random.randint(3, 9) for color in BARROW.colors}
        routes = [route | {"tunnel": random.random() < 0.7} for route in table["routes"]]
        board = table | {"board": f"barrow-{n}", "cards": cards, "routes": routes}
        (tmp_path / f"{n}.json").write_text(json.dumps(board))
    with settings.BOARDS.set_to(str(tmp_path)), Stack(tmp_path / "data") as stack:
        ann, seats = Client(stack.url).sign_up("Ann"), [{"bot": "greedy"}, {"bot": "planner"}]
        for n in range(BOARDS):
            ann.post("/v1/games", {"board": f"barrow-{n}", "seats": seats})
        until(lambda: not ann.get("/v1/games", status="playing")["items"], 300)
