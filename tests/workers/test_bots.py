"""The built-in bots, playing offline: all that they know is the board's table and their views."""

from random import Random

import networkx as nx
import pytest
from hypothesis import given as given_any
from hypothesis import settings
from hypothesis import strategies as st

from domain.game.fold import play
from domain.game.state import KEEP_TICKETS, SECOND_CARD, State
from domain.game.view import view
from tests.domain.games import random_move
from tests.domain.given import USA, dealt, given
from tests.outside import BOARDS as OUTSIDE
from tests.workers import matches
from tests.workers.matches import play_out
from workers.bots import BOTS
from workers.bots.board import Board
from workers.bots.plan import Plan, make_plan
from workers.bots.position import Position

pytestmark = pytest.mark.timeout(900)  # the expert may wait for what is being compiled

BOARD = Board(USA.described)
FEW = {"expert": {"worlds": 2}}  # enough to try everything, too few to judge by
bots = pytest.mark.parametrize("name", BOTS)


def choice(name: str, state: State, seat: int = 0) -> dict:
    return matches.choice(checked(name), state, seat)


def checked(name: str) -> matches.Checked:
    return matches.Checked(USA, name, **FEW.get(name, {}))


def plan(state: State) -> Plan:
    """Return seat 0's plan in a position."""
    return make_plan(Position(BOARD, view(state, 0, sealed=False)))


@pytest.mark.parametrize("examples", [4, pytest.param(40, marks=pytest.mark.deep)])
def test_a_bot_has_an_answer_in_any_position(examples):
    settings(max_examples=examples)(answer_in_any_position)()


@given_any(
    seats=st.integers(2, 5),
    moves=st.integers(0, 300),
    seed=st.integers(0, 2**32),
    claiming=st.sampled_from([0.05, 0.5, 1]),
    leaving=st.sampled_from([0, 0.01]),
)
def answer_in_any_position(seats, moves, seed, claiming, leaving):
    state, random = dealt(seats), Random(seed)
    for _ in range(moves):
        state = one_more(state, random, claiming, leaving)
    for seat, _ in state.deciding():
        for name in BOTS:
            choice(name, state, seat)


def one_more(state: State, random: Random, claiming: float, leaving: float) -> State:
    """The state after a random move, or the same once the game is over."""
    if not state.deciding():
        return state
    return play(state, *random_move(state, random, claiming, leaving))[1]


@bots
@pytest.mark.parametrize(
    ("position", "types"),
    [
        ({"hands": {0: {}}, "row": "", "deck": "", "discards": {}, "ticket_deck": []}, "pass"),
        (
            {"hands": {0: {"red": 5}}, "row": "", "deck": "", "discards": {}},
            "claim_route draw_tickets",
        ),
        *(
            ({"step": SECOND_CARD, "row": row}, "draw_card")
            for row in ("", "wild wild", "red wild blue")
        ),
        ({"trains": {0: 0}, "final": (0, 1, 2)}, "draw_card draw_tickets"),
    ],
)
def test_a_bot_does_what_is_possible_where_little_is(name, position, types):
    assert choice(name, given(**position))["type"] in types.split()


@bots
@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_bot_keeps_some_of_the_tickets_it_is_offered(name, count):
    offered = [ticket.id for ticket in USA.tickets[:count]]
    state = given(step=KEEP_TICKETS, offered={0: offered}, ticket_deck=[])
    kept = choice(name, state)["tickets"]
    assert 1 <= len(kept) <= count


@bots
def test_a_bot_plays_on_when_others_have_left(name):
    state = given(4, left=(None, "resigned", None, "resigned"), leavers=(1, 3))
    table = [checked(name) for _ in range(4)]
    assert play_out(state, table).status == "finished"


def test_the_greedy_bot_draws_rather_than_claim_for_a_single_point_unless_it_is_the_end():
    hand = {"hands": {0: {"red": 1}}}
    assert choice("greedy", given(2, **hand))["type"] == "draw_card"
    assert choice("greedy", given(2, **hand, final=(0,)))["type"] == "claim_route"


@pytest.mark.parametrize("board", OUTSIDE)
@pytest.mark.parametrize("name", ["greedy", "planner"])
def test_a_bot_plays_a_whole_game_with_a_rule_from_outside(name, board):
    bots = [matches.Checked(OUTSIDE[board], name, seat) for seat in range(2)]
    end = play_out(matches.seat_bots(OUTSIDE[board], bots, 7), bots)
    assert end.ending == "final_turns"


def test_the_planner_takes_a_face_up_wild_that_counts_as_one_card():
    for board, place in (("bare", "deck"), ("wilds", "row")):
        state = given(
            board=OUTSIDE[board],
            hands={0: {"red": 4, "blue": 4}},
            trains={0: 1},
            row="red red blue blue wild",
        )
        drawn = matches.choice(matches.Checked(OUTSIDE[board], "planner"), state)
        assert (drawn["type"], drawn["from"]) == ("draw_card", place)


def test_the_same_view_has_the_same_answer_from_every_instance():
    state = given(hands={0: {"red": 3, "blue": 2, "wild": 1}})
    for name in ("greedy", "planner", "expert"):
        assert choice(name, state) == choice(name, state)


def test_the_planner_completes_a_ticket_on_the_last_turn_rather_than_claim_a_longer_route():
    state = given(
        2,
        tickets={0: ["dallas--new-york"]},
        hands={0: {"red": 6, "black": 2}},
        routes={
            0: [
                "dallas--little-rock",
                "little-rock--nashville",
                "nashville--pittsburgh",
                "pittsburgh--washington",
            ]
        },
        final=(0,),
    )
    assert choice("planner", state)["route"].startswith("new-york--washington")


def test_the_planner_goes_round_when_its_way_is_blocked():
    mine = ["new-york--pittsburgh"]
    free = plan(given(2, tickets={0: ["atlanta--new-york"]}, routes={0: mine}))
    blocked = plan(
        given(
            2,
            tickets={0: ["atlanta--new-york"]},
            routes={0: mine, 1: [route.id for route in free.needed]},
        )
    )
    way = nx.Graph([(r.a, r.b) for r in (*blocked.needed, BOARD.routes[mine[0]])])
    assert nx.has_path(way, "atlanta", "new-york")
    assert not set(free.needed) & set(blocked.needed)


def test_the_planner_gives_up_only_the_ticket_that_it_cannot_complete():
    miami = ["atlanta--miami", "charleston--miami", "miami--new-orleans"]
    made = plan(given(2, tickets={0: ["los-angeles--miami", "denver--el-paso"]}, routes={1: miami}))
    assert made.given_up == [BOARD.tickets["los-angeles--miami"]]
    assert made.needed


def test_the_planner_never_plans_both_tracks_of_a_double_route():
    for seats in (2, 4):
        made = plan(given(seats, routes={0: ["denver--kansas-city"], 1: ["portland--seattle"]}))
        planned = {route.id for route in made.needed + made.extra}
        assert "denver--kansas-city--2" not in planned
        assert not [r for r in made.needed + made.extra if r.twin in planned]
