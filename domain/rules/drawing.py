"""Drawing cards, the row and the deck (3)."""

from __future__ import annotations

from domain.board.board import WILD
from domain.errors import Refused
from domain.game.commands import DrawCard
from domain.game.events import CardDrawn, CardTurned, DeckShuffled, RowDiscarded
from domain.game.legal import deck_can_give, second_card_possible
from domain.game.state import SECOND_CARD, TURN, Draft, State, put
from domain.rules import ending

ROW = 5  # face-up cards
WILDS_TOO_MANY = 3  # so many of them wild and the row is turned anew (3.6)


def draw_card(draft: Draft, seat: int, command: DrawCard) -> None:
    """Take one card; a face-up wild is the whole turn, any other may be followed by a second."""
    state = draft.state
    second = state.step == SECOND_CARD
    if command.from_ == "deck":
        if command.card is not None:
            raise Refused("blind-draw", "3.1", "the deck is drawn from unseen; leave out card",
                             "card")
        if not deck_can_give(state):
            raise Refused("no-cards-left", "3.4", "deck and discards are empty", "from")
        whole_turn = False
        card = top_card(draft)
        draft.emit(CardDrawn(seat, "deck", state.board.colors[card]))
    else:
        place = _place_in_row(state, command)
        whole_turn = command.card == WILD
        if whole_turn and second:
            raise Refused("wild-not-second", "3.2",
                         "a face-up wild cannot be the second card of a turn", "card")
        draft.emit(CardDrawn(seat, "row", command.card, place))
        fill_row(draft, place)
    if whole_turn or second or not second_card_possible(state):
        ending.end_turn(draft)


def _place_in_row(state: State, command: DrawCard) -> int:
    if command.from_ != "row":
        raise Refused("unknown-source", "3.1", "cards are drawn from deck or row", "from")
    card = state.board.color_index.get(command.card)
    if card is None:
        raise Refused("unknown-card", "3.1", "name the card to take from the row", "card")
    if card not in state.row:
        raise Refused("not-in-row", "3.1", f"no {command.card} card lies face up", "card")
    return state.row.index(card)


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
    """Fill the row while cards exist, the gap first, and apply 3.6 until the row may stay."""
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
    """Return whether the row must be turned anew and can be cured by it (3.6)."""
    wild = len(state.board.colors) - 1
    if state.row.count(wild) < WILDS_TOO_MANY:
        return False
    plain = sum(state.discards[:-1]) + sum(card != wild for card in (*state.deck, *state.row))
    return plain >= WILDS_TOO_MANY


def card_drawn(state: State, event: CardDrawn) -> None:
    card = state.board.color_index[event.card]
    if event.place is None:
        state.deck = state.deck[1:]
    else:
        state.row = state.row[: event.place] + state.row[event.place + 1 :]
    hand = state.hands[event.seat]
    state.hands = put(state.hands, event.seat, put(hand, card, hand[card] + 1))
    state.step = SECOND_CARD if state.step == TURN else TURN
    state.passes = 0


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


DECIDES = {DrawCard: draw_card}
EVOLVES = {
    CardDrawn: card_drawn, CardTurned: card_turned, RowDiscarded: row_discarded,
    DeckShuffled: deck_shuffled,
}
