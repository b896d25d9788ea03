"""Guesses of what is hidden from a seat: rivals' tickets and cards, and the decks. Each guess fits
what the seat sees.

A rival's tickets are guessed as the best of a few draws, given its routes. A draw prefers tickets
whose paths are largely built, as seats keep tickets that pay and then build for them. Its cards are
those that it took face up, and random ones.
"""

from __future__ import annotations

import numpy as np
from fogg_simulator.arrays import NONE, ONE, SETUP, ZERO
from fogg_simulator.compiled import inner
from fogg_simulator.worlds import collect_cards, deal_hands, dealt

from workers.bots.search import ways
from workers.bots.search.minds import DRAWS

LEANING = 4.0  # log of how much likelier a ticket is when its whole path is built
KEEN = 6.0  # a draw better by so many points is kept e times as often
LONG_KEPT = 0.7  # how often a rival has kept a long ticket, if the board has any
HOPED = 2.0  # turns added to a rival's expected turns, in judging its tickets


@inner
def guess(board, game, room, styles, me):
    """Deal out anew what a seat does not see."""
    count = collect_cards(board, game, me)
    shuffle(game.deck, count)
    deal_hands(board, game, me, count)
    if game.step == SETUP and not game.leavers:
        game.first_seat = np.random.randint(board.seats)
    for seat in range(board.seats):
        game.places[seat] = 0
    for ticket in range(board.tickets):
        holder = game.holder[ticket]
        if holder not in (NONE, me):
            game.places[holder] += 1
            game.holder[ticket] = NONE
    for i in range(game.offered_count[me]):
        game.holder[game.offered[me, i]] = me  # no other seat can have it
    for seat in range(board.seats):
        if seat != me and game.places[seat]:
            guess_tickets(board, game, room, styles[seat], seat, game.places[seat])
    deal_tickets(board, game, me)
    for i in range(game.offered_count[me]):
        game.holder[game.offered[me, i]] = NONE


@inner
def shuffle(items, count):
    """Shuffle the first items."""
    for i in range(count - 1, 0, -1):
        j = np.random.randint(i + 1)
        items[i], items[j] = items[j], items[i]


@inner
def guess_tickets(board, game, room, style, rival, count):
    """Give a rival so many tickets: the best of some draws."""
    fill_leanings(board, game, room, rival)
    ways.fill_costs(board, game, room, style, rival)
    turns = ways.turns_left(board, game, style, rival) + HOPED
    best = -ways.FAR
    for n in range(DRAWS):
        drawn = draw(board, room, room.draws[n], count)
        room.weight[n] = ways.connect(board, game, room, style, rival, room.draws[n], drawn, turns)
        best = max(best, room.weight[n])
    for n in range(DRAWS):
        room.weight[n] = np.exp((room.weight[n] - best) / KEEN)
    chosen = pick(room.weight, DRAWS)
    for i in range(count):
        if room.draws[chosen, i] != NONE:
            game.holder[room.draws[chosen, i]] = rival


@inner
def fill_leanings(board, game, room, rival):
    """Fill in how likely each ticket is to be a rival's, given its routes; 0 if somebody's."""
    costs, worth = room.costs, room.worth
    for route in range(board.routes):
        worth[route] = board.length[route]
        costs[route] = worth[route]
        if game.owner[route] != NONE:
            costs[route] = 0.0 if game.owner[route] == rival else ways.FAR
    for ticket in range(board.tickets):
        room.likely[ticket] = 0.0
        if game.holder[ticket] == NONE:
            a, b = board.ticket_a[ticket], board.ticket_b[ticket]
            whole = ways.search_ways(room, worth, a, b)
            rest = ways.search_ways(room, costs, a, b)
            room.likely[ticket] = np.exp(LEANING * max(0.0, 1 - rest / whole))


@inner
def draw(board, room, drawn, count):
    """Fill in so many tickets, NONE if they run out; return how many there are."""
    rest, filled = room.rest, ZERO
    for ticket in range(board.tickets):
        rest[ticket] = room.likely[ticket]
    for i in range(count):
        longs, others = 0.0, 0.0
        for ticket in range(board.tickets):
            if board.ticket_long[ticket]:
                longs += rest[ticket]
            else:
                others += rest[ticket]
        wants_long = longs > 0 and ((i == 0 and np.random.random() < LONG_KEPT) or others == 0)
        left, chosen = np.random.random() * (longs if wants_long else others), NONE
        for ticket in range(board.tickets):
            if rest[ticket] > 0 and (board.ticket_long[ticket] != 0) == wants_long:
                chosen = np.int64(ticket)
                left -= rest[ticket]
                if left < 0:
                    break
        drawn[i] = chosen
        if chosen != NONE:
            rest[chosen] = 0.0
            filled += 1
    return filled


@inner
def pick(weight, count):
    """Return a random index, with probabilities proportional to the weights."""
    left = 0.0
    for n in range(count):
        left += weight[n]
    left *= np.random.random()
    for n in range(count):
        left -= weight[n]
        if left < 0:
            return n
    return count - 1


@inner
def deal_tickets(board, game, me):
    """Shuffle the tickets that nobody holds, and deal them to the rivals that are offered or have
    just refused some, and to the ticket deck."""
    apart = game.step == SETUP or board.refused_removed
    game.pools[:] = 0
    for ticket in range(board.tickets):
        if game.holder[ticket] == NONE:
            if apart and board.ticket_long[ticket]:
                game.long_pool[game.pools[1]] = ticket
                game.pools[1] += 1
            else:
                game.pool[game.pools[0]] = ticket
                game.pools[0] += 1
        game.refusers[ticket] = 0
    shuffle(game.pool, game.pools[0])
    shuffle(game.long_pool, game.pools[1])
    for seat in range(board.seats):
        if seat != me:
            for i in range(game.offered_count[seat]):
                game.offered[seat, i] = dealt(game, ONE if i < board.start_long else ZERO)
            for i in range(game.refused_count[seat]):
                game.refused[seat, i] = dealt(game, np.int64(np.random.randint(2)))
    for i in range(game.ticket_count):
        game.ticket_deck[i] = dealt(game, ZERO)
