"""Rules 6.1 to 6.3."""

from itertools import product
from random import Random

import networkx as nx
import pytest

from domain.game.commands import ClaimRoute, Resign
from domain.game.events import GameEnded, TurnBegan
from domain.game.fold import decide
from domain.game.scoring import results
from domain.game.state import State
from domain.game.view import view
from domain.rules.stations import BuildStation, StationBuilt, borrowed, stations_left
from domain.rules.tickets import completed_tickets
from tests.domain.given import (
    EUROPE,
    LONDON,
    PARIS,
    USA,
    Hand,
    after,
    discards_of,
    given,
    hand_of,
    listed,
    names,
    refusal,
)

RICH = {"red": 3, "blue": 2, "wild": 3}
PLACES = ("roma", "wien", "paris", "berlin")
NO_TICKETS = dict.fromkeys(range(3), ())


def built(count: int, hand: Hand | None = None, **members) -> State:
    """A position in which seat 0, on turn, has built so many stations and holds these cards."""
    return given(
        **{
            "board": EUROPE,
            "stations": {0: PLACES[:count]},
            "hands": {0: hand or RICH},
            "discards": {},
        }
        | members
    )


def payments(state: State, place: str) -> list[dict[str, int]]:
    """The listed ways for seat 0 to pay for a station in a place."""
    return [
        dict(build.cards) for build in listed(state, 0, BuildStation) if build.location == place
    ]


@pytest.mark.parametrize("cards", [{"red": 1}, {"blue": 1}, {"wild": 1}])
def test_6_1_the_first_station_costs_one_card_and_the_whole_turn(cards):
    state, build = built(0), BuildStation("berlin", cards)
    assert decide(state, 0, build) == [StationBuilt(0, "berlin", cards), TurnBegan(1)]
    state = after(state, (0, build))
    assert state.stations == ((EUROPE.location_index["berlin"],), (), ())
    assert (discards_of(state), stations_left(state, 0)) == (cards, 2)
    assert refusal(state, 0, BuildStation("roma", {"red": 2})) == ("2.3", "not-your-turn")


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (0, [{"blue": 1}, {"red": 1}, {"wild": 1}]),
        (1, [{"blue": 2}, {"blue": 1, "wild": 1}, {"red": 2}, {"red": 1, "wild": 1}, {"wild": 2}]),
        (
            2,
            [
                {"blue": 2, "wild": 1},
                {"blue": 1, "wild": 2},
                {"red": 3},
                {"red": 2, "wild": 1},
                {"red": 1, "wild": 2},
                {"wild": 3},
            ],
        ),
    ],
)
def test_6_1_each_station_costs_one_card_of_the_colour_more_and_wilds_stand_in(count, expected):
    state = built(count)
    assert payments(state, "berlin") == expected
    for cards in expected:
        assert stations_left(after(state, (0, BuildStation("berlin", cards))), 0) == 2 - count


@pytest.mark.parametrize(
    ("count", "place", "cards", "code"),
    [
        *(
            (0, "berlin", cards, "wrong-cards")
            for cards in ({}, {"red": 2}, {"red": 1, "wild": 1}, {"red": 0}, {"red": -1})
        ),
        *(
            (1, "berlin", cards, "wrong-cards")
            for cards in ({"red": 1}, {"red": 3}, {"red": 1, "blue": 1}, {"red": 2, "wild": 0})
        ),
        *(
            (2, "berlin", cards, "wrong-cards")
            for cards in ({"red": 2}, {"red": 2, "blue": 1}, {"red": 1, "blue": 1, "wild": 1})
        ),
        (0, "berlin", {"green": 1}, "cards-not-held"),
        (1, "berlin", {"green": 2}, "cards-not-held"),
        (2, "berlin", {"blue": 3}, "cards-not-held"),
        (0, "berlin", {"pink": 1}, "unknown-card"),
        (0, "oz", {"red": 1}, "unknown-location"),
        (3, "berlin", {"red": 3}, "no-stations-left"),
    ],
)
def test_6_1_any_other_payment_and_a_fourth_station_are_refused(count, place, cards, code):
    assert refusal(built(count), 0, BuildStation(place, cards)) == ("6.1", code)


@pytest.mark.parametrize(("owner", "leaves"), [(0, False), (1, False), (1, True)])
def test_6_1_a_location_has_one_station_at_most_even_if_its_owner_left(owner, leaves):
    state = given(board=EUROPE, stations={owner: ["berlin"]}, hands={0: RICH})
    state = after(state, (owner, Resign())) if leaves else state
    cards = {"red": 2 if owner == 0 else 1}
    assert refusal(state, 0, BuildStation("berlin", cards)) == ("6.1", "station-there")
    assert len({b.location for b in listed(state, 0, BuildStation)}) == len(EUROPE.locations) - 1


def test_6_1_a_station_may_be_built_where_no_route_is_claimed_and_where_one_is():
    state = given(
        board=EUROPE, routes={0: ["berlin--essen"], 1: ["roma--venezia"]}, hands={0: {"red": 1}}
    )
    for place in ("berlin", "roma", "lisboa"):
        assert payments(state, place) == [{"red": 1}]
        assert stations_left(after(state, (0, BuildStation(place, {"red": 1}))), 0) == 2


def test_6_1_an_empty_place_in_the_row_is_filled_from_the_cards_of_a_station():
    state = built(0, row="blue green white black", deck="")
    assert len(after(state, (0, BuildStation("berlin", {"red": 1}))).row) == 5


def test_6_1_other_boards_have_no_stations():
    state = given(board=USA, hands={0: {"red": 4}})
    assert refusal(state, 0, BuildStation("boston", {"red": 1})) == ("1", "not-on-this-board")
    assert "stations" not in view(state, 0, sealed=False)


def test_6_1_everybody_sees_the_stations():
    shown = view(given(board=EUROPE, stations={1: ["roma", "wien"]}), None, sealed=False)
    assert shown["stations"] == [{"location": "roma", "seat": 1}, {"location": "wien", "seat": 1}]
    assert [seat["stations"] for seat in shown["seats"]] == [3, 1, 3]


def test_7_1_a_station_may_be_the_last_turn_of_the_game():
    events = decide(built(0, final=(0,)), 0, BuildStation("berlin", {"red": 1}))
    assert [type(event) for event in events] == [StationBuilt, GameEnded]


def test_8_1_a_station_is_no_pass():
    assert after(built(0, passes=2), (0, BuildStation("berlin", {"red": 1}))).passes == 0


# 6.2


def position(
    tickets: tuple[str, ...],
    stations: tuple[str, ...],
    own: tuple[str, ...] = (),
    others: tuple[str, ...] = (),
) -> State:
    """A position in which seat 0 has these tickets, stations and routes, and seat 1 the others."""
    return given(
        board=EUROPE,
        tickets=NO_TICKETS | {0: tickets},
        stations={0: stations},
        routes={0: own, 1: others},
    )


def done(state: State, seat: int = 0) -> set[str]:
    """The tickets that a seat has completed."""
    return set(names(completed_tickets(state, seat), EUROPE))


TO_SMOLENSK = ("berlin--warszawa", "warszawa--wilno", "smolensk--wilno")
KOBENHAVN, SMOLENSK = "frankfurt--kobenhavn", "frankfurt--smolensk"
TO_ESSEN, TO_BERLIN = ("essen", "frankfurt"), ("berlin", "frankfurt")
BY_SARAJEVO = (("budapest", "sarajevo"), ("sarajevo", "sofia"))


@pytest.mark.parametrize(
    ("tickets", "stations", "own", "lent", "completed"),
    [
        # A station at either end of a route lends it; without one, it does not connect.
        ({KOBENHAVN}, ("frankfurt",), ("essen--kobenhavn",), [TO_ESSEN], {KOBENHAVN}),
        ({KOBENHAVN}, ("essen",), ("essen--kobenhavn",), [TO_ESSEN], {KOBENHAVN}),
        ({KOBENHAVN}, ("kobenhavn",), ("essen--kobenhavn",), [], set()),
        ({KOBENHAVN}, (), ("essen--kobenhavn",), [], set()),
        # A station lends a single route.
        ({"budapest--sofia"}, ("sarajevo",), (), None, set()),
        ({"budapest--sofia"}, ("sarajevo", "sofia"), (), [*BY_SARAJEVO], {"budapest--sofia"}),
        # The same route serves all tickets: 13 points rather than 5, never both; or two tickets.
        (
            {KOBENHAVN, SMOLENSK},
            ("frankfurt",),
            ("essen--kobenhavn", *TO_SMOLENSK),
            [TO_BERLIN],
            {SMOLENSK},
        ),
        (
            {KOBENHAVN, "essen--marseille"},
            ("frankfurt",),
            ("essen--kobenhavn", "frankfurt--paris", "marseille--paris"),
            [TO_ESSEN],
            {KOBENHAVN, "essen--marseille"},
        ),
        # Both stations reach Essen's route to Frankfurt; only Frankfurt's also reaches Berlin.
        (
            {KOBENHAVN, SMOLENSK},
            ("essen", "frankfurt"),
            ("essen--kobenhavn", *TO_SMOLENSK),
            [TO_BERLIN, TO_ESSEN],
            {KOBENHAVN, SMOLENSK},
        ),
    ],
    ids=[
        "one end",
        "other end",
        "neither end",
        "no station",
        "one for two routes",
        "two for two routes",
        "the dearer ticket",
        "two tickets",
        "make way for the best sum",
    ],
)
def test_6_2_each_station_lends_one_route_of_another_player(
    tickets, stations, own, lent, completed
):
    others = ["essen--frankfurt", "berlin--frankfurt", "budapest--sarajevo", "sarajevo--sofia"]
    state = position(tuple(sorted(tickets)), stations, own, tuple(others))
    assert lent is None or sorted(borrowed(state, 0)) == lent
    assert done(state) == completed
    points = [
        ticket.points * (1 if ticket.id in completed else -1)
        for ticket in EUROPE.tickets
        if ticket.id in tickets
    ]
    assert results(state)[0]["tickets"] == sum(points)


@pytest.mark.parametrize(
    ("tickets", "stations", "own", "others"),
    [
        # no route of another reaches the cities, or nobody has claimed what is lacking
        (("frankfurt--kobenhavn",), ("frankfurt", "kobenhavn"), ("essen--kobenhavn",), ()),
        (("budapest--sofia",), ("sofia",), (), ("sarajevo--sofia",)),
    ],
)
def test_6_2_only_claimed_routes_to_its_city_are_lent(tickets, stations, own, others):
    assert done(position(tickets, stations, own, others)) == set()


@pytest.mark.parametrize(
    ("ticket", "own", "completed", "points"),
    [
        # one ticket of 13 points by Berlin, or two by Essen, of 5 and 7
        ("amsterdam--pamplona", ("amsterdam--essen", "pamplona--paris"), {SMOLENSK}, 13 - 5 - 7),
        # or two by Essen, of 5 and 8
        ("essen--marseille", ("marseille--paris",), {KOBENHAVN, "essen--marseille"}, 5 + 8 - 13),
    ],
)
def test_6_2_the_most_points_count_before_the_most_tickets(ticket, own, completed, points):
    state = position(
        (SMOLENSK, KOBENHAVN, ticket),
        ("frankfurt",),
        (*TO_SMOLENSK, "essen--kobenhavn", "frankfurt--paris", *own),
        ("berlin--frankfurt", "essen--frankfurt"),
    )
    assert (done(state), results(state)[0]["tickets"]) == (completed, points)


def test_6_2_routes_of_several_players_and_of_those_who_left_are_lent():
    state = given(
        board=EUROPE,
        tickets=NO_TICKETS | {0: ("budapest--sofia",)},
        stations={0: ["sarajevo", "sofia"]},
        routes={1: ["budapest--sarajevo"], 2: ["sarajevo--sofia"]},
    )
    state = after(state, (2, Resign()))
    assert done(state) == {"budapest--sofia"}


def test_6_2_a_station_does_not_lend_to_others():
    state = given(
        board=EUROPE,
        stations={0: ["frankfurt"]},
        routes={1: ["essen--frankfurt"], 2: ["essen--kobenhavn"]},
        tickets=NO_TICKETS | {2: ("frankfurt--kobenhavn",)},
    )
    assert done(state, 2) == set()


def brute_force(state: State, seat: int) -> tuple[int, int]:
    """The most points from tickets, then tickets, over every choice of a route a station."""
    board, routes = state.board, state.board.routes
    own = [(routes[r].a, routes[r].b) for r in state.routes[seat]]
    theirs = [
        (routes[r].a, routes[r].b)
        for other in state.seats
        if other != seat
        for r in state.routes[other]
    ]
    lent = [
        [None, *{ends for ends in theirs if board.locations[place].id in ends}]
        for place in state.stations[seat]
    ]
    best = (-999, 0)
    for choice in product(*lent):
        graph = nx.Graph([*own, *filter(None, choice)])
        graph.add_nodes_from(place.id for place in board.locations)
        done = [
            nx.has_path(graph, board.tickets[t].a, board.tickets[t].b) for t in state.tickets[seat]
        ]
        value = sum(
            board.tickets[t].points * (1 if d else -1)
            for t, d in zip(state.tickets[seat], done, strict=True)
        )
        best = max(best, (value, sum(done)))
    return best


BUSIEST = ("paris", "frankfurt", "kyiv", "wien", "berlin", "pamplona", "venezia", "zurich")


@pytest.mark.parametrize("seed", range(40))
def test_6_2_the_choice_is_as_good_as_the_best_of_all_choices(seed):
    random = Random(seed)
    routes = random.sample([route.id for route in EUROPE.routes], 50)
    state = given(
        board=EUROPE,
        routes={0: routes[:12], 1: routes[12:32], 2: routes[32:]},
        stations={0: random.sample(BUSIEST, random.randint(1, 3))},
        tickets={0: names(random.sample(range(len(EUROPE.tickets)), 8), EUROPE)},
    )
    result = results(state)[0]
    assert (result["tickets"], result["tickets_completed"]) == brute_force(state, 0)


# 6.3


def test_6_3_a_lent_route_is_not_part_of_the_longest_path_and_scores_nothing_in_itself():
    state = position(
        ("frankfurt--kobenhavn",), ("frankfurt",), ("essen--kobenhavn",), ("essen--frankfurt",)
    )
    assert done(state) == {"frankfurt--kobenhavn"}
    assert [(r["longest_path_length"], r["routes"]) for r in results(state)] == [
        (3, 4),
        (2, 2),
        (0, 0),
    ]


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_6_3_each_unused_station_gives_four_points(count):
    state = given(board=EUROPE, tickets=NO_TICKETS, stations={0: PLACES[:count]})
    first = results(state)[0]
    assert first["stations"] == first["total"] == 4 * (3 - count)
    assert view(state, None, sealed=False)["seats"][0]["score"] == 0  # until the end


@pytest.mark.parametrize("board", [USA, LONDON, PARIS], ids=lambda board: board.id)
def test_6_3_other_boards_give_no_points_for_stations(board):
    assert {r["stations"] for r in results(given(board=board))} == {0}


def test_4_1_a_station_keeps_nobody_from_claiming():
    state = given(board=EUROPE, stations={1: ["roma"]}, hands={0: {"black": 2}})
    assert ClaimRoute("roma--venezia", {"black": 2}) in listed(state, 0, ClaimRoute)
    assert hand_of(after(state, (0, ClaimRoute("roma--venezia", {"black": 2}))), 0) == {}
