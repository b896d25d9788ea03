"""Worlds: possible cards and tickets that are hidden from a seat, dealt at random.

A seat knows its own cards and tickets, cards that others took face up and have not played, how many
cards and tickets everybody has, and the tickets that it refused itself, as long as nobody was
offered them since: these lie at the bottom of the deck, or are out of the game. All else is
shuffled.
"""

from fogg_simulator.arrays import NONE, ONE, SETUP, ZERO
from fogg_simulator.compiled import entry, inner
from fogg_simulator.rules import chance


@entry
def determinize(boards, games, seat, seed):
    """Deal again the hidden cards and tickets, in the only game of ``games``."""
    board, game = boards[0], games[0]
    chance.use_seed(game, seed, board.seats)
    chance.use_label(game, chance.WORLD, ZERO)
    count = collect_cards(board, game, seat)
    chance.shuffle(game, game.deck[:], count)
    deal_hands(board, game, seat, count)
    collect_tickets(board, game, seat)
    deal_tickets(board, game, seat)


@inner
def collect_cards(board, game, seat):
    """Fill ``deck`` with the deck and the unseen cards of others; return the number of cards."""
    count = ZERO
    for at in range(game.deck_top, game.deck_end):
        game.deck[count] = game.deck[at]
        count += 1
    for other in range(board.seats):
        for color in range(board.colors):
            if other != seat:
                for _ in range(game.hands[other, color] - game.taken[other, color]):
                    game.deck[count] = color
                    count += 1
    return count


@inner
def deal_hands(board, game, seat, count):
    """Deal the unseen cards of the others from the end of that deck."""
    for other in range(board.seats):
        if other != seat:
            unseen = 0
            for color in range(board.colors):
                unseen += game.hands[other, color] - game.taken[other, color]
                game.hands[other, color] = game.taken[other, color]
            for _ in range(unseen):
                count -= 1
                game.hands[other, game.deck[count]] += 1
    game.deck_top, game.deck_end = 0, count


@inner
def knows(game, seat, ticket):
    for i in range(game.offered_count[seat]):
        if game.offered[seat, i] == ticket:
            return True
    return game.holder[ticket] == seat or game.refusers[ticket] >> seat & 1 == 1


@inner
def collect_tickets(board, game, seat):
    """Shuffle all tickets that the seat does not know into ``pool``, long ones into ``long_pool``
    while it is known which are long. Their numbers are then in ``pools``."""
    apart = game.step == SETUP or board.refused_removed
    plain, long = ZERO, ZERO
    for ticket in range(board.tickets):
        if not knows(game, seat, ticket):
            if apart and board.ticket_long[ticket]:
                game.long_pool[long] = ticket
                long += 1
            else:
                game.pool[plain] = ticket
                plain += 1
    chance.shuffle(game, game.pool[:], plain)
    chance.shuffle(game, game.long_pool[:], long)
    game.pools[0], game.pools[1] = plain, long


@inner
def dealt(game, long):
    """Take a ticket from a pool, or from the other pool if it is empty."""
    if game.pools[long] == 0:
        long = 1 - long
    game.pools[long] -= 1
    return game.long_pool[game.pools[long]] if long else game.pool[game.pools[long]]


@inner
def deal_tickets(board, game, seat):
    """Deal the tickets in the pools to the deck, then to the other seats: as many as there were. A
    seat that refused a ticket in the deck still knows its place."""
    for i in range(game.ticket_count):
        game.places[i] = game.refusers[game.ticket_deck[i]]
    for i in range(game.pools[0]):
        game.refusers[game.pool[i]] = 0
    for i in range(game.pools[1]):
        game.refusers[game.long_pool[i]] = 0
    for i in range(game.ticket_count):
        if not game.places[i] >> seat & 1:
            game.ticket_deck[i] = dealt(game, ZERO)
            game.refusers[game.ticket_deck[i]] = game.places[i]
    game.counts[:] = 0
    for ticket in range(board.tickets):
        holder = game.holder[ticket]
        if holder not in (NONE, seat):
            game.counts[holder] += 1
            game.holder[ticket] = NONE
    choose_longs(board, game)
    for other in range(board.seats):
        if other != seat:
            deal_to(board, game, other)


@inner
def choose_longs(board, game):
    """Choose how many long tickets each seat gets, in ``places``. During the set-up, it was offered
    ``start_long``. Later it may have kept any number of the first ones, and a long one as likely as
    another; but there must be plain tickets for the rest. Where refused tickets return to their
    deck, long ones are like others."""
    missing, longest = -game.pools[0], ZERO
    for seat in range(board.seats):
        game.places[seat] = board.start_long if game.step == SETUP else ZERO
        missing += game.counts[seat]
        longest += min(board.start_long, game.counts[seat])
    if game.step == SETUP or not board.refused_removed:
        return
    offered = board.start_long + board.start_deal
    for seat in range(board.seats):
        most = min(board.start_long, game.counts[seat])
        longest -= most
        few, many = min(board.start_keep, game.counts[seat]), min(offered, game.counts[seat])
        kept = few + chance.below(game, many - few + 1)
        for _ in range(board.start_long):
            game.places[seat] += chance.below(game, offered) < kept
        game.places[seat] = min(max(game.places[seat], missing - longest), most)
        missing -= game.places[seat]


@inner
def deal_to(board, game, seat):
    """Deal a seat its offered, kept and just refused tickets, ``places`` of them long."""
    long = game.places[seat]
    for i in range(game.offered_count[seat]):
        game.offered[seat, i] = dealt(game, ONE if i < long else ZERO)
    kept = game.counts[seat]
    left = kept + game.refused_count[seat]
    while left:
        is_long = ONE if chance.below(game, left) < long else ZERO
        long -= is_long
        left -= 1
        ticket = dealt(game, is_long)
        if left < kept:
            game.holder[ticket] = seat
        else:
            game.refused[seat, left - kept] = ticket
            game.refusers[ticket] = ONE << seat
