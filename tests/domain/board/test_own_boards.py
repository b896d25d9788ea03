"""Boards that anybody may write: rules that no board of ours has together, or numbers that none
of ours has."""

import json

import pytest

from domain.board.board import Board
from domain.boards import FOLDER, parse
from domain.game.commands import ClaimRoute, DrawTickets, KeepTickets
from domain.game.legal import legal_actions
from domain.game.scoring import results
from domain.game.state import State
from domain.rules.stations import BuildStation
from domain.rules.tunnels import PayTunnel, WithdrawTunnel
from tests.domain.given import after, cards_in, given, names, refusal

TABLE = json.loads((FOLDER / "paris.json").read_text(encoding="utf-8"))
WHITE = "batignolles--montmartre"  # 2 spaces


def own_board(tunnel: str = WHITE, **members) -> Board:
    """The board of Paris with a tunnel, stations and other members of ours."""
    routes = [
        route | {"tunnel": True} if f"{route['a']}--{route['b']}" == tunnel else route
        for route in TABLE["routes"]
    ]
    table = TABLE | {
        "board": "own",
        "routes": routes,
        "stations": 2,
        "rules": ["flags", "tunnels", "stations"],
    }
    return parse(json.dumps(table | members))


OWN = own_board()
CLAIM = ClaimRoute(WHITE, {"white": 2}, True)


def before(deck: str, **members) -> State:
    """A position in which seat 0 may claim a white tunnel and keep a card of it."""
    return given(board=OWN, hands={0: {"white": 4, "wild": 2}}, deck=deck, discards={}, **members)


def flag_of(state: State) -> tuple[str, ...]:
    return OWN.names(state.flags[0])


@pytest.mark.parametrize(
    ("deck", "answers", "flag"),
    [
        ("red red red", [], ("white",)),
        ("white red red", [], ()),  # until it is paid
        ("white red red", [PayTunnel({"white": 1})], ("white",)),
        ("white red red", [PayTunnel({"wild": 1})], ("white",)),
        ("white red red", [WithdrawTunnel()], ()),
    ],
)
def test_4_5_a_card_of_a_tunnel_is_kept_once_it_is_claimed(deck, answers, flag):
    moves = [(0, answer) for answer in answers]
    state = before(deck)
    kept = after(state, (0, CLAIM), *moves)
    assert flag_of(kept) == flag
    assert cards_in(kept) == cards_in(state)
    assert flag_of(after(state, (0, ClaimRoute(WHITE, {"white": 2})), *moves)) == ()


def test_4_5_no_wild_of_a_tunnel_is_kept_though_the_extra_has_the_colour():
    assert refusal(before("white"), 0, ClaimRoute(WHITE, {"wild": 2}, True)) == (
        "4.5",
        "no-flag-card",
    )


def test_4_5_a_tunnel_may_complete_a_flag():
    state = after(
        before("white red red", flags={0: ["blue", "red"]}), (0, CLAIM), (0, PayTunnel({"wild": 1}))
    )
    assert (flag_of(state), state.flag_points[0], state.tunnel) == ((), 4, None)


@pytest.mark.parametrize(("left", "least"), [(0, None), (1, 1), (2, 2), (3, 2)])
def test_5_1_where_fewer_tickets_are_left_than_must_be_kept_all_are_kept(left, least):
    board = own_board(tickets_on_a_turn={"deal": 3, "keep": 2})
    deck = names(range(left), board)
    state = given(board=board, ticket_deck=deck)
    if least is None:
        assert refusal(state, 0, DrawTickets()) == ("5.1", "no-tickets-left")
        return
    state = after(state, (0, DrawTickets()))
    assert legal_actions(state, 0)[0] == KeepTickets(deck[:least])
    assert {len(action.tickets) for action in legal_actions(state, 0)} == {*range(least, left + 1)}
    assert refusal(state, 0, KeepTickets(deck[: least - 1])) == ("5.1", "too-few-tickets")


@pytest.mark.parametrize("stations", [1, 2, 4])
def test_6_1_a_seat_has_as_many_stations_as_the_board_says_each_a_card_dearer(stations):
    board = own_board(stations=stations)
    state = given(board=board, hands={0: {"wild": 8, "red": 6}})
    for built in range(stations):
        state.turn = 0
        build = BuildStation(board.locations[built].id, {"red": built + 1})
        state.hands = (board.counts({"red": built + 1}), *state.hands[1:])
        assert build in legal_actions(state, 0)
        state = after(state, (0, build))
    state.turn, state.hands = 0, (board.counts({"red": 6}), *state.hands[1:])
    assert not [a for a in legal_actions(state, 0) if type(a) is BuildStation]
    assert refusal(state, 0, BuildStation("bastille", {"red": stations + 1})) == (
        "6.1",
        "no-stations-left" if board.location_index["bastille"] >= stations else "station-there",
    )


def test_7_3_a_route_that_a_station_lends_connects_no_district():
    ends = ("batignolles", "montmartre")
    places = [
        place | ({"district": 3} if place["id"] in ends else {}) for place in TABLE["locations"]
    ]
    ticket = {"a": ends[0], "b": ends[1], "points": 5}
    tickets = [row for row in TABLE["tickets"] if (row["a"], row["b"]) != ends]
    board = own_board(
        locations=places,
        tickets=[*tickets, ticket],
        rules=["flags", "tunnels", "stations", "districts"],
    )
    state = given(
        board=board,
        routes={1: [WHITE]},
        stations={0: [ends[0]]},
        tickets={0: ["--".join(ends)], 1: ()},
    )
    lent, owned = results(state)[:2]
    assert (lent["tickets"], lent["districts"]) == (5, 0)
    assert owned["districts"] == 3
