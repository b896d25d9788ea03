"""The shuffles, computed here once more from the procedure's description alone."""

import hmac
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice

import pytest

from domain.chance import Chance, commitment
from domain.game.events import DeckShuffled, GameCreated, TicketsShuffled
from domain.game.state import State
from tests.domain.given import EUROPE, SEED, USA, creation, happened

GAMES = [
    (bytes(32), ["", ""]),
    (SEED, ["", "", ""]),
    (SEED, ["Passepartout", "", "é\n"]),
    (b"\xff" * 32, ["1", "2", "3", "4", "5"]),
]


def numbers(seed: bytes, entropy: list[str], label: str) -> Iterator[int]:
    """The numbers of a label, each from 0 to 2**64 - 1."""
    key = hmac.new(seed, ("fogg/1\n" + "\n".join(entropy)).encode(), sha256).digest()
    i = 0
    while True:
        digest = hmac.new(key, f"{label}:{i}".encode(), sha256).hexdigest()
        yield int(digest[:16], 16)
        i += 1


def below(source: Iterator[int], n: int) -> int:
    return next(number for number in source if number < 2**64 // n * n) % n


def shuffled(seed: bytes, entropy: list[str], label: str, items: list) -> list:
    """The items as Fisher and Yates would have them."""
    items, source = list(items), numbers(seed, entropy, label)
    for last in reversed(range(1, len(items))):
        chosen = below(source, last + 1)
        items[last], items[chosen] = items[chosen], items[last]
    return items


@pytest.mark.parametrize(("seed", "entropy"), GAMES)
@pytest.mark.parametrize("label", ["tickets/1", "cards/1", "cards/12"])
def test_a_shuffle_can_be_computed_by_a_stranger(seed, entropy, label):
    items = list(range(110))
    assert Chance(seed, entropy).shuffled(label, items) == shuffled(seed, entropy, label, items)
    assert items == list(range(110))  # left as they were


@pytest.mark.parametrize(
    ("label", "order"),
    [
        ("tickets/1", [2, 8, 3, 5, 0, 6, 1, 9, 7, 4]),
        ("cards/1", [4, 5, 8, 7, 0, 1, 2, 9, 6, 3]),
    ],
)
def test_shuffles_are_the_same_for_ever(label, order):
    assert Chance(bytes(32), ["", ""]).shuffled(label, range(10)) == order


@pytest.mark.parametrize("n", [1, 2, 3, 5, 110])
def test_below_n_gives_every_number_from_0_to_n_less_1_about_as_often(n):
    below = Chance(SEED, [""]).draws("a label")
    counts = Counter(below(n) for _ in range(200 * n))
    assert sorted(counts) == list(range(n))
    assert max(counts.values()) < 270
    assert min(counts.values()) > 140


def test_numbers_that_would_make_some_results_likelier_are_skipped():
    n = 2**63 + 1  # nearly every second number is n or more
    below = Chance(SEED, [""]).draws("a label")
    good = (number for number in numbers(SEED, [""], "a label") if number < n)
    assert [below(n) for _ in range(20)] == list(islice(good, 20))


def test_the_commitment_is_the_seeds_sha_256():
    assert commitment(bytes(32)) == (
        "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    )


def test_a_games_first_shuffles_are_those_of_its_seed_and_entropy():
    creating = State(USA), None, creation(2, entropy="Fix")
    entropy = ["Fix", "Fix"]
    [created] = happened(*creating, GameCreated)
    assert (created.seed, created.commitment) == (SEED.hex(), sha256(SEED).hexdigest())
    [tickets] = happened(*creating, TicketsShuffled)
    assert list(tickets.tickets) == shuffled(
        SEED, entropy, "tickets/1", [ticket.id for ticket in USA.tickets]
    )
    [cards] = happened(*creating, DeckShuffled)
    sorted_deck = [color for color, count in USA.cards.items() for _ in range(count)]
    assert list(cards.cards) == shuffled(SEED, entropy, "cards/1", sorted_deck)


def test_the_long_tickets_of_a_game_have_a_shuffle_of_their_own():
    [long, regular] = happened(State(EUROPE), None, creation(2), TicketsShuffled)
    for event, label in ((long, "long-tickets/1"), (regular, "tickets/1")):
        ids = [ticket.id for ticket in EUROPE.tickets if ticket.long == (event is long)]
        assert list(event.tickets) == shuffled(SEED, ["", ""], label, ids)
