"""Guesses of hidden tickets, cards and decks. Each guess is consistent with the seat's view.

Before the first guess, sets of tickets are drawn that each rival may hold. Tickets whose paths are
largely built are drawn more often, as seats keep tickets that pay and then build for them. A set
weighs more the better it explains the rival's routes and the more it is worth. A guess takes one
set of each rival by weight. The cards are those that the rival took face up, and random ones. A set
weighs less if those cards could pay for a route of its paths, as rivals rarely wait with these.
"""

import numpy as np
from fogg_simulator.arrays import NONE, ONE, SETUP, ZERO
from fogg_simulator.compiled import inner
from fogg_simulator.worlds import collect_cards, deal_hands, dealt

from workers.bots.search import adapting, policy, ways

LEANING = 4.0  # log of how much likelier a ticket is when its whole path is built
# Terms of the log of a set's weight, fitted to games of planners on all boards
EXPLAINED = 1.4  # for each of the rival's routes that the set needs in an empty network
WORTH = 1.35  # for each point of its value now, over the mean length of the board's routes
WORTH_FIRST = -0.77  # for each point of its value in an empty network, over the same mean length
UNUSED_CLAIM = 0.1  # factor of a set's weight if the rival could claim a route that the set needs
LONG_KEPT = 0.7  # how often a rival has kept a long ticket, if the board has any
HOPED = 2.0  # turns added to a rival's expected turns, in judging its tickets
WHOLE_GAME = 40.0  # turns


@inner
def suppose(board, game, room, style, me):
    """Fill in sets of tickets that rivals may hold, and their weights. The game is changed."""
    for rival in range(board.seats):
        if rival != me:
            for color in range(board.colors):
                game.hands[rival, color] = game.taken[rival, color]
    take_tickets(board, game, me)
    for rival in range(board.seats):
        if rival != me and game.places[rival]:
            fill_leanings(board, game, room, rival)
            for n in range(room.sets):
                draw(board, room, room.set_tickets[rival, n], game.places[rival])
            adapting.start(room, style)
            weigh(board, game, room, room.style, rival)


@inner
def take_tickets(board, game, me):
    """Take all tickets from rivals. Fill ``places`` with the number that each seat had. Tickets on
    offer to the seat count as its own, as no other seat can have them."""
    for seat in range(board.seats):
        game.places[seat] = 0
    for ticket in range(board.tickets):
        holder = game.holder[ticket]
        if holder not in (NONE, me):
            game.places[holder] += 1
            game.holder[ticket] = NONE
    for i in range(game.offered_count[me]):
        game.holder[game.offered[me, i]] = me


@inner
def weigh(board, game, room, style, rival):
    """Fill in the weights of a rival's sets of tickets, and the routes that each still needs."""
    weights, count = room.set_weight[rival], game.places[rival]
    ways.fill_costs(board, game, room, style, rival)
    turns = ways.turns_left(board, game, style, rival) + HOPED
    for n in range(room.sets):
        tickets, many = room.set_tickets[rival, n], ZERO
        value = ways.connect(board, game, room, style, rival, tickets, count, turns)
        weights[n] = WORTH * value / room.mean_length
        for route in range(board.routes):
            if room.needs[route] and game.owner[route] == NONE:
                room.set_needs[rival, n, many] = route
                many += 1
        room.set_needs_count[rival, n] = many
    empty_network(board, game, rival)
    ways.fill_costs(board, game, room, style, rival)
    most = -ways.FAR
    for n in range(room.sets):
        tickets = room.set_tickets[rival, n]
        value = ways.connect(board, game, room, style, rival, tickets, count, WHOLE_GAME)
        weights[n] += WORTH_FIRST * value / room.mean_length
        for route in range(board.routes):
            if game.mine[route] and room.needs[route]:
                weights[n] += EXPLAINED
        most = max(most, weights[n])
    for n in range(room.sets):
        weights[n] = np.exp(weights[n] - most)
    refill_network(board, game, rival)


@inner
def empty_network(board, game, rival):
    """Take from a rival its cards, and its routes, which are stored in ``mine``."""
    for route in range(board.routes):
        game.mine[route] = game.owner[route] == rival
        if game.mine[route]:
            game.owner[route] = NONE
            game.trains[rival] += board.length[route]
    for color in range(board.colors):
        game.hands[rival, color] = 0


@inner
def refill_network(board, game, rival):
    """Give a rival back its routes, from ``mine``, and the cards that it took face up."""
    for route in range(board.routes):
        if game.mine[route]:
            game.owner[route] = rival
            game.trains[rival] -= board.length[route]
    for color in range(board.colors):
        game.hands[rival, color] = game.taken[rival, color]


@inner
def guess(board, game, room, me):
    count = collect_cards(board, game, me)
    shuffle(game.deck, count)
    deal_hands(board, game, me, count)
    if game.step == SETUP and not game.leavers:
        game.first_seat = np.random.randint(board.seats)
    take_tickets(board, game, me)
    for rival in range(board.seats):
        if rival != me and game.places[rival]:
            give_tickets(board, game, room, rival)
    deal_tickets(board, game, me)
    for i in range(game.offered_count[me]):
        game.holder[game.offered[me, i]] = NONE


@inner
def give_tickets(board, game, room, rival):
    """Give a rival one of its sets of tickets, or a new one if others hold some of each."""
    most, total, count = ways.most_held(board, game.hands[rival]), 0.0, game.places[rival]
    for n in range(room.sets):
        room.weight[n] = room.set_weight[rival, n]
        for i in range(room.set_needs_count[rival, n]):
            if policy.can_pay(board, game, rival, room.set_needs[rival, n, i], most):
                room.weight[n] *= UNUSED_CLAIM
                break
        for i in range(count):
            if game.holder[room.set_tickets[rival, n, i]] != NONE:
                room.weight[n] = 0.0
        total += room.weight[n]
    if total > 0:
        chosen = pick(room.weight, room.sets, total)
        for i in range(count):
            room.held[i] = room.set_tickets[rival, chosen, i]
    else:
        fill_leanings(board, game, room, rival)
        draw(board, room, room.held, count)
    for i in range(count):
        game.holder[room.held[i]] = rival


@inner
def shuffle(items, count):
    for i in range(count - 1, 0, -1):
        j = np.random.randint(i + 1)
        items[i], items[j] = items[j], items[i]


@inner
def fill_leanings(board, game, room, rival):
    """Fill in how likely each ticket is a rival's, given its routes; 0 if it is held."""
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
    """Fill in so many tickets that nobody holds."""
    rest = room.rest
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
        rest[chosen] = 0.0


@inner
def pick(weight, count, total):
    """Return a random index, with probabilities proportional to the weights, which have a total."""
    left = total * np.random.random()
    for n in range(count):
        left -= weight[n]
        if left < 0:
            return n
    return count - 1


@inner
def deal_tickets(board, game, me):
    """Deal the tickets that nobody holds to those offered or just refused, and to the deck."""
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
