"""The bot that plays games out before it keeps tickets; it is no built-in bot."""

import json
import time
from random import Random

import pytest

from benchmarks.bots import play_out, seat_bots
from domain.commands import DrawTickets, action_from_json
from domain.game import play
from domain.legal import legal_actions
from domain.state import KEEP_TICKETS, State
from domain.view import view
from tests.domain.given import BOARDS, USA, dealt, given
from workers.arena import Arena, play_game
from workers.bots.atlas import Atlas
from workers.bots.expert import Expert
from workers.bots.guess import Guesses
from workers.bots.planner import Planner
from workers.bots.sketch import Sketch

boards = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)


class Checked:
    """An expert that is caught when it chooses what is not listed."""

    def __init__(self, board, seed: int = 0, playouts: int = 40):
        self.bot = Expert(json.loads(json.dumps(board.described)), Random(seed), playouts=playouts)

    def choose(self, view: dict) -> dict:
        action = self.bot.choose(view)
        assert action in view["you"]["legal_actions"]
        return action


def seen(state: State, seat: int = 0) -> dict:
    return json.loads(json.dumps(view(state, seat)))


def guesses(state: State, seat: int = 0) -> Guesses:
    atlas = Atlas(state.board.described)
    return Guesses(Sketch(atlas), atlas, seen(state, seat))


@boards
def test_the_expert_plays_whole_games_on_every_board_for_every_number_of_players(board):
    for seats in board.players:
        table = [Checked(board, seed) for seed in range(seats)]
        assert play_out(seat_bots(board, table, seed=seats), table).ending == "final_turns"


@boards
def test_the_expert_chooses_among_tickets_drawn_in_the_middle_of_a_game(board):
    planner = Planner(board.described, Random(0))
    state = seat_bots(board, [planner, planner], seed=1)
    asked = 0
    for _ in range(40):
        seat = state.deciding()[0][0]
        if DrawTickets() in legal_actions(state, seat):
            offered = play(state, seat, DrawTickets())[1]
            asked += Checked(board).choose(seen(offered, seat))["type"] == "keep_tickets"
        state = play(state, seat, action_from_json(planner.choose(seen(state, seat))))[1]
    assert asked > 10


@pytest.mark.parametrize("seconds", [0.05, 0.3])
def test_the_expert_keeps_within_its_seconds(seconds):
    expert = Expert(USA.described, Random(0), seconds=seconds)
    shown = seen(dealt(2))
    expert.choose(shown)  # what is computed once for a board
    took = []
    for _ in range(3):
        start = time.perf_counter()
        expert.choose(shown)
        took.append(time.perf_counter() - start)
    assert min(took) <= 1.5 * seconds


def test_without_time_the_expert_plays_as_the_planner_does():
    shown = seen(dealt(2))
    planner = Planner(USA.described, Random(0))
    assert Expert(USA.described, Random(0), seconds=0.001).choose(shown) == planner.choose(shown)


def test_what_counts_playouts_is_the_same_each_time():
    shown = seen(dealt(3), 1)
    assert len({json.dumps(Checked(USA, 7).choose(shown)) for _ in range(3)}) == 1


def hidden_otherwise(state: State) -> State:
    """A state that seat 0 cannot tell from another: all that is hidden from it is turned over."""
    other = state.copy()
    other.deck = state.deck[::-1]
    other.ticket_deck = state.ticket_deck[::-1]
    other.hands = (state.hands[0], *(tuple(reversed(hand)) for hand in state.hands[1:]))
    other.offered = (state.offered[0], *(tuple(reversed(row)) for row in state.offered[1:]))
    other.seed = "00" * 32
    return other


def test_the_expert_knows_nothing_but_its_view():
    state = dealt(2)
    other = hidden_otherwise(state)
    assert other.deck != state.deck
    assert seen(other) == seen(state)
    assert Checked(USA).choose(seen(other)) == Checked(USA).choose(seen(state))


@boards
def test_a_guess_has_all_the_cards_and_fits_the_view(board):
    for seats in board.players:
        table = [Checked(board) for _ in range(seats)]
        state = seat_bots(board, table, seed=3)
        found = guesses(state, 1).sample(Random(2))
        cards = [*found.row, *found.discards, *(card for pile in found.piles for card in pile)]
        counts = [cards.count(color) + sum(hand[color] for hand in found.hands)
                  for color in range(len(board.cards))]
        assert counts == list(board.cards.values())
        assert found.hands[1] == list(state.hands[1])
        assert [sum(hand) for hand in found.hands] == [sum(hand) for hand in state.hands]
        held = [ticket for tickets in found.tickets for ticket in tickets] + found.ticket_deck
        assert len(held) == len(set(held))


def test_a_seat_is_guessed_to_hold_the_tickets_whose_ways_it_has_built():
    built = ["dallas--little-rock", "little-rock--nashville", "nashville--pittsburgh",
             "new-york--pittsburgh"]
    offered = [ticket.id for ticket in USA.tickets[:3]]
    state = given(2, step=KEEP_TICKETS, offered={0: offered}, tickets={1: ["dallas--new-york"]},
                  routes={1: built})
    found = guesses(state)
    sketch = Sketch(Atlas(USA.described))
    true = sketch.ticket(sketch.atlas.tickets["dallas--new-york"])
    random = Random(0)
    hits = sum(true in found.sample(random).tickets[1] for _ in range(200))
    assert hits > 40  # of 200, where 200 / 27 would be chance


def test_a_playout_comes_to_an_end_and_changes_nothing_in_what_it_was_copied_from():
    found = guesses(dealt(3), 2)
    game = found.sample(Random(1))
    before = json.dumps([game.owner, game.hands, game.trains, game.piles, game.tickets])
    totals = game.copy().run(Random(1))
    assert len(totals) == 3
    assert game.copy().run(Random(1)) == totals
    assert json.dumps([game.owner, game.hands, game.trains, game.piles, game.tickets]) == before


def test_an_arena_knows_the_expert_by_its_class_and_its_seconds():
    arena = Arena(("workers.bots.expert:Expert@0.05", "greedy"), ("paris",), games=2)
    assert play_game(arena, arena.schedule[0]).fault is None
