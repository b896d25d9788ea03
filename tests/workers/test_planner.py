"""The planner on each board's own rules, and whole games of bots on every board."""

import pytest

from domain.game.commands import ClaimRoute
from domain.game.state import State
from domain.game.view import view
from tests.domain.given import BOARDS, EUROPE, LONDON, PARIS, USA, after, given
from tests.workers import matches
from tests.workers.matches import Checked, match, play_out, seat_bots, wins
from workers.bots import board as bots
from workers.bots.plan import Plan, make_plan
from workers.bots.position import Position

boards = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
BOARD = bots.Board(EUROPE.described)
NO_TICKETS = {seat: [] for seat in range(2)}


def choice(state: State) -> dict:
    return matches.choice(Checked(state.board, "planner"), state)


def position(state: State) -> Position:
    """The position of seat 0."""
    return Position(bots.Board(state.board.described), view(state, 0, sealed=False))


def plan(state: State) -> Plan:
    """Return seat 0's plan."""
    return make_plan(position(state))


@pytest.mark.deep
@boards
@pytest.mark.parametrize("name", ["planner", "greedy"])
def test_a_bot_plays_whole_games_on_every_board_for_every_number_of_players(board, name):
    for seats in board.players:
        table = [Checked(board, name, seed) for seed in range(seats)]
        end = play_out(seat_bots(board, table, seed=seats), table)
        assert end.ending == "final_turns"


@boards
def test_different_bots_play_whole_games_together_on_every_board(board):
    for seed in range(2):
        table = [Checked(board, name) for name in ("planner", "greedy", "random")]
        assert play_out(seat_bots(board, table, seed=seed), table).status == "finished"


@pytest.mark.deep
@boards
@pytest.mark.parametrize(("strong", "weak"), [("planner", "greedy"), ("greedy", "random")])
def test_a_bot_beats_the_weaker_one_on_every_board(board, strong, weak):
    assert wins(match(board, Checked(board, strong), Checked(board, weak), games=12)) >= 9


TO_LONDON = {
    "tickets": {0: ["edinburgh--paris"]},
    "ticket_deck": [],
    "routes": {0: ["dieppe--paris", "edinburgh--london"]},
}


def test_the_planner_takes_the_wild_that_a_needed_ferry_waits_for_4_3():
    state = given(
        2, board=EUROPE, hands={0: {"red": 1}}, row="wild red blue black green", **TO_LONDON
    )
    assert choice(state) == {"type": "draw_card", "from": "row", "card": "wild"}


NEARLY_ZURICH = {
    "tickets": {0: ["brindisi--zurich"]},
    "ticket_deck": [],
    "routes": {0: ["roma--venezia", "brindisi--roma"]},
}


def test_the_planner_tries_a_tunnel_only_with_a_card_to_spare_4_4():
    bare = given(2, board=EUROPE, hands={0: {"green": 2}}, **NEARLY_ZURICH)
    spare = given(2, board=EUROPE, hands={0: {"green": 3}}, **NEARLY_ZURICH)
    assert choice(bare)["type"] == "draw_card"
    assert choice(spare)["route"] == "venezia--zurich"


@pytest.mark.parametrize(
    ("hand", "answer"),
    [
        ({"green": 3}, {"type": "pay_tunnel", "cards": {"green": 1}}),
        ({"green": 2, "red": 1}, {"type": "withdraw_tunnel"}),
    ],
)
def test_the_planner_pays_what_a_tunnel_asks_for_if_it_can_4_4(hand, answer):
    state = given(2, board=EUROPE, hands={0: hand}, deck="green red red blue", **NEARLY_ZURICH)
    laid = after(state, (0, ClaimRoute("venezia--zurich", {"green": 2})))
    assert choice(laid) == answer


ZURICH = [route.id for route in EUROPE.routes if "zurich" in (route.a, route.b)]


def test_the_planner_builds_a_station_when_its_last_way_is_blocked_6_1():
    needed = NEARLY_ZURICH | {"routes": {**NEARLY_ZURICH["routes"], 1: ZURICH}}
    blocked = given(2, board=EUROPE, hands={0: {"red": 1}}, **needed)
    assert choice(blocked)["type"] == "build_station"
    assert choice(blocked)["location"] in ("zurich", "venezia")


def test_the_planner_builds_a_station_on_the_last_turn_if_a_ticket_is_worth_it_6_3():
    last = {"board": EUROPE, "hands": {0: {"red": 2}}, "ticket_deck": [], "final": (0,)}
    needed = NEARLY_ZURICH | {"routes": {**NEARLY_ZURICH["routes"], 1: ["venezia--zurich"]}}
    assert choice(given(2, **last | needed))["type"] == "build_station"
    assert choice(given(2, **last | needed | {"tickets": {0: []}}))["type"] != "build_station"


def test_a_station_lends_a_route_for_the_ticket_that_needs_it_6_2():
    routes = {**NEARLY_ZURICH["routes"], 1: ["munchen--venezia", "venezia--zurich"]}
    built = given(2, board=EUROPE, stations={0: ["venezia"]}, **NEARLY_ZURICH | {"routes": routes})
    assert position(built).is_connected(BOARD.tickets["brindisi--zurich"])
    assert plan(built).needed == []


def test_the_planner_plans_no_more_stations_than_it_has_6_1():
    both_ends = [route.id for route in EUROPE.routes if {"zurich", "brindisi"} & {route.a, route.b}]
    needed = {"tickets": {0: ["brindisi--zurich"]}, "routes": {1: both_ends}}
    assert plan(given(2, board=EUROPE, **needed)).given_up == []
    for built in (["cadiz", "moskva"], ["cadiz", "moskva", "riga"]):
        made = plan(given(2, board=EUROPE, stations={0: built}, **needed))
        assert [ticket.id for ticket in made.given_up] == ["brindisi--zurich"]


def test_a_station_on_the_last_turn_costs_what_an_unused_one_brings_6_3():
    state = given(
        2,
        board=EUROPE,
        tickets={0: ["angora--athina"]},
        hands={0: {"black": 4}},
        routes={0: ["athina--smyrna"], 1: ["angora--smyrna"]},
        final=(0,),
    )
    assert choice(state)["type"] == "claim_route"  # 7 points, against 2 x 5 - 4


def test_the_planner_completes_a_district_on_the_last_turn_rather_than_claim_as_long_a_route_7_3():
    state = given(
        2,
        board=LONDON,
        tickets=NO_TICKETS,
        hands={0: {"pink": 2, "blue": 3}},
        routes={0: ["elephant-and-castle--globe-theatre"]},
        final=(0,),
    )
    assert choice(state)["route"] == "globe-theatre--waterloo"


def test_the_planner_keeps_a_card_for_the_flag_4_5():
    state = given(
        2,
        board=PARIS,
        tickets=NO_TICKETS,
        hands={0: {"blue": 1, "violet": 3}},
        flags={0: ["white", "red"]},
        final=(0,),
    )
    assert choice(state) == {
        "type": "claim_route",
        "route": choice(state)["route"],
        "cards": {"blue": 1},
        "keep_for_flag": True,
    }


def test_the_planner_pays_with_a_card_to_keep_while_the_game_goes_on_4_5():
    state = given(
        2,
        board=PARIS,
        tickets={0: ["notre-dame--opera"]},
        routes={0: ["louvre--notre-dame"]},
        hands={0: {"blue": 1, "wild": 1}},
    )
    assert choice(state).get("keep_for_flag")


def test_the_planner_joins_its_routes_only_where_the_longest_path_counts_7_2():
    state = given(2, board=USA, tickets=NO_TICKETS, hands={0: {}}, routes={0: ["denver--helena"]})
    without = {**USA.described, "longest_path_bonus": 0}
    joining, alone = (
        [
            route.id
            for route in make_plan(Position(bots.Board(table), view(state, 0, sealed=False))).extra
        ]
        for table in (USA.described, without)
    )
    assert joining[0].startswith("helena") or joining[0].endswith("helena")
    assert alone[0] != joining[0]


def test_the_planner_gives_up_a_ticket_whose_routes_take_more_trains_than_are_left():
    state = given(2, board=USA, tickets={0: ["atlanta--new-york"], 1: []}, trains={0: 9})
    steep = {
        **USA.described,
        "routes": [{**route, "trains": route["length"] + 3} for route in USA.described["routes"]],
    }
    flat, dear = (
        make_plan(Position(bots.Board(table), view(state, 0, sealed=False)))
        for table in (USA.described, steep)
    )
    assert flat.needed
    assert not flat.given_up
    assert [ticket.id for ticket in dear.given_up] == ["atlanta--new-york"]
    assert sum(route.trains for route in dear.needed + dear.extra) <= 9
