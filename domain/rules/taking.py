"""Public knowledge of hands: cards that a seat took face up and has not played since (3.1)."""

from collections.abc import Mapping

from domain.game.events import CardDrawn, Resigned, RouteClaimed
from domain.game.state import State, put
from domain.rules.rule import Attribute, Rule
from domain.secrecy import EVERYBODY, Member


def lay(state: State, seat: int, cards: Mapping[str, int]) -> None:
    """Remove played cards from a hand's public ones, which count as played first."""
    taken = left = state.taken[seat]
    if not taken:
        return
    index = state.board.color_index
    for card, count in cards.items():
        left = left.replace(index[card].to_bytes(), b"", count)
    if left != taken:
        state.taken = put(state.taken, seat, left)


def card_drawn(state: State, event: CardDrawn) -> None:
    if event.place is not None:
        card = state.board.color_index[event.card].to_bytes()
        state.taken = put(state.taken, event.seat, state.taken[event.seat] + card)


def route_claimed(state: State, event: RouteClaimed) -> None:
    lay(state, event.seat, event.cards)


def resigned(state: State, event: Resigned) -> None:
    state.taken = put(state.taken, event.seat, b"")


def shown(state: State, seat: int) -> Mapping[str, int]:
    taken, colors = state.taken[seat], state.board.colors
    return {colors[color]: taken.count(color) for color in sorted(set(taken))}


RULE = Rule(
    name="taking",
    common=True,
    evolves={CardDrawn: card_drawn, RouteClaimed: route_claimed, Resigned: resigned},
    # colours, in the order of taking
    attributes={
        "taken": Attribute(
            b"",
            packed=lambda seats: [*map(list, seats)],
            unpacked=lambda seats: tuple(map(bytes, seats)),
        )
    },
    seat_view=(
        Member(
            "taken",
            EVERYBODY,
            Mapping[str, int],
            "Cards that it took face up and has not laid since, colour to count: what "
            "everybody knows of its hand.",
            shown,
        ),
    ),
)
