"""The expert: its guesses, its playouts, and what it chooses by them."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from itertools import product
from random import Random

import numpy as np
import pytest
from fogg_simulator.arrays import NONE
from fogg_simulator.views import Views

from domain.boards import load_folder
from domain.game.fold import play
from domain.game.state import State
from domain.game.view import view
from domain.rules import action_from_json
from tests.domain.given import USA
from tests.workers.matches import play_out, seat_bots
from workers.bots import search
from workers.bots.expert import Expert
from workers.bots.planner import Planner
from workers.bots.search import kernel, playouts, searching
from workers.bots.search.styles import (
    EXPERT,
    EXPERT_SHORT,
    HAND,
    LONG,
    PLANNER,
    SLACK,
    WAIT,
    changed,
)
from workers.judgement import judge

pytestmark = pytest.mark.timeout(900)  # the first may have to wait for what is being compiled

BOARDS = load_folder()
TABLES = {name: json.loads(json.dumps(board.described)) for name, board in BOARDS.items()}


def seen_by(state: State, seat: int) -> dict:
    return json.loads(json.dumps(view(state, seat, sealed=False)))


def middle(seed: int, seats: int = 2, board=USA, after: int = 40) -> State:
    """A position in the middle of a game that planners play, on a turn."""
    bots = [Planner(TABLES[board.id], Random(n)) for n in range(seats)]
    state = seat_bots(board, bots, seed)
    for _ in range(after + seed % 20):
        seat, _ = state.deciding()[0]
        action = action_from_json(bots[seat].choose(seen_by(state, seat)))
        state = play(state, seat, action)[1]
    return state


@pytest.mark.parametrize(
    ("board", "seats", "after"), [("usa", 2, 40), ("europe", 4, 40), ("paris", 3, 20)]
)  # in Paris, little is hidden after 40
def test_a_guess_looks_like_the_game_and_keeps_every_card_and_ticket(board, seats, after):
    state = middle(seats, seats, BOARDS[board], after)
    me = state.deciding()[0][0]
    room = playouts.Playouts(BOARDS[board], seats, 8, PLANNER[None])
    seen, _ = Views(BOARDS[board], seats).observation(seen_by(state, me))
    room.simulator.put(0, seen)
    random = np.random.default_rng(1)
    worlds = room.worlds(room.put_aside(0, random), me, 8, random)
    room.simulator.records[1][:] = worlds
    assert (room.simulator.observe()[0] == seen).all()
    assert len({world["hands"].tobytes() + world["holder"].tobytes() for world in worlds}) > 4
    record, colors = room.simulator.records[0][0], len(BOARDS[board].colors)
    for world in worlds:
        deck = world["deck"][world["deck_top"] : world["deck_end"]]
        row = world["row"][: world["row_count"]]
        cards = sum(np.bincount(part, minlength=colors) for part in (deck, row))
        cards += world["hands"].sum(axis=0)[:colors] + world["discards"][:colors]
        for kept in state.flags:
            cards += np.bincount([*kept], minlength=colors)
        assert cards.tolist() == record["count"][:colors].tolist()
        pile = world["ticket_deck"][: world["ticket_count"]]
        assert len({*pile.tolist()}) == len(pile) == len(state.ticket_deck)
        assert (world["holder"][pile] == NONE).all()


@pytest.mark.deep
@pytest.mark.parametrize(("board", "share"), [("usa", 0.3), ("europe", 0.3), ("paris", 0.5)])
def test_rivals_tickets_are_guessed_from_their_routes(board, share):
    """Of 30 tickets on USA, 2 chosen at random are right in 7 % of guesses."""
    room = playouts.Playouts(BOARDS[board], 2, 32, PLANNER[None])
    random, right = np.random.default_rng(1), []
    for seed in range(16):
        state = middle(seed, 2, BOARDS[board], 20)
        me = state.deciding()[0][0]
        room.simulator.put(0, Views(BOARDS[board], 2).observation(seen_by(state, me))[0])
        worlds = room.worlds(room.put_aside(0, random), me, 32, random)
        held = state.tickets[1 - me]
        right.append((worlds["holder"][:, list(held)] == 1 - me).mean())
    assert np.mean(right) > share, np.mean(right)


@pytest.mark.parametrize(
    ("board", "seats"),
    [(board, seats) for board in BOARDS.values() for seats in (2, board.players[-1])],
    ids=lambda case: getattr(case, "id", case),
)
def test_the_policy_plays_legal_actions_until_a_game_ends_as_games_end(board, seats):
    room = playouts.Playouts(board, seats, 8, np.stack((PLANNER, EXPERT)))
    room.style_of[:, 0] = 1
    simulator, kinds = room.simulator, set()
    while not simulator.finished.all():
        room.think(kernel.CHOOSE, 8)
        chosen = room.chosen.copy()
        playing = np.flatnonzero(chosen != NONE)
        kinds |= {simulator.action(0, number)["type"] for number in chosen[playing].tolist()}
        simulator.step(chosen, chosen != NONE)  # which checks that they are legal
    assert {"keep_tickets", "draw_card", "claim_route"} <= kinds
    assert (simulator.records[1]["ending"] == 1).all()  # by final turns


@pytest.mark.deep
@pytest.mark.parametrize(
    ("board", "seats"), [*((board, 2) for board in BOARDS), ("paris", 4), ("london", 3)]
)
def test_it_searches_whole_games_on_every_board(board, seats):
    bots = [
        Expert(TABLES[board], Random(1), worlds=1),
        *(Planner(TABLES[board], Random(2)) for _ in range(seats - 1)),
    ]
    assert play_out(seat_bots(BOARDS[board], bots, 1), bots).ending == "final_turns"


def test_a_bot_that_chooses_meanwhile_does_not_disturb_it():
    """A worker serves its guests while a bot thinks."""
    shown = [
        seen_by(state, state.deciding()[0][0])
        for state in (middle(seed, 2, BOARDS["london"], 6) for seed in range(5))
    ]
    guest = Expert(TABLES["london"], Random(2), worlds=8)

    def serve() -> float:
        guest.choose(shown[0])
        return 0.0

    def choices(meanwhile: Callable[[], float]) -> list[dict]:
        bot = Expert(TABLES["london"], Random(7), worlds=16)
        bot.meanwhile = meanwhile
        return [bot.choose(view) for view in shown[1:]]

    assert choices(serve) == choices(float)


def test_it_reckons_with_rivals_that_claim_early_and_with_others_that_save_cards(monkeypatch):
    """In its playouts the two rivals play like planners or like experts: all combinations equally
    often. It did not reckon with experts, claimed early against them, and lost by it."""
    names = {PLANNER.tobytes(): "planner", EXPERT_SHORT.tobytes(): "expert"}
    combinations, leads = Counter(), playouts.Playouts.leads

    def noted(room, worlds, actions, styles, rivals, seat):
        for row in room.styles[np.delete(rivals, seat, axis=1)]:
            combinations[tuple(names[style.tobytes()] for style in row)] += 1
        return leads(room, worlds, actions, styles, rivals, seat)

    monkeypatch.setattr(playouts.Playouts, "leads", noted)
    state = middle(3, 3, BOARDS["paris"], 6)
    shown = seen_by(state, state.deciding()[0][0])
    Expert(TABLES["paris"], Random(1), worlds=16).choose(shown)
    assert {*combinations} == {*product(names.values(), repeat=2)}
    assert max(combinations.values()) - min(combinations.values()) <= 1, combinations


def test_it_goes_on_in_the_style_that_wins_most(monkeypatch):
    draws_only = changed(EXPERT, {WAIT: 1e6, HAND: 1e6, LONG: 1e6, SLACK: 1e6})
    monkeypatch.setattr(searching, "styles_for", lambda *_: np.stack((draws_only, EXPERT)))
    state = middle(3)
    search = searching.Searcher(TABLES["usa"], 2)
    random = np.random.default_rng(1)
    search.look(seen_by(state, state.deciding()[0][0]), random)
    best = search.best_style(random, searching.Clock(float), 0, worlds=32)
    assert (search.style(best) == EXPERT).all()


def test_compiling_again_does_nothing():
    search.load()
    assert search.progress() == 1
    done = subprocess.run(
        [sys.executable, "-m", "workers.bots.search"],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "compiling" not in done.stderr


@pytest.mark.parametrize(
    "state", [middle(3), seat_bots(USA, [None] * 2, 3)], ids=["a turn", "first tickets"]
)
def test_sensible_actions_are_judged_in_the_same_worlds_and_the_one_that_was_played(state):
    shown = seen_by(state, state.deciding()[0][0])
    played = shown["you"]["legal_actions"][-1]
    rows = judge(TABLES["usa"], shown, Random(2), worlds=6, played=played)
    assert rows == judge(TABLES["usa"], shown, Random(2), worlds=6, played=played)
    assert played in [row.action for row in rows]
    assert all(row.action in shown["you"]["legal_actions"] for row in rows)
    assert [row.cost for row in rows] == pytest.approx([rows[0].margin - r.margin for r in rows])
    assert [row.worlds for row in rows] == [6] * len(rows)
