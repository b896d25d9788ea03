"""Rules 5.3 and 7.2: what a player's routes connect, and the longest trail over them."""

from collections import defaultdict
from functools import cache

import networkx as nx
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from domain.boards import load_folder
from domain.network import connections
from domain.network import longest_trail_length as length_of

TRIANGLE = [("a", "b", 1), ("b", "c", 1), ("c", "a", 1)]
FAR_TRIANGLE = [("x", "y", 1), ("y", "z", 1), ("z", "x", 1)]
FIGURE_OF_EIGHT = [*TRIANGLE, ("a", "x", 1), ("x", "y", 1), ("y", "a", 1)]
CYCLES_AT_BOTH_ENDS_OF_A_BRIDGE = [*TRIANGLE, ("a", "x", 5), *FAR_TRIANGLE]
# only two of the three cycles that bridges join to a hub are on a trail
THREE_CYCLES_ON_BRIDGES = [
    *(("hub", corner + "0", 1) for corner in "abc"),
    *((corner + str(i), corner + str((i + 1) % 3), 2) for corner in "abc" for i in range(3)),
]
# path and cycle would have two ends together, and the bridge between them makes four
PATH_AND_CYCLE = [("a", "b", 6), ("b", "c", 6), ("x", "y", 2), ("y", "z", 2), ("z", "x", 2)]
# of separate pieces the one with the longest trail counts, not the heaviest
PIECES = [*(("hub", arm, 2) for arm in "pqrs"), *TRIANGLE, ("a", "b", 3)]

# Found by breaking the search: without its care for what hangs together, these come out wrong.
TWO_GROUPS_CLOSE_AT_ONCE = [
    (2, 1, 3),
    (3, 2, 7),
    (2, 3, 3),
    (5, 6, 7),
    (6, 7, 3),
    (0, 1, 7),
    (1, 0, 4),
    (3, 0, 4),
    (6, 1, 6),
    (1, 4, 5),
]
ALIKE_BUT_FOR_THE_GROUPS = [(0, 4, 1), (3, 2, 8), (4, 3, 3), (1, 2, 8), (0, 4, 1), (3, 2, 7)]


def searched(routes):
    """The length of the longest trail, by trying them all."""
    at = defaultdict(set)
    for route, (a, b, _) in enumerate(routes):
        at[a].add((route, b))
        at[b].add((route, a))

    @cache
    def furthest(location, used):  # routes, as bits
        return max(
            (
                routes[route][2] + furthest(there, used | 1 << route)
                for route, there in at[location]
                if not used >> route & 1
            ),
            default=0,
        )

    return max((furthest(location, 0) for location in list(at)), default=0)


def unit(graph):
    """The edges of a graph as routes of one train."""
    return [(a, b, 1) for a, b in graph.edges()]


@st.composite
def networks(draw, most=11):
    """Few locations, so that there are cycles, parallel routes and loops, or many, so not."""
    location = st.integers(0, draw(st.integers(0, 9)))
    length = st.integers(1, draw(st.sampled_from((1, 2, 8))))
    return draw(st.lists(st.tuples(location, location, length), max_size=most))


@settings(max_examples=500)
@given(networks())
@example(TWO_GROUPS_CLOSE_AT_ONCE)
@example(ALIKE_BUT_FOR_THE_GROUPS)
@example(FIGURE_OF_EIGHT)
@example(CYCLES_AT_BOTH_ENDS_OF_A_BRIDGE)
@example(THREE_CYCLES_ON_BRIDGES)
@example([*PATH_AND_CYCLE, ("b", "x", 1)])
@example([("x", "b", 1), *PATH_AND_CYCLE])
@example(PIECES)
@example([*TRIANGLE, ("a", "x", 5), ("a", "y", 4), ("a", "z", 3)])
def test_7_2_the_longest_trail_is_as_long_as_the_one_found_by_trying_them_all(routes):
    assert length_of(routes) == searched(routes)


@settings(max_examples=100)
@given(networks(most=30), st.randoms(use_true_random=False))
def test_7_2_the_longest_trail_does_not_depend_on_the_order_of_the_routes(routes, random):
    mixed = random.sample(routes, len(routes))
    turned = [(b, a, length) for a, b, length in mixed]
    assert length_of(routes) == length_of(mixed) == length_of(turned)


@pytest.mark.parametrize(
    ("routes", "length"),
    [
        ([], 0),
        ([("a", "b", 6)], 6),
        ([("a", "a", 2), ("a", "b", 1)], 3),
        ([("a", "b", 2), ("a", "b", 3), ("b", "a", 4)], 9),
        ([("hub", "a", 1), ("hub", "b", 2), ("hub", "c", 3), ("hub", "d", 4)], 7),
        ([("a", "b", 1), ("b", "c", 2), ("c", "a", 3), ("c", "d", 4), ("d", "e", 1)], 11),
    ],
    ids=["nothing", "one route", "a loop", "parallel routes", "a star", "a lollipop"],
)
def test_7_2_the_longest_trail_takes_as_much_as_two_ends_allow(routes, length):
    assert length_of(routes) == length


@pytest.mark.parametrize(
    ("routes", "length"),
    [
        (unit(nx.complete_graph(10)), 41),
        (unit(nx.complete_bipartite_graph(3, 15)), 32),
        (unit(nx.complete_bipartite_graph(5, 9)), 38),
        (unit(nx.grid_2d_graph(5, 5)), 34),
        (unit(nx.petersen_graph()), 11),
        (unit(nx.wheel_graph(23)), 34),
        (unit(nx.LCF_graph(30, [-13, -9, 7, -7, 9, 13], 5)), 31),
        (unit(nx.random_regular_graph(4, 22, seed=0)), 44),
        ([("a", "b", 1)] * 45, 45),
        ([("hub", i, 1) for i in range(45)], 2),
        (
            [(i, i + step, 1) for i in range(0, 30, 2) for step in (1, 2)]
            + [(i + 1, i + 2, 1) for i in range(0, 30, 2)],
            45,
        ),
    ],
    ids=[
        "everyone to everyone",
        "three hubs",
        "five hubs",
        "a grid",
        "Petersen",
        "a wheel",
        "Tutte and Coxeter",
        "four each",
        "parallel",
        "a star",
        "a chain of triangles",
    ],
)
def test_7_2_networks_that_defy_a_plain_search_are_no_harder_than_others(routes, length):
    assert length_of(routes) == length


@pytest.mark.parametrize("board", load_folder().values(), ids=load_folder())
def test_7_2_the_longest_trail_over_a_whole_board_leaves_out_the_least_that_makes_it_even(board):
    """A whole board hangs together so well that matching up its odd locations is the answer."""
    routes = [(route.a, route.b, route.length) for route in board.routes]
    graph = nx.Graph()
    for a, b, length in sorted(routes, key=lambda route: -route[2]):
        graph.add_edge(a, b, weight=length)
    odd = [x for x, degree in nx.MultiGraph(r[:2] for r in routes).degree if degree % 2]
    apart = dict(nx.all_pairs_dijkstra_path_length(graph))
    pairs = nx.Graph()
    pairs.add_weighted_edges_from((a, b, apart[a][b]) for i, a in enumerate(odd) for b in odd[:i])
    pairs.add_weighted_edges_from((end, a, 0) for end in ("one end", "other end") for a in odd)
    left_out = sum(pairs[a][b]["weight"] for a, b in nx.min_weight_matching(pairs))
    assert length_of(routes) == sum(length for *_, length in routes) - left_out


def test_5_3_a_location_without_a_route_is_connected_to_itself_only():
    groups = connections([("a", "b")])
    assert groups["z"] == groups["z"] != groups["a"]


@settings(max_examples=100)
@given(networks())
def test_5_3_connections_are_those_that_can_be_walked(routes):
    groups = connections((a, b) for a, b, _ in routes)
    graph = nx.MultiGraph((a, b) for a, b, _ in routes)
    for a in graph:
        assert {b for b in graph if groups[a] == groups[b]} == nx.node_connected_component(graph, a)
