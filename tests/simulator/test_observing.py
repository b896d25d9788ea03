"""An observation has nothing of what its seat cannot see (test_views.py: it has all of the seat's
view). A determinized world cannot be told from the true one."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from fogg_simulator import Simulator
from hypothesis import given
from hypothesis import strategies as st

from domain.boards import load_folder

BOARDS = load_folder()


def under_way(board: str, seats: int, seed: int, steps: int) -> Simulator:
    simulator = Simulator(board, seats, seed=seed, restarts=False)
    random = np.random.default_rng(seed)
    for _ in range(steps):
        legal = np.flatnonzero(simulator.mask[0])
        if not legal.size:
            return Simulator(board, seats, seed=seed)
        simulator.step([random.choice(legal)])
    return simulator


def rewrite(simulator: Simulator, random: np.random.Generator) -> None:
    """Rewrite all that the seat to act cannot see: the deck and the ticket deck, the other seats'
    hidden cards, tickets and offers, and the key of chance."""
    game, seat, colors = simulator._games[0], simulator.seat[0], len(simulator.board.colors)
    tickets = len(simulator.board.tickets)
    game["deck"] = random.integers(0, colors, game["deck"].shape)
    game["ticket_deck"] = random.integers(0, tickets, game["ticket_deck"].shape)
    hidden = [ticket for ticket in range(tickets) if game["holder"][ticket] != seat]
    game["holder"][hidden] = random.permutation(game["holder"][hidden])
    game["refusers"] = random.integers(0, 4, game["refusers"].shape)
    for other in range(simulator.seats):
        if other != seat:
            unseen = int(game["hands"][other].sum() - game["taken"][other].sum())
            game["hands"][other] = game["taken"][other]
            for color in random.integers(0, colors, unseen):
                game["hands"][other][color] += 1
            for name in ("offered", "refused"):
                game[name][other] = random.integers(0, tickets, game[name][other].shape)
    for name in ("inner", "outer", "key", "words", "state"):
        game[name] = random.integers(0, 1 << 31, game[name].shape)


games = given(
    st.sampled_from([*BOARDS]), st.integers(2, 4), st.integers(0, 1 << 30), st.integers(0, 150)
)


@games
def test_an_observation_does_not_depend_on_hidden_cards(board, seats, seed, steps):
    simulator = under_way(board, seats, seed, steps)
    before, mask = (part.copy() for part in simulator.observe())
    rewrite(simulator, np.random.default_rng(seed))
    after, _ = simulator.observe()
    assert after.tobytes() == before.tobytes()
    simulator.load(0, simulator.save(0))  # lists the legal actions again
    assert (simulator.mask == mask).all()


@games
def test_a_determinized_world_looks_to_a_seat_like_the_true_one(board, seats, seed, steps):
    simulator = under_way(board, seats, seed, steps)
    before, mask = (part.copy() for part in simulator.observe())
    cards, tickets = all_cards(simulator), all_tickets(simulator)
    for world in range(3):
        simulator.determinize(0, world)
        after, _ = simulator.observe()
        assert after.tobytes() == before.tobytes()
        simulator.load(0, simulator.save(0))
        assert (simulator.mask == mask).all()
        assert all_cards(simulator) == cards
        now = all_tickets(simulator)
        assert max(now.values()) == 1
        if "long" not in simulator.board.table["tickets_at_start"]:
            assert now == tickets


@games
def test_a_determinized_game_can_be_played_to_its_end(board, seats, seed, steps):
    simulator = under_way(board, seats, seed, steps)
    simulator.determinize(0, seed)
    cards, random = all_cards(simulator), np.random.default_rng(seed)
    while not simulator.finished[0]:
        assert all_cards(simulator) == cards
        simulator.step([random.choice(np.flatnonzero(simulator.mask[0]))])
        if simulator._games[0]["step"] in (2, 3):
            simulator.determinize(0, seed)


def all_cards(simulator: Simulator) -> list[int]:
    """How many cards of each colour are anywhere (9.1)."""
    game, colors = simulator._games[0], len(simulator.board.colors)
    cards = game["hands"].sum(axis=0) + game["discards"]
    deck = game["deck"][game["deck_top"] : game["deck_end"]]
    turned = game["turned"][: game["turned_count"]]
    for card in [*deck, *game["row"][: game["row_count"]], *turned]:
        cards[card] += 1
    for flag in game["flag"]:
        for stripe, kept in enumerate(flag):
            cards[simulator._tables.record[0]["flag_color"][stripe]] += kept
    if game["tunnel_route"] >= 0:
        length = simulator.board.lengths[game["tunnel_route"]]
        color, wild = game["tunnel_color"], colors - 1
        wilds = length if color == wild else game["tunnel_wilds"]
        cards[wild] += wilds
        cards[color] += length - wilds
    return cards[:colors].tolist()


def all_tickets(simulator: Simulator) -> Counter:
    """The tickets in the deck, and before the seats."""
    game = simulator._games[0]
    tickets = Counter(game["ticket_deck"][: game["ticket_count"]].tolist())
    tickets.update(np.flatnonzero(game["holder"] >= 0).tolist())
    for seat in range(simulator.seats):
        tickets.update(game["offered"][seat][: game["offered_count"][seat]].tolist())
        tickets.update(game["refused"][seat][: game["refused_count"][seat]].tolist())
    return tickets


def test_worlds_differ_and_a_seed_gives_the_same_one():
    simulator = under_way("usa", 3, 5, 60)
    true, worlds = simulator.save(0), []
    for seed in (1, 2, 1):
        simulator.load(0, true)
        simulator.determinize(0, seed)
        worlds.append(simulator.save(0))
    assert len({true, *worlds}) == 3
    assert worlds[0] == worlds[2]


def test_in_a_world_a_ticket_that_the_seat_refused_lies_where_it_put_it():
    simulator = Simulator("usa", seats=2, seed=3)
    refused = [int(simulator._games[0]["offered"][seat][2]) for seat in range(2)]
    simulator.step([simulator._tables.record[0]["keep"] + 0b011])
    simulator.step([simulator._tables.record[0]["keep"] + 0b011])
    count, seat = simulator._games[0]["ticket_count"], simulator.seat[0]
    for world in range(20):
        simulator.determinize(0, world)
        bottom = simulator._games[0]["ticket_deck"][:count].tolist()[-2:]
        assert bottom[seat] == refused[seat]
    assert simulator._games[0]["refusers"][bottom[1 - seat]] == 1 << (1 - seat)


def test_every_ticket_that_may_be_hidden_turns_up_in_some_world():
    simulator = under_way("europe", 2, 8, 40)
    rival = 1 - simulator.seat[0]
    seen = set()
    for world in range(400):
        simulator.determinize(0, world)
        seen |= {*np.flatnonzero(simulator._games[0]["holder"] == rival).tolist()}
    own = np.flatnonzero(simulator._games[0]["holder"] == simulator.seat[0]).tolist()
    known = np.flatnonzero(simulator._games[0]["refusers"] >> simulator.seat[0] & 1).tolist()
    assert seen == set(range(46)) - {*own, *known}


def long_tickets(simulator: Simulator, seat: int) -> int:
    tickets = simulator.board.tickets
    return sum(
        tickets[ticket].long for ticket in np.flatnonzero(simulator._games[0]["holder"] == seat)
    )


def test_where_all_keep_all_their_tickets_each_has_its_long_one_in_every_world():
    simulator = Simulator("europe", seats=3, seed=1, restarts=False)
    for _ in range(3):
        simulator.step([np.flatnonzero(simulator.mask[0])[-1]])
    for world in range(50):
        simulator.determinize(0, world)
        assert [long_tickets(simulator, seat) for seat in range(3)] == [1, 1, 1]


@pytest.mark.parametrize(("kept", "share"), [(2, 1 / 2), (3, 5 / 8)])
def test_a_rival_holds_its_long_ticket_in_as_many_worlds_as_it_is_likely_to(kept, share):
    """A seat that kept two of four kept a given one in half of all cases. A seat that holds three
    may have kept two or three at first."""
    simulator = Simulator("europe", seats=2, seed=1, restarts=False)
    first = simulator._tables.record[0]["keep"]
    for _ in range(2):
        simulator.step([first + (1 << kept) - 1])
    rival, worlds = 1 - simulator.seat[0], 600
    held = []
    for world in range(worlds):
        simulator.determinize(0, world)
        held.append(long_tickets(simulator, rival))
    assert {*held} == {0, 1}
    assert abs(np.mean(held) - share) < 4 * (share * (1 - share) / worlds) ** 0.5


def test_a_saved_game_goes_on_in_another_simulator():
    one, other = under_way("paris", 2, 4, 30), Simulator("paris", games=2, seed=90)
    state = one.save(0)
    assert isinstance(state, bytes)
    other.load(1, state)
    assert other.save(1) == state
    assert other.seed(1) == one.seed(0)
    assert (other.mask[1] == one.mask[0]).all()
    assert other.seat[1] == one.seat[0]
    assert other.scores[1].tolist() == one.scores[0].tolist()


def test_a_game_of_another_board_or_size_or_a_damaged_one_is_not_loaded():
    simulator = Simulator("paris")
    for state in (
        b"",
        b"0" * 100,
        simulator.save(0)[:-1],
        Simulator("paris", seats=3).save(0),
        Simulator("london").save(0),
    ):
        with pytest.raises(ValueError, match="this is no game of the same board"):
            simulator.load(0, state)
    state = bytearray(simulator.save(0))
    state[500] ^= 1
    with pytest.raises(ValueError, match="damaged"):
        simulator.load(0, bytes(state))
    assert simulator.save(0) == Simulator("paris").save(0)


@pytest.mark.parametrize(
    ("part", "value", "reason"),
    [
        ("number", 3, r"number is \[3\]"),
        ("turn", -2, r"turn is \[-2\]"),
        ("hand", 30_000, "hand is"),
        ("deck", 200, r"deck is \[200\]"),
        ("step", 5, r"step is \[5\]"),
        ("step", 4, "does not say which"),
        ("offer", 0, "does not say which"),
        ("hand", 12, "no observation of a game of this board"),
        ("seat 1: cards", 110, "no observation of a game of this board"),
    ],
)
def test_an_impossible_observation_is_refused(part, value, reason):
    simulator = Simulator("usa", seats=3)
    observation = simulator.observe()[0][0].copy()
    observation[simulator.layout()[part]] = value
    assert_not_put(observation, reason)


def test_an_observation_of_another_board_or_kind_is_not_put():
    [right] = Simulator("usa", seats=3).observe()[0]
    for observation in (
        Simulator("europe", seats=3).observe()[0][0],
        right[:-1],
        right + 0.5,
        Simulator("usa", seats=2).observe()[0][0],
    ):
        assert_not_put(observation, "this board and number of seats is [0-9]+ whole numbers")


def assert_not_put(observation: np.ndarray, reason: str) -> None:
    simulator = Simulator("usa", seats=3)
    before = simulator.save(0)
    with pytest.raises(ValueError, match=reason):
        simulator.put(0, observation)
    assert simulator.save(0) == before


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_a_game_that_ended_during_the_first_tickets_shows_no_more_than_another(board):
    simulator = Simulator(board, restarts=False)
    simulator.step(np.flatnonzero(simulator.mask[0])[:1])
    simulator.resign(0, 1)
    assert (simulator.finished[0], simulator.seat[0]) == (True, 0)
    [observation] = simulator.observe()[0].copy()
    assert 0 < observation[simulator.layout()["held"]].sum() < 5
    simulator.determinize(0, 1)
    assert (simulator.observe()[0][0] == observation).all()


def test_the_layout_names_every_part_of_an_observation():
    simulator = Simulator("paris", seats=2)
    observation, mask = simulator.observe()
    parts = [*simulator.layout().items()]
    assert parts[0][1].start == 0
    assert parts[-1][1].stop == observation.shape[1]
    assert all(a[1].stop == b[1].start for a, b in pairwise(parts))
    assert mask is simulator.mask
