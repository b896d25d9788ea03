"""A game as a picture and as text: what the service would draw, and no secrets."""

import re

import numpy as np
import pytest
from fogg_simulator import Simulator

from domain.boards import load_folder
from domain.drawing.picture import draw
from domain.game.view import view
from domain.sentences import seat_text
from tests.simulator.twins import Twins

BOARDS = load_folder()


class Drawn(Twins):
    """Games that are drawn now and then."""

    decisions = 0

    def compared(self, state, seat):
        self.decisions += 1
        if self.decisions % 30 == 1:
            self.compare_pictures(state, seat)
        return super().compared(state, seat)

    def compare_pictures(self, state, seat):
        """Stations may be drawn in another order."""
        drawn, expected = self.simulator.render(), of_the_service(state, seat)
        assert sorted(drawn.splitlines()) == sorted(expected.splitlines())


def of_the_service(state, seat):
    """The service's picture, but for what a simulator does not know: versions and names."""
    shown = view(state, seat, sealed=False)
    del shown["version"]
    for each in shown["seats"]:
        each["player"]["name"] = seat_text(each["seat"])
    shown["row"] = state.board.names(sorted(state.row))
    return draw(state.board, shown)


@pytest.mark.parametrize("board", ["europe", "london"])
def test_a_game_is_drawn_as_the_service_draws_it(board):
    games = Drawn(BOARDS[board], 3)
    state = games.play(1)
    games.compare_pictures(state, 0)
    assert games.simulator.view(0)["seats"][2]["result"]["rank"] in (1, 2, 3)


def test_a_seat_sees_its_own_cards_as_text_and_no_secrets_of_others():
    simulator = Simulator("europe", 3)
    random = np.random.default_rng(1)
    for _ in range(60):
        simulator.step(simulator.sample(random))
    seat = int(simulator.seat[0])
    own, other = (simulator.view(0, each)["you"] for each in (seat, (seat + 1) % 3))
    seen = [simulator.render(0, seat, mode) for mode in ("svg", "ansi")]
    lines = seen[1].splitlines()
    assert lines[-1].startswith(f"{seat_text(seat)} holds: ")
    assert {*own["tickets"], *own["hand"]} <= set(re.findall(r"[\w-]+", lines[-1]))
    assert all(claim["route"] in lines[1 + claim["seat"]] for claim in simulator.view(0)["claims"])
    assert not any(ticket in seen[1] for ticket in other["tickets"])
    simulator.determinize(0, 5)
    assert simulator.view(0, (seat + 1) % 3)["you"] != other
    assert [simulator.render(0, seat, mode) for mode in ("svg", "ansi")] == seen


def test_a_notebook_shows_the_picture_alone():
    simulator = Simulator("paris")
    assert simulator.render()._repr_svg_() == simulator.render()
    assert simulator.render(mode="ansi")._repr_svg_() is None
    with pytest.raises(ValueError, match="no render mode gif; there are svg, ansi"):
        simulator.render(mode="gif")
