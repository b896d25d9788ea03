"""Pairing, compared with checks that share no code with it."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import networkx as nx
import pytest

from domain.tournament.circle import circle, circle_length
from domain.tournament.pairing import Past, balanced, grouped
from domain.tournament.state import FINISHED
from tests.domain.tournament.test_tournament import Cup, cup

# Round robins


@pytest.mark.parametrize("boards", [1, 2, 3, 4, 5, 6, 8, 10])
@pytest.mark.parametrize("count", range(2, 25))
def test_each_pair_meets_once_a_cycle_and_sits_in_both_orders_on_each_board(count, boards):
    pairs, entrants, met, everybody = Counter(), Counter(), Counter(), [*range(count)]
    for number in range(circle_length(count) * 2 * boards):
        board, (cycles, begins) = number % boards, divmod(number, circle_length(count))
        if cycles and not begins:
            assert met == dict.fromkeys(combinations(everybody, 2), cycles)
            of_all = [abs(n) for (_, of), n in entrants.items() if of == "all"]
            assert max(of_all) <= (1 if cycles <= boards else 2)
            of_boards = [abs(n) for (_, of), n in entrants.items() if of != "all"]
            assert max(of_boards) <= min(cycles, 2) or cycles > 4 or boards > 5
        at_tables = circle(everybody, number, boards)
        assert len({one for pair in at_tables for one in pair}) == count - count % 2
        met.update(tuple(sorted(pair)) for pair in at_tables)
        for one, other in at_tables:
            pairs[min(one, other), max(one, other), board] += 1 if one < other else -1
            assert abs(pairs[min(one, other), max(one, other), board]) <= 1
            for of in (board, "all"):
                entrants[one, of] += 1
                entrants[other, of] -= 1
    assert set(pairs.values()) == {0}
    assert set(entrants.values()) == {0}


# Tables of two


def played_at_random(count: int, rounds: int, seed: int, **wish) -> Cup:
    """Return a tournament in which everybody's strength changes from round to round."""
    chance, held = random.Random(seed), cup(count, rounds=rounds, **wish)
    while held.state.status != FINISHED:
        held.play({name: chance.random() for name in held.state.entrants}, rounds=1)
    return held


def matchings(rest: list[str]) -> Iterator[list[tuple[str, str]]]:
    """Yield every way to pair all of these."""
    if not rest:
        yield []
    for other in rest[1:]:
        for pairs in matchings([one for one in rest[1:] if one != other]):
            yield [(rest[0], other), *pairs]


def costs(met: Counter, points: dict, floated: set, one: str, other: str) -> list[int]:
    """Return what counts against a meeting, the most important first: that it is a repeated one,
    how often, the square of the difference in points, and a second float in a row."""
    again = met[frozenset((one, other))]
    gap = abs(4 * points[one] - 4 * points[other])
    better = max(one, other, key=points.__getitem__)
    return [int(again > 0), again, int(gap**2), int(gap > 0 and better in floated)]


def total(pairs, *known) -> list[int]:
    return [sum(term) for term in zip(*(costs(*known, *pair) for pair in pairs), strict=True)]


def least(entrants: list[str], *known) -> list[int]:
    """Return the lowest total that a pairing of these can have: of all, or, for many entrants, by a
    maximal matching."""
    if len(entrants) <= 8:
        return min(total(pairs, *known) for pairs in matchings(entrants))
    graph = nx.Graph()
    for pair in combinations(entrants, 2):
        again, before, gap, second = costs(*known, *pair)
        weight = 10**18 - (again * 10**15 + before * 10**12 + gap * 10**3 + second)
        graph.add_edge(*pair, weight=weight)
    return total(nx.max_weight_matching(graph, maxcardinality=True), *known)


@pytest.mark.parametrize(
    ("count", "rounds"),
    [
        *((count, count + 1) for count in range(3, 13)),
        (16, 15),
        (24, 10),
        (33, 8),
        (48, 7),
        (128, 3),
    ],
)
def test_a_swiss_has_the_best_pairs(count, rounds):
    met, points, floated = Counter(), Counter(), set()
    for paired in played_at_random(count, rounds, seed=count, format="swiss").state.rounds:
        pairs = [table.entrants for table in paired.tables]
        assert total(pairs, met, points, floated) == least(
            [one for pair in pairs for one in pair], met, points, floated
        )
        met.update(map(frozenset, pairs))
        floated = {
            max(pair, key=points.__getitem__)
            for pair in pairs
            if points[pair[0]] != points[pair[1]]
        }
        for table in paired.tables:
            for one, result in zip(table.entrants, table.results[0], strict=True):
                points[one] += 2 - result["rank"]
        for one in paired.byes:
            points[one] += 0.5


def thirds(last: dict[str, list], pair: tuple[str, str]) -> int:
    return sum(last.get(one, [])[-2:] == [seat, seat] for seat, one in enumerate(pair))


@pytest.mark.parametrize(
    ("count", "wish"),
    [
        (32, {"format": "swiss", "rounds": 5}),
        (64, {"format": "swiss", "rounds": 12}),
        (64, {"format": "swiss", "rounds": 12, "boards": ("usa", "europe")}),
        (128, {"format": "knockout", "rounds": None}),
    ],
)
def test_seats_change_from_table_to_table(count, wish):
    """Nobody has a seat three times in a row unless both at the table had it twice. On each board
    everybody sits first as often as second, as nearly as possible."""
    sat, on_board, rows = {}, Counter(), 0
    for paired in played_at_random(count, seed=1, **wish).state.rounds:
        for table in paired.tables:
            assert thirds(sat, table.entrants) <= thirds(sat, table.entrants[::-1])
            rows += thirds(sat, table.entrants)
            for rotation in range(len(table.games)):
                for seat, one in enumerate(table.seated(rotation)):
                    sat.setdefault(one, []).append(seat)
                    on_board[one, paired.board] += 2 * seat - 1
    assert rows <= count / 10
    assert max(abs(seats.count(0) - seats.count(1)) for seats in sat.values()) <= 3
    assert max(map(abs, on_board.values())) <= 3


def test_seats_do_not_count_where_each_deal_is_played_from_all_of_them():
    held = played_at_random(16, 5, seed=1, format="swiss", deals="duplicate")
    order = held.state.drawn
    assert [table.entrants for table in held.state.rounds[0].tables] == [
        *zip(order[::2], order[1::2], strict=True)
    ]


# Larger tables


def partitions(rest: list[str], sizes: list[int]) -> Iterator[list[tuple[str, ...]]]:
    """Yield every way to part these into groups of these sizes."""
    if not sizes:
        yield []
    for size in set(sizes):
        others = sizes.copy()
        others.remove(size)
        for members in combinations(rest[1:], size - 1):
            remaining = [one for one in rest[1:] if one not in members]
            for groups in partitions(remaining, others):
                yield [(rest[0], *members), *groups]


@pytest.mark.parametrize(
    ("count", "seats"), [(6, 3), (8, 3), (9, 3), (12, 3), (8, 4), (11, 4), (12, 4), (10, 5)]
)
def test_at_larger_tables_few_entrants_meet_again_only_where_they_must(count, seats):
    everybody, chance, past = [f"p{i}" for i in range(count)], random.Random(1), Past()
    for _ in range(4):
        order = chance.sample(everybody, count)
        groups = grouped(order, seats, past, {one: count - i for i, one in enumerate(order)})

        def repeated(groups):
            return sum(past.met[pair] > 0 for group in groups for pair in combinations(group, 2))

        assert repeated(groups) == min(map(repeated, partitions(order, [*map(len, groups)])))
        past.add(groups, [])


@pytest.mark.parametrize(
    ("count", "seats", "most"), [(12, 4, 46), (20, 5, 63), (24, 4, 5), (32, 4, 0)]
)
def test_a_round_robin_at_larger_tables_repeats_no_more_than_a_search_finds(count, seats, most):
    """``most`` is what this finds; a search from six random starts in each round finds no less."""
    order, past, again = [f"p{i}" for i in range(count)], Past(), 0
    for _ in range(6):
        tables = balanced(order, seats, past)
        assert tables == balanced(order, seats, past)
        again += sum(past.met[pair] for table in tables for pair in combinations(table, 2))
        past.add(tables, [])
    assert again <= most
