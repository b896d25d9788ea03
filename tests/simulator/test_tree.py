"""A tree plays the simulator's games if it is dealt the same; a seat cannot tell a history that was
sampled again from the true one."""

from random import Random

import numpy as np
import pytest
from fogg_simulator import IllegalAction, Simulator, fold
from fogg_simulator.arrays import DRAW_TICKETS, KEEP, SETUP
from fogg_simulator.tree import HIDDEN, Tree

from domain.boards import load_folder
from tests.simulator.twins import changed

BOARDS = load_folder()
FEW = changed(
    BOARDS["europe"],
    trains=20,
    hand=2,
    cards=dict.fromkeys(BOARDS["europe"].colors, 3) | {"wild": 2},
)
PLAYED = [
    (BOARDS["usa"], 2),
    (BOARDS["europe"], 3),
    (BOARDS["london"], 4),
    (BOARDS["paris"], 2),
    (BOARDS["usa-10th"], 4),
    (FEW, 3),
]


def dealt(simulator, before, action):
    """The cards and tickets that an action took from the decks."""
    game, board = simulator._games[0], simulator.board
    first_ticket = len(board.colors)
    first_seat = first_ticket + len(board.tickets)
    if action == fold.BEGIN:
        cards = game["deck"][: game["deck_top"]].tolist()
        counts = game["offered_count"][: simulator.seats]
        return cards + [
            first_ticket + game["offered"][seat, place]
            for seat, count in enumerate(counts)
            for place in range(count)
        ]
    if simulator.ways[action][0] == DRAW_TICKETS:
        count = game["offered_count"][game["turn"]]
        return [first_ticket + ticket for ticket in game["offered"][game["turn"], :count]]
    if before["step"] == SETUP != game["step"]:
        return [first_seat + game["first_seat"]]
    if game["shuffles"] == before["shuffles"]:
        return game["deck"][before["deck_top"] : game["deck_top"]].tolist()
    return [
        *before["deck"][before["deck_top"] : before["deck_end"]].tolist(),
        *game["deck"][: game["deck_top"]].tolist(),
    ]


@pytest.mark.parametrize(("board", "seats"), PLAYED)
def test_a_tree_that_is_dealt_the_same_plays_the_same_game(board, seats):
    simulator, tree, random = Simulator(board, seats, restarts=False), Tree(board, seats), Random(1)
    simulator.begin(0, 4)
    node, before, action = tree.root, None, fold.BEGIN
    while True:
        for outcome in dealt(simulator, before, action):
            node = tree.apply(node, outcome)
        assert node.chance is None
        assert [*node.legal] == np.flatnonzero(simulator.mask[0]).tolist()
        for seat in range(seats):
            expected = simulator.observe_as(0, seat)
            assert (tree.observation(node, seat) == expected).all()
        if not node.legal:
            break
        assert node.seat == simulator.seat[0]
        before, action = simulator._games[0].copy(), random.choice(node.legal)
        simulator.step([action])
        node = tree.apply(node, action)
    own, others = simulator.scores[0, 0], simulator.scores[0, 1:]
    assert node.margins[0] == own - others.mean()
    assert board is not FEW or simulator._games[0]["shuffles"] > 3


def played(tree, random):
    """Yield the nodes of a random game in which somebody decides, then its last one."""
    node = tree.root
    while node.chance or node.legal:
        if node.chance:
            numbers, weights = zip(*node.chance.weights.items(), strict=True)
            node = tree.apply(node, random.choices(numbers, weights)[0])
        else:
            yield node
            node = tree.apply(node, random.choice(node.legal))
    yield node


def sampled(tree, node, seat, random):
    fixed = set()
    while True:
        other = tree.root
        try:
            for number in tree.other_history(node, seat, random.random, fixed):
                other = tree.apply(other, number)
        except IllegalAction:
            fixed |= tree.used(node, len(other.entries))
        else:
            return other


@pytest.mark.parametrize(("board", "seats"), PLAYED)
def test_a_resampled_history_looks_to_a_seat_like_the_true_one(board, seats):
    tree, random, differ = Tree(board, seats), Random(3), 0
    for node in played(tree, random):
        if random.random() < 0.05 or not node.legal:
            seat = random.randrange(seats)
            other = sampled(tree, node, seat, random)
            assert tree.seen(other, seat) == tree.seen(node, seat)
            assert (tree.observation(other, seat) == tree.observation(node, seat)).all()
            assert other.seat == node.seat
            assert other.seat != seat or other.legal == node.legal
            differ += other.entries != node.entries
    assert differ > 1


def test_a_resampled_history_does_not_reveal_the_tickets_that_others_kept():
    tree, random = Tree("europe", 2), Random(3)
    long = [ticket.long for ticket in tree.board.tickets]
    nodes = iter(played(tree, random))
    node = next(
        node
        for node in nodes
        if tree.root.entries != node.entries
        and sum(entry.actor == 1 for entry in node.entries) == 1
    )
    kept_long = set()
    for _ in range(60):
        other = sampled(tree, node, 0, random)
        assert tree.seen(other, 0) == tree.seen(node, 0)
        tree.load(0, other.position)
        holder = tree.records[1][0]["holder"]
        kept_long.add(sum(is_long for ticket, is_long in enumerate(long) if holder[ticket] == 1))
    assert kept_long == {0, 1}


def test_the_chances_of_a_card_are_those_of_the_deck():
    tree = Tree("usa")
    count = dict(enumerate(tree.board.cards.values()))
    assert tree.root.chance.weights == count
    node = tree.apply(tree.root, 3)
    assert node.chance.weights == count | {3: count[3] - 1}
    with pytest.raises(IllegalAction, match="this cannot come next: 9"):
        tree.apply(node, 9)


def test_a_seat_sees_its_own_cards_and_tickets_and_how_many_others_keep():
    tree, node = Tree("usa"), None
    for node in played(tree, Random(5)):
        if node.seat == 1:
            break
    first, keep = tree.first_ticket, next(n for n, way in enumerate(tree.ways) if way[0] == KEEP)
    own, other = tree.seen(node, 0), tree.seen(node, 1)
    assert [number == HIDDEN for number in own] == [4 <= n < 8 or 16 <= n < 19 for n in range(20)]
    assert [number == HIDDEN for number in other] == [n < 4 or 13 <= n < 16 for n in range(20)]
    assert all(first <= number < tree.first_seat for number in own[13:16])
    kept = own[19] - keep
    assert other[19] == keep + (3 if kept.bit_count() == 2 else 7)


def test_outcomes_are_described_in_words():
    tree = Tree("usa")
    ticket = tree.board.tickets[2].id
    assert [tree.describe_outcome(n) for n in (0, tree.first_ticket + 2, tree.first_seat + 1)] == [
        f"a {tree.board.colors[0]} card",
        f"the ticket {ticket}",
        "seat 1 begins",
    ]
