"""The expert, and the playouts that it weighs its choices by."""

import json
import subprocess
import sys
from random import Random

import numpy as np
import pytest

from cli.offline.games import play_out
from domain.boards import load_folder
from domain.game.fold import play
from domain.game.state import PLAYING, State
from domain.game.view import view
from domain.rules import action_from_json
from tests.domain.games import random_move
from tests.domain.given import USA, dealt, given
from tests.workers.matches import seat_bots
from workers.bots import BOTS, search
from workers.bots.board import Board
from workers.bots.expert import Expert
from workers.bots.judging import judge
from workers.bots.planner import Planner

pytestmark = pytest.mark.timeout(900)  # the first may have to wait for what is being compiled

BOARDS = load_folder()
TABLES = {name: json.loads(json.dumps(board.described)) for name, board in BOARDS.items()}


def seen_by(state: State, seat: int) -> dict:
    return json.loads(json.dumps(view(state, seat, sealed=False)))


def middle(seed: int, seats: int = 2, board=USA) -> State:
    """A position in the middle of a game that planners play, on a turn."""
    bots = [Planner(TABLES[board.id], Random(n)) for n in range(seats)]
    state = seat_bots(board, bots, seed)
    for _ in range(40 + seed % 20):
        seat, _ = state.deciding()[0]
        action = action_from_json(bots[seat].choose(seen_by(state, seat)))
        state = play(state, seat, action)[1]
    return state


def what_is_seen(state: State, seat: int):
    """The table, the game as a seat sees it, and what is hidden, as the expert makes them."""
    expert = Expert(TABLES[state.board.id], Random(1), worlds=2)
    shown = seen_by(state, seat)
    table = expert._arrays.board_arrays(Board(TABLES[state.board.id]), len(state.players))
    return table, expert._visible_game(shown, table), expert._hidden_counts(shown), expert._arrays


def played_on(table, seen, hidden, seat: int, arrays):
    """A guess at the game that a seat sees, and the end of it after a card drawn from the deck."""
    from workers.bots.search import trials

    world, game = (arrays.new_game(table, len(seen.trains)) for _ in range(2))
    trials.try_out(table, seen, hidden, np.zeros(0, np.int32), seat,
                   np.array([(trials.BLIND, arrays.NONE, 0)]), np.ones(1, np.bool_), world, game,
                   np.zeros((1, 1)))
    return world, game


@pytest.mark.parametrize("board", ["usa", "usa-10th", "london", "europe"])
def test_a_game_that_is_over_is_counted_up_as_the_rules_do(board):
    """Playouts build no stations: what others lend is left out of the comparison."""
    from workers.bots.search import cards

    bots = [BOTS[name](TABLES[board], Random(n)) for n, name in enumerate(("greedy", "planner"))]
    compared = 0
    for seed in range(6):
        end = play_out(seat_bots(BOARDS[board], bots, seed), bots)
        if any(end.stations) or any(end.flag_points):
            continue
        arrays = search.load()[0]
        table = arrays.board_arrays(Board(TABLES[board]), 2)
        game = arrays.new_game(table, 2)
        for seat in (0, 1):
            for route in end.routes[seat]:
                game.owner[route] = seat
            for ticket in end.tickets[seat]:
                game.held[seat, ticket] = 1
            game.scores[seat] = end.results[seat]["routes"] + end.results[seat]["stations"]
        cards.count_up(table, game)
        assert [*game.totals] == [result["total"] for result in end.results]
        compared += 1
    assert compared >= 2


@pytest.mark.parametrize(("seats", "seat"), [(2, 0), (2, 1), (4, 2)])
def test_a_guess_fits_the_view_and_keeps_every_card_and_ticket(seats, seat):
    for seed in range(5):
        state = middle(seed, seats)
        table, seen, hidden, arrays = what_is_seen(state, seat)
        world, _ = played_on(table, seen, hidden, seat, arrays)
        row = np.bincount([card for card in world.row if card != arrays.NONE],
                          minlength=len(world.deck))
        assert [*world.hands.sum(axis=0) + world.deck + world.discards + row] == [*table.deck]
        assert [sum(hand) for hand in state.hands] == [*world.hands.sum(axis=1)]
        assert [*world.hands[seat]] == [*state.hands[seat]]
        assert world.discards.sum() == sum(state.discards) == world.counts[arrays.DISCARDS]
        assert world.deck.sum() == len(state.deck) == world.counts[arrays.DECK]
        assert world.held.sum(axis=0).max() == 1
        mine = {*state.tickets[seat], *state.offered[seat]}  # which no other can have
        assert {*np.flatnonzero(world.held[seat])} == mine
        for rival in {*range(seats)} - {seat}:
            assert world.held[rival].sum() == len(state.tickets[rival])
        pile = world.pile[: world.counts[arrays.PILE]]
        assert len({*pile}) == len(pile) == len(state.ticket_deck)
        assert not world.held[:, pile].any()


def test_a_playout_keeps_the_cards_and_ends_as_games_end():
    for seed in range(5):
        table, seen, hidden, arrays = what_is_seen(middle(seed), 0)
        _, end = played_on(table, seen, hidden, 0, arrays)
        row = [card for card in end.row if card != arrays.NONE]
        cards = end.hands.sum() + end.deck.sum() + end.discards.sum() + len(row)
        assert cards == table.deck.sum()
        assert end.counts[arrays.FINAL] == 0
        assert end.trains.min() <= 2
        lengths = [table.length[end.owner == seat].sum() for seat in (0, 1)]
        assert [*end.trains] == [45 - length for length in lengths]


def test_a_choice_depends_on_nothing_but_the_view_and_the_source_of_chance():
    state = middle(3)
    seat = state.deciding()[0][0]
    choices = [Expert(TABLES["usa"], Random(7), worlds=24).choose(seen_by(state, seat))
               for _ in range(2)]
    assert choices[0] == choices[1]


@pytest.mark.parametrize("board", BOARDS)
def test_it_plays_whole_games_on_every_board(board):
    bots = [Expert(TABLES[board], Random(1), worlds=18), Planner(TABLES[board], Random(2))]
    assert play_out(seat_bots(BOARDS[board], bots, 1), bots).ending == "final_turns"


def test_it_plays_otherwise_than_the_planner_now_and_then():
    """It is asked at many decisions of games that the planner plays."""
    differs = 0
    for seed in range(12):
        state = middle(seed)
        seat, _ = state.deciding()[0]
        shown = seen_by(state, seat)
        action = Expert(TABLES["usa"], Random(seed), worlds=48).choose(shown)
        assert action in shown["you"]["legal_actions"]
        differs += action != Planner(TABLES["usa"], Random(0)).choose(shown)
    assert 0 < differs < 12


def test_on_boards_of_long_routes_it_has_a_style_of_its_own():
    """With no time to try anything it differs from the planner on USA, and nowhere on London."""
    differs = dict.fromkeys(("usa", "london"), 0)
    for name in differs:
        for seed in range(6):
            state = middle(seed, board=BOARDS[name])
            shown = seen_by(state, state.deciding()[0][0])
            action = Expert(TABLES[name], Random(1), seconds=0).choose(shown)
            assert action in shown["you"]["legal_actions"]
            differs[name] += action != Planner(TABLES[name], Random(1)).choose(shown)
    assert differs["london"] == 0 < differs["usa"]


def test_its_style_reckons_with_the_number_of_cards_that_rivals_hold():
    """A rival with few trains who can pay for them ends the game soon, so it draws no more tickets.
    """
    drawn = []
    for cards in ({"red": 1}, {"red": 9, "blue": 9}):
        hands = {0: {"wild": 12, "green": 3}, 1: cards}
        shown = seen_by(given(hands=hands, trains={0: 40, 1: 14}), 0)
        action = Expert(TABLES["usa"], Random(1), seconds=0).choose(shown)
        drawn.append((action["type"], action.get("route")))
    assert drawn[0] != drawn[1]


def test_whoever_has_made_one_has_all_that_it_takes_in_memory():
    """Nothing is compiled or read while it thinks: that would count as its thinking."""
    Expert(TABLES["usa"], Random(1))
    assert search.warm_up.cache_info().currsize == 1
    assert search.progress() == 1


def test_compiling_again_does_nothing():
    search.load()
    done = subprocess.run([sys.executable, "-m", "workers.bots.search"], check=True,
                          capture_output=True, text=True, timeout=60)
    assert "compiling" not in done.stderr


def test_it_has_an_answer_in_positions_that_chance_leads_to():
    random = Random(5)
    for seed in range(8):
        state = dealt(2 + seed % 3)
        for _ in range(random.randrange(250)):
            if state.status == PLAYING:
                state = play(state, *random_move(state, random, 0.5, 0))[1]
        for seat, _ in state.deciding():
            shown = seen_by(state, seat)
            action = Expert(TABLES["usa"], Random(1), worlds=18).choose(shown)
            assert action in shown["you"]["legal_actions"]


def test_sensible_actions_are_judged_in_the_same_worlds_and_the_one_that_was_played():
    state = middle(3)
    shown = seen_by(state, state.deciding()[0][0])
    played = shown["you"]["legal_actions"][-1]
    rows = judge(TABLES["usa"], shown, Random(2), worlds=20, played=played)
    assert rows == judge(TABLES["usa"], shown, Random(2), worlds=20, played=played)
    assert played in [row.action for row in rows]
    assert all(row.action in shown["you"]["legal_actions"] for row in rows)
    assert [row.cost for row in rows] == pytest.approx([rows[0].margin - r.margin for r in rows])
    assert [row.worlds for row in rows] == [20] * len(rows)
