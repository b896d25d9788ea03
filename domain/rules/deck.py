"""Drawing cards, the row and the deck (3)."""

from collections.abc import Callable
from functools import lru_cache

from domain.board.board import Board
from domain.board.parts import WILD
from domain.errors import Refused
from domain.game.commands import Command, DrawCard
from domain.game.events import CardDrawn, CardTurned, DeckShuffled, RowDiscarded
from domain.game.state import SECOND_CARD, TURN, Draft, State, put
from domain.rules import ending
from domain.rules.rule import Decision, Rule

MEMO = 20_000  # cached results of a function that many positions call with the same arguments
ROW = 5  # face-up cards
WILDS_TOO_MANY = 3  # wilds in the row at which it is replaced (3.6)


def draw_card(draft: Draft, seat: int, command: DrawCard) -> None:
    """Take one card; a second may follow, unless the face-up card takes both draws (3.2)."""
    state = draft.state
    second = state.step == SECOND_CARD
    if command.from_ == "deck":
        if command.card is not None:
            raise Refused(
                "blind-draw", "3.1", "a card of the deck is drawn unseen; leave out card", "card"
            )
        if not deck_can_give(state):
            raise Refused(
                "no-cards-left",
                "3.4",
                "there are no cards left: deck and discards are empty",
                "from",
            )
        whole_turn = False
        card = top_card(draft)
        draft.emit(CardDrawn(seat, "deck", state.board.colors[card]))
    else:
        place = _place_in_row(state, command)
        color = state.board.colors[state.row[place]]
        whole_turn = state.board.draws_taken[color] > 1
        if whole_turn and second:
            raise Refused(
                "wild-not-second",
                "3.2",
                f"a face-up {color} cannot be the second card of a turn",
                "card",
            )
        draft.emit(CardDrawn(seat, "row", color, place))
        fill_row(draft, place)
    if whole_turn or second or not second_card_possible(state):
        ending.end_turn(draft)


def _place_in_row(state: State, command: DrawCard) -> int:
    if command.from_ != "row":
        raise Refused("unknown-source", "3.1", "a card is drawn from deck, or from row", "from")
    card = None if command.card is None else state.board.color_index.get(command.card)
    if card is None:
        raise Refused(
            "unknown-card", "3.1", "card should be one that lies face up, by its id", "card"
        )
    if card not in state.row:
        raise Refused("not-in-row", "3.1", f"no {command.card} card lies face up", "card")
    return state.row.index(card)


def deck_can_give(state: State) -> bool:
    """Return whether a blind draw is possible, perhaps after a reshuffle (3.3, 3.4)."""
    return bool(state.deck) or any(state.discards)


def second_card_possible(state: State) -> bool:
    """Return whether a second card may be taken: blind, or face up and not wild (3.2, 3.5)."""
    taken = state.board.draws_taken
    return deck_can_give(state) or any(taken[card] == 1 for card in state.board.names(state.row))


def draws(state: State, _seat: int) -> list[Command]:
    """Return the cards that may be drawn now (3.1, 3.2)."""
    ways = state.board.once(ways_to_draw)
    return [*ways(state.row, state.step == TURN, deck_can_give(state))]


def ways_to_draw(board: Board) -> Callable[[tuple[int, ...], bool, bool], tuple[DrawCard, ...]]:
    """Return ``ways_to_draw(row, first, blind)``, the cards that may be drawn: the blind draw if
    ``blind``, then each colour of the row once, in the row's order. A wild of the row may only be
    the first card (3.1, 3.2)."""
    deck, taken = DrawCard("deck"), tuple(board.draws_taken.values())
    from_row = tuple(DrawCard("row", color) for color in board.colors)

    @lru_cache(maxsize=MEMO)
    def ways(row: tuple[int, ...], first: bool, blind: bool) -> tuple[DrawCard, ...]:
        cards = [from_row[card] for card in dict.fromkeys(row) if first or taken[card] == 1]
        return (deck, *cards) if blind else tuple(cards)

    return ways


def top_card(draft: Draft) -> int:
    """Return the card on top of the deck, rebuilding the deck first if it is empty (3.3)."""
    state = draft.state
    if not state.deck:
        shuffle_deck(draft, state.board.cards_of(state.discards))
    return state.deck[0]


def shuffle_deck(draft: Draft, cards: bytes) -> None:
    """Make these cards the deck, in the order that the game's chance gives them."""
    state = draft.state
    order = state.chance.shuffled(f"cards/{state.shuffles + 1}", cards)
    draft.emit(DeckShuffled(state.board.names(order)))


def fill_row(draft: Draft, gap: int | None = None) -> None:
    """Turn up cards until the row is full or no cards are left; begin with the place of the card
    that was taken. If too many cards are wild, discard the row and fill it again (3.6)."""
    state = draft.state
    while True:
        while len(state.row) < ROW and deck_can_give(state):
            card = top_card(draft)
            draft.emit(CardTurned(len(state.row) if gap is None else gap, state.board.colors[card]))
            gap = None
        if not too_many_wilds(state):
            return
        draft.emit(RowDiscarded(state.board.names(state.row)))


def too_many_wilds(state: State) -> bool:
    """Return whether the row has too many wilds, and replacing it can change that (3.6)."""
    wild = len(state.board.colors) - 1
    wilds = state.row.count(wild)
    if wilds < WILDS_TOO_MANY:
        return False
    plain = (
        sum(state.discards[:-1]) + len(state.deck) - state.deck.count(wild) + len(state.row) - wilds
    )
    return plain >= WILDS_TOO_MANY


def card_drawn(state: State, event: CardDrawn) -> None:
    card = state.board.color_index[event.card]
    if event.place is None:
        state.deck = state.deck[1:]
    else:
        state.row = state.row[: event.place] + state.row[event.place + 1 :]
    hand = [*state.hands[event.seat]]
    hand[card] += 1
    state.hands = put(state.hands, event.seat, tuple(hand))
    state.step = SECOND_CARD if state.step == TURN else TURN
    state.passes, state.last_progress = 0, state.version


def card_turned(state: State, event: CardTurned) -> None:
    card = (state.board.color_index[event.card],)
    state.deck = state.deck[1:]
    state.row = state.row[: event.place] + card + state.row[event.place :]


def row_discarded(state: State, _event: RowDiscarded) -> None:
    discards = list(state.discards)
    for card in state.row:
        discards[card] += 1
    state.discards, state.row = tuple(discards), ()


def deck_shuffled(state: State, event: DeckShuffled) -> None:
    state.deck = state.board.numbers(event.cards)
    state.discards = (0,) * len(state.board.colors)
    state.shuffles += 1


RULE = Rule(
    name="deck",
    common=True,
    draws=lambda _board: {WILD: 2},
    decides={DrawCard: draw_card},
    evolves={
        CardDrawn: card_drawn,
        CardTurned: card_turned,
        RowDiscarded: row_discarded,
        DeckShuffled: deck_shuffled,
    },
    decisions={SECOND_CARD: Decision(("draw_card",), "3.1", "take a second card", draws)},
    turn_actions=(DrawCard,),
    add_actions=lambda actions, state, seat: actions.extend(draws(state, seat)),
)
