"""The games of a simulator as histories."""

import numpy as np
import pytest
from fogg_simulator import IllegalAction, Simulator
from fogg_simulator.histories import Histories

from cli.recorded.games import read
from domain.game.proof import finished
from tools.histories.written import BY_DIGEST


def ended(sim: Simulator, games: Histories, count: int) -> list[list[dict]]:
    """Play at random until so many games have ended; return the results of these, in their
    order."""
    random, results = np.random.default_rng(1), []
    while len(results) < count:
        over, _ = games.step(sim.sample(random))
        results += [sim.results(game) for game in np.flatnonzero(over)]
    return results


@pytest.mark.parametrize(("board", "seats"), [("usa", 2), ("europe", 3), ("london", 4)])
def test_each_game_that_ends_is_right_and_has_the_results_of_the_simulator(tmp_path, board, seats):
    sim = Simulator(board, seats, games=2, seed=5)
    names = [f"bot {seat}" for seat in range(seats)]
    results = ended(sim, Histories(sim, tmp_path / "games.ndjson", names), 3)
    kept = [[*game.entries()] for game in read(str(tmp_path / "games.ndjson"))]
    proved = [finished(BY_DIGEST, entries) for entries in kept]
    assert [verdict.wrong for verdict in proved] == [None] * len(results)
    assert [
        [{"total": one["total"], "rank": one["rank"]} for one in verdict.results]
        for verdict in proved
    ] == [[{"total": one["total"], "rank": one["rank"]} for one in result] for result in results]
    created = [entries[0]["events"] for entries in kept]
    assert {int(events[0]["seed"], 16) for events in created} <= {5, 6, 7, 8}
    assert [event["player"]["name"] for event in created[0] if event["type"] == "seat_taken"] == (
        names
    )


def test_games_that_stay_over_are_written_once(tmp_path):
    sim, random = Simulator("paris", games=3, restarts=False), np.random.default_rng(1)
    games = Histories(sim, tmp_path / "games.ndjson")
    while not sim.finished.all():
        games.step(sim.sample(random), ~sim.finished)
    assert len([*read(str(tmp_path / "games.ndjson"))]) == 3


def test_an_illegal_action_is_not_written(tmp_path):
    sim = Simulator("paris")
    games = Histories(sim, tmp_path / "games.ndjson")
    with pytest.raises(IllegalAction):
        games.step([int(np.flatnonzero(sim.mask[0] == 0)[0])])
    ended(sim, games, 1)
    [game] = read(str(tmp_path / "games.ndjson"))
    assert finished(BY_DIGEST, game.entries()).wrong is None


def test_a_game_that_was_played_otherwise_is_refused(tmp_path):
    sim, random = Simulator("paris"), np.random.default_rng(1)
    games = Histories(sim, tmp_path / "games.ndjson")
    sim.step(sim.sample(random))
    with pytest.raises(ValueError, match="not played from its beginning"):
        ended(sim, games, 1)
    assert not (tmp_path / "games.ndjson").exists()


def test_names_are_those_of_all_seats(tmp_path):
    with pytest.raises(ValueError, match="zip"):
        Histories(Simulator("paris", 3), tmp_path / "games.ndjson", ["one", "two"])
