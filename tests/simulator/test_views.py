"""A view made from an observation is the service's; an observation made from a view is the same,
and so is one of a game that was put there by an observation."""

import numpy as np
import pytest
from fogg_simulator import Simulator
from fogg_simulator.views import Views, as_text

from domain.boards import load_folder
from domain.game.view import view
from tests.simulator.twins import STYLES, Twins

BOARDS = load_folder()
MOST = [(board, board.players[-1]) for board in BOARDS.values()]


class Viewed(Twins):
    """Games in which views are compared at every decision."""

    def __init__(self, board, seats):
        super().__init__(board, seats)
        self.views = Views(board, seats)
        self.put = Simulator(board, seats)

    def compared(self, state, seat):
        observations, mask = self.simulator.observe()
        expected = view(state, seat, sealed=False)
        shown = self.views.view(observations[0], mask[0])
        assert comparable(shown) == comparable(
            expected | {name: value for name, value in shown.items() if name not in expected}
        )
        assert shown.keys() <= expected.keys()
        again, marked = self.views.observation(expected)
        passes = self.simulator.layout()["passes"]
        again[passes] = state.passes  # a view does not show these
        assert again.tolist() == observations[0].tolist()
        assert marked.tolist() == mask[0].tolist()
        self.put.put(0, again)
        put, marked = self.put.observe()
        assert put[0].tolist() == again.tolist()
        assert marked.tolist() == mask.tolist()
        return super().compared(state, seat)


def comparable(shown):
    """The parts of a view that an observation knows, without the order of lists that have none."""
    seats = [
        {name: value for name, value in seat.items() if name not in ("player", "left")}
        for seat in shown["seats"]
    ]
    you = shown["you"] | {
        "legal_actions": sorted(map(as_text, shown["you"]["legal_actions"])),
        "tickets": sorted(shown["you"]["tickets"]),
    }
    for seat in seats:
        if "flag" in seat:
            seat["flag"] = sorted(seat["flag"])
    parts = {
        "board",
        "status",
        "deciding",
        "deck",
        "discards",
        "discarded",
        "ticket_deck",
        "final_turns",
    }
    members = {name: shown[name] for name in parts & shown.keys()} | {"seats": seats, "you": you}
    members["row"] = sorted(shown["row"])
    for name in ("claims", "stations"):
        members[name] = sorted(map(as_text, shown.get(name, ())))
    if tunnel := shown.get("tunnel"):
        members["tunnel"] = tunnel | {"turned": sorted(tunnel["turned"])}
    return members


@pytest.mark.parametrize("style", ["traveller", "quitter"])
@pytest.mark.parametrize(("board", "seats"), MOST, ids=BOARDS)
def test_views_and_observations_say_the_same(board, seats, style):
    Viewed(board, seats).play(3, STYLES[style])


def test_the_view_of_a_game_that_is_over_has_nobody_to_decide():
    simulator, views = Simulator("paris", restarts=False), Views(BOARDS["paris"], 2)
    simulator.resign(0, 0)
    [observation], [mask] = simulator.observe()
    seen = views.view(observation, mask)
    assert (seen["status"], seen["deciding"], seen["you"]["legal_actions"]) == ("finished", [], [])


def test_the_number_of_an_action_is_found_by_its_json():
    views = Views(BOARDS["europe"], 2)
    keeps = range(int(views.chart["keep"]), int(views.chart["first_claim"][0]))
    for number in np.random.default_rng(1).integers(0, int(views.chart["actions"]), 300).tolist():
        offered = [4, 9, 2, 30]
        names = [views.board.tickets[ticket].id for ticket in offered]
        action = views.action(number, offered)
        assert number in keeps or views.number(action, names) == number
    assert views.number(views.action(keeps[5], offered), names) == keeps[5]
