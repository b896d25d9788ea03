"""Sets of cards: one colour, wilds standing in for it (4.1, 4.4, 6.1)."""

from fogg_simulator.compiled import inner


@inner
def set_index(board, count, color, wilds):
    """Return the place of a set of ``count`` cards among all such sets: by colour, then by wilds;
    wilds alone (``color`` is wild) come last."""
    return color * count + (0 if color == board.wild else wilds)


@inner
def sets_before(board, count):
    """Return how many sets of fewer cards there are."""
    return board.wild * (count * (count - 1) // 2) + count - 1


@inner
def add_sets(board, hand, count, mask, first):
    """Mark every set of ``count`` cards of a hand, from the action ``first`` on."""
    wild = board.wild
    wilds = hand[wild]
    for color in range(wild):
        if hand[color]:
            for k in range(max(0, count - hand[color]), min(wilds, count - 1) + 1):
                mask[first + set_index(board, count, color, k)] = 1
    if wilds >= count:
        mask[first + set_index(board, count, wild, count)] = 1


@inner
def pay(board, hand, to, count, color, wilds):
    """Move a set of ``count`` cards, so many of them wild, from a hand."""
    if color == board.wild:
        wilds = count
    hand[board.wild] -= wilds
    to[board.wild] += wilds
    if wilds < count:
        hand[color] -= count - wilds
        to[color] += count - wilds
