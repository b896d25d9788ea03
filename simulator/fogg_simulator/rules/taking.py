"""Public knowledge of hands: cards that a seat took face up and has not played since (3.1). In each
colour they count as played first. The twin of ``domain.rules.taking``."""

from fogg_simulator.compiled import inner


@inner
def lay(game, seat, color, count):
    """Remove played cards of a colour from those known to be in a hand."""
    game.taken[seat, color] = max(0, game.taken[seat, color] - count)


@inner
def lay_set(board, game, seat, count, color, wilds):
    """Remove a set of ``count`` played cards from those known to be in a hand."""
    if color == board.wild:
        wilds = count
    lay(game, seat, board.wild, wilds)
    if wilds < count:
        lay(game, seat, color, count - wilds)
