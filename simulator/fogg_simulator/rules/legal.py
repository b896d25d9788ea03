"""Every legal action, as a mask over all actions of a board: the twin of ``domain.game.legal``."""

from fogg_simulator.arrays import FINISHED, KEEP_TICKETS, SECOND_CARD, SETUP, TUNNEL, ZERO
from fogg_simulator.compiled import inner
from fogg_simulator.rules import claiming, deck, stations, tickets, tunnels


@inner
def deciding(board, game):
    """Return the seat that decides next; while first tickets are chosen, the first of those that
    have not chosen. In a game that is over it is the seat that played last, or the first seat."""
    if game.step == SETUP:
        for seat in range(board.seats):
            if game.offered_count[seat]:
                return seat
    return max(ZERO, game.turn)


@inner
def legal_actions(board, game, mask, brief):
    """Mark the legal actions of the seat that decides next; none when the game is over. If it is
    ``brief``, leave out claims and stations, which take most of the time."""
    mask[:] = 0
    step = game.step
    if step in (SETUP, KEEP_TICKETS):
        tickets.add_choices(board, game, deciding(board, game), mask)
    elif step == SECOND_CARD:
        deck.add_draws(board, game, mask)
    elif step == TUNNEL:
        tunnels.add_payments(board, game, mask)
    elif step != FINISHED:
        deck.add_draws(board, game, mask)
        if game.ticket_count:
            mask[board.draw_tickets] = 1
        if not brief:
            claiming.add_claims(board, game, mask)
            if board.stations:
                stations.add_stations(board, game, mask)
        for marked in mask:
            if marked:
                return
        mask[board.do_pass] = 1
