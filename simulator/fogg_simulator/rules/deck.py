"""Drawing cards, the row and the deck (3): the twin of ``domain.rules.deck``."""

from fogg_simulator.arrays import NONE, ROW, SECOND_CARD, TURN, ZERO
from fogg_simulator.compiled import inner, part
from fogg_simulator.rules.chance import CARDS, shuffle, use_label
from fogg_simulator.rules.outcomes import GO_ON, TURN_OVER

WILDS_TOO_MANY = 3  # wilds in the row at which it is replaced (3.6)


@part
def draw_card(board, game, color):
    """Take one card of the row, or the top card if ``color`` is NONE; a face-up wild is the whole
    turn, any other card may be followed by a second."""
    seat, second = game.turn, game.step == SECOND_CARD
    if color == NONE:
        game.hands[seat, top_card(board, game)] += 1
        whole_turn = False
    else:
        place = 0
        while game.row[place] != color:
            place += 1
        for at in range(place, game.row_count - 1):
            game.row[at] = game.row[at + 1]
        game.row_count -= 1
        game.hands[seat, color] += 1
        game.taken[seat, color] += 1
        whole_turn = color == board.wild
        fill_row(board, game, place)
    game.step = TURN if second else SECOND_CARD
    game.passes, game.idle = 0, 0
    if whole_turn or second or not second_card_possible(board, game):
        return TURN_OVER
    return GO_ON


@inner
def deck_can_give(board, game):
    """Return whether a blind draw is possible, perhaps after a reshuffle (3.3, 3.4)."""
    cards = game.deck_end - game.deck_top
    for color in range(board.colors):
        cards += game.discards[color]
    return cards > 0


@inner
def second_card_possible(board, game):
    """Return whether a second card may be taken: blind, or face up and not wild (3.2, 3.5)."""
    for place in range(game.row_count):
        if game.row[place] != board.wild:
            return True
    return deck_can_give(board, game)


@inner
def add_draws(board, game, mask):
    """Mark every way to draw a card; a face-up wild only as the first one (3.1, 3.2)."""
    if deck_can_give(board, game):
        mask[0] = 1
    for place in range(game.row_count):
        color = game.row[place]
        if color != board.wild or game.step == TURN:
            mask[board.draw_row + color] = 1


@inner
def top_card(board, game):
    """Take the card on top of the deck, rebuilding the deck first if it is empty (3.3)."""
    if game.deck_top == game.deck_end:
        shuffle_deck(board, game, game.discards)
        game.discards[:] = 0
    if game.drawn <= game.ordered:
        bring_up(game)
    game.drawn += 1
    game.deck_top += 1
    return game.deck[game.deck_top - 1]


@inner
def bring_up(game):
    """Put the next card of ``order`` on top of the deck. When ``order`` is used up, store the
    counts of the deck's other cards, by colour, in ``chances``."""
    top = at = game.deck_top
    if game.drawn < game.ordered:
        while game.deck[at] != game.order[game.drawn]:
            at += 1
        game.deck[at], game.deck[top] = game.deck[top], game.deck[at]
        return
    game.chances[:] = 0
    for place in range(top, game.deck_end):
        game.chances[game.deck[place]] += 1


@part
def shuffle_deck(board, game, cards):
    """Make these cards, given as counts by colour, the deck in a random order."""
    game.deck_top, end = 0, ZERO
    for color in range(board.colors):
        for _ in range(cards[color]):
            game.deck[end] = color
            end += 1
    game.deck_end = end
    game.shuffles += 1
    use_label(game, CARDS, game.shuffles)
    shuffle(game, game.deck[:], end)


@inner
def fill_row(board, game, gap):
    """Fill the row while cards exist, first the gap unless it is NONE, until it may stay (3.6)."""
    while True:
        while game.row_count < ROW and deck_can_give(board, game):
            card = top_card(board, game)
            place = game.row_count if gap == NONE else gap
            for at in range(game.row_count, place, -1):
                game.row[at] = game.row[at - 1]
            game.row[place] = card
            game.row_count += 1
            gap = NONE
        if not too_many_wilds(board, game):
            return
        for place in range(game.row_count):
            game.discards[game.row[place]] += 1
        game.row_count = 0


@inner
def too_many_wilds(board, game):
    """Return whether the row has too many wilds, and replacing it can change that (3.6)."""
    wilds = 0
    for place in range(game.row_count):
        wilds += game.row[place] == board.wild
    if wilds < WILDS_TOO_MANY:
        return False
    plain = game.row_count - wilds
    for color in range(board.wild):
        plain += game.discards[color]
    for at in range(game.deck_top, game.deck_end):
        plain += game.deck[at] != board.wild
    return plain >= WILDS_TOO_MANY
