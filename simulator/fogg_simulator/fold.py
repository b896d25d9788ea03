"""Playing actions: the twin of ``domain.game.fold``."""

import numpy as np

from fogg_simulator import arrays
from fogg_simulator.compiled import copy, entry, part
from fogg_simulator.rules import (
    chance,
    claiming,
    deck,
    ending,
    leaving,
    scoring,
    setup,
    stations,
    tickets,
    tunnels,
)
from fogg_simulator.rules.legal import deciding, legal_actions
from fogg_simulator.rules.outcomes import CHOSEN, PAID, TURN_OVER

BEGIN = -2  # instead of an action


@part
def decide(board, game, way):
    """Play a legal action; return its outcome. ``way`` is its row in the table of actions: its
    kind, then the route, location, tickets (as bits) or card of the row, the colour, the wilds, and
    whether a card is kept."""
    kind, what, color, wilds, keep = (
        np.int64(way[0]),
        np.int64(way[1]),
        np.int64(way[2]),
        np.int64(way[3]),
        np.int64(way[4]),
    )
    if kind == arrays.DRAW:
        return deck.draw_card(board, game, what)
    if kind == arrays.CLAIM:
        return claiming.claim_route(board, game, what, color, wilds, keep)
    if kind == arrays.DRAW_TICKETS:
        return tickets.draw_tickets(board, game)
    if kind == arrays.KEEP:
        return tickets.keep_tickets(board, game, deciding(board, game), what)
    if kind == arrays.BUILD:
        return stations.build_station(board, game, what, color, wilds)
    if kind == arrays.PAY:
        return tunnels.pay_tunnel(board, game, color, wilds)
    if kind == arrays.WITHDRAW:
        return tunnels.withdraw_tunnel(board, game)
    if kind == arrays.RESIGN:
        return leaving.resign(board, game, what)
    return ending.do_pass(board, game)


@entry
def first_illegal(chosen, mask):
    """Return the first game whose chosen action is not legal by ``mask``, else NONE."""
    for i in range(len(chosen)):
        if chosen[i] >= 0 and (chosen[i] >= mask.shape[1] or not mask[i, chosen[i]]):
            return i
    return arrays.NONE


@entry
def run(boards, ways, games, chosen, seeds, stride, mask, brief, seats, scores, finished, results):
    """Play the action ``chosen`` in each of many games; BEGIN begins the game of its seed, NONE
    does nothing. Then note the legal actions (if ``brief``, without claims and stations), the seat
    that decides, the points of each seat, and whether the game is over.

    With a ``stride`` above 0, a game that is over begins again with a seed that is so much larger.
    This function is long, so that the code of what follows an action is compiled once only."""
    board = boards[0]
    for i in range(len(games)):
        game = games[i]
        if chosen[i] >= 0:
            game.idle += 1
            outcome = decide(board, game, ways[chosen[i]])
            if outcome == CHOSEN:
                leaving.finish_setup(board, game)
            if outcome == PAID:
                deck.fill_row(board, game, arrays.NONE)
            if outcome in (PAID, TURN_OVER):
                ending.end_turn(board, game)
            if game.step == arrays.FINISHED:
                scoring.score(board, game)
        finished[i] = chosen[i] != BEGIN and game.step == arrays.FINISHED
        begins = chosen[i] == BEGIN or (finished[i] and stride > 0)
        if finished[i]:
            for seat in range(board.seats):
                copy(results[i, seat], game.result[seat])
                scores[i, seat] = game.result[seat, arrays.TOTAL]
        if begins:
            if finished[i]:
                chance.advance(seeds[i], stride)
            chance.use_seed(game, seeds[i], board.seats)
            setup.start(board, game)
        if not finished[i]:
            for seat in range(board.seats):
                scores[i, seat] = game.points[seat]
        legal_actions(board, game, mask[i], brief)
        seats[i] = deciding(board, game)
