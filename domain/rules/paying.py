"""Sets of cards: one colour, wilds standing in for it (4.1, 4.4, 6.1)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from domain.board.board import Board
from domain.board.parts import ANY, WILD
from domain.errors import Refused
from domain.game.commands import ClaimRoute
from domain.game.state import State


def payment(board: Board, color: int, wilds: int, count: int) -> dict[str, int]:
    """Return a set of ``count`` cards: so many wilds, the rest in the colour."""
    if wilds == count:
        return {WILD: count}
    name = board.colors[color]
    return {name: count - wilds, WILD: wilds} if wilds else {name: count}


def sets(hand: tuple[int, ...], count: int) -> Iterator[tuple[int, int]]:
    """Yield (colour, wilds) for every set of ``count`` cards; wilds alone as (wild, count)."""
    wild = len(hand) - 1
    for color, held in enumerate(hand[:wild]):
        if held:
            for wilds in range(max(0, count - held), min(hand[wild], count - 1) + 1):
                yield color, wilds
    if hand[wild] >= count:
        yield wild, count


def check_set(board: Board, cards: Mapping[str, int], count: int, rule: str) -> None:
    """Reject cards that are not ``count`` cards of one colour, with wilds as any colour."""
    if any(card not in board.cards for card in cards):
        raise Refused(
            "unknown-card", rule, f"the colours of cards are {', '.join(board.colors)}", "cards"
        )
    if any(n < 1 for n in cards.values()):
        raise Refused("wrong-cards", rule, "leave out colours of which you pay no card", "cards")
    if len(cards.keys() - {WILD}) > 1:
        raise Refused(
            "wrong-cards",
            rule,
            "you can pay cards of one colour and wilds, no other colours",
            "cards",
        )
    if sum(cards.values()) != count:
        raise Refused(
            "wrong-cards", rule, f"you have to pay exactly {count} card{'s' * (count > 1)}", "cards"
        )


def is_instance(cards: Mapping[str, int], other: Mapping[str, int]) -> bool:
    """Return whether cards are a set, with colours for some or all of its ``any``."""
    return (
        sum(cards.values()) == sum(other.values())
        and min(cards.values()) > 0
        and all(cards.get(color, 0) >= n for color, n in other.items() if color != ANY)
    )


def paid(state: State, seat: int, claim: ClaimRoute) -> ClaimRoute:
    """Return the claim with the cards that the seat pays. Instead of ``any`` it has the route's
    colour if a card of it is to be kept for a flag, then those of which the seat has the fewest
    left, wilds last. It is unchanged if the seat has too few."""
    if ANY not in claim.cards:
        return claim
    cards, board = Counter(claim.cards), state.board
    count = cards.pop(ANY)
    color = board.routes[board.route_index[claim.route]].color
    if claim.keep_for_flag and color not in cards:
        cards[color] = 1
        count -= 1
    left = Counter(board.as_set(state.hands[seat])) - cards
    rest = sorted(left.elements(), key=lambda color: (color == WILD, left[color]))
    if len(rest) < count:
        return claim
    return replace(claim, cards=dict(Counter(rest[:count]) + cards))


def holds(state: State, seat: int, cards: Mapping[str, int]) -> bool:
    hand, index = state.hands[seat], state.board.color_index
    return all(card in index and n <= hand[index[card]] for card, n in cards.items())


def check_held(state: State, seat: int, cards: Mapping[str, int], rule: str) -> None:
    if not holds(state, seat, cards):
        raise Refused("cards-not-held", rule, "you do not hold these cards", "cards")
