"""Guesses of hidden information: rivals' tickets and cards, and the decks. Each guess fits the
view.

A rival's tickets are guessed as the best of a few draws, given its routes. A draw prefers tickets
whose paths are largely built, as seats keep tickets that pay and then build for them. Most of its
cards count as chosen, too.
"""

from __future__ import annotations

import numpy as np

from workers.bots.search import cards, plans, policy, ways
from workers.bots.search.arrays import DECK, NONE, OPEN, OUTDATED, PILE, SATED, STALE
from workers.bots.search.compiled import inner
from workers.bots.search.rows import largest, total

LEANING = 4.0  # log of how much likelier a ticket is when its whole path is built
DRAWS = 8  # draws of which a rival has kept one
KEEN = 6.0  # a draw better by so many points is kept e times as often
LONG_KEPT = 0.7  # how often a rival has kept a long ticket, if the board has any
HOPED = 2  # turns added to a rival's expected turns, in judging its tickets
DEALT = 2  # cards of a hand that were not chosen ...
CHOICES = 2  # ... while the others were, each from so many more
AGAIN = 4  # cards after which a rival makes a new plan


@inner
def guess(board, seen, hidden, me, world):
    """Fill in a world that fits what a seat sees.

    ``seen`` has no hidden data: its deck has all unseen cards. ``hidden`` has, for
    each seat, how many tickets and cards are not seen, and last how many of the deck's cards are
    discards.
    """
    cards.copy(world, seen)
    for rival in range(len(seen.trains)):
        if rival != me and not seen.gone[rival]:
            _guess_tickets(board, world, rival, hidden[rival, 0])
            _guess_hand(board, world, rival, hidden[rival, 1])
            world.plans[rival, STALE] = OUTDATED
            world.plans[rival, SATED] = False
    for _ in range(min(hidden[-1, 0], world.counts[DECK])):
        cards.discard(world, cards.top(world), 1)
    _guess_pile(board, seen, world)


@inner
def leanings(board, game, seat):
    """Return each ticket's likelihood to be a seat's, given its routes; 0 if its holder is known.
    """
    lengths, owner = board.length.astype(np.float64), game.owner
    left = lengths.copy()
    for route in range(len(left)):
        if owner[route] != OPEN:
            left[route] = 0.0 if owner[route] == seat else ways.FAR
    places = len(board.first) - 1
    far, came = np.empty(places), np.empty(places, np.int32)
    likely = np.zeros(len(board.ticket_a))
    ticket_a, ticket_b = board.ticket_a, board.ticket_b
    for ticket in range(len(likely)):
        if not _is_held(game, ticket):
            a, b = ticket_a[ticket], ticket_b[ticket]
            whole = ways.search_ways(board, lengths, a, b, far, came)
            rest = ways.search_ways(board, left, a, b, far, came)
            likely[ticket] = np.exp(LEANING * max(0.0, 1 - rest / whole))
    return likely


@inner
def _is_held(game, ticket):
    """Return whether somebody holds a ticket."""
    for seat in range(len(game.held)):  # noqa: SIM110 (compiled code has no generators)
        if game.held[seat, ticket]:
            return True
    return False


@inner
def _guess_tickets(board, world, rival, count):
    """Give a rival so many tickets: the best of some draws."""
    if count == 0:
        return
    likely = leanings(board, world, rival)
    costs = ways.costs_of(board, world, rival, ways.crowds(board, world, rival))
    turns = ways.turns_left(world, rival) + HOPED
    draws, worth = np.empty((DRAWS, count), np.int32), np.empty(DRAWS)
    for n in range(DRAWS):
        drawn_tickets = draws[n]
        drawn_tickets = drawn_tickets[: _draw(board, likely.copy(), drawn_tickets)]
        worth[n], _ = ways.connect(board, world, rival, drawn_tickets, costs, turns)
    best, weight = largest(worth), np.empty(DRAWS)
    for n in range(DRAWS):
        weight[n] = np.exp((worth[n] - best) / KEEN)
    for ticket in draws[_pick(weight)]:
        if ticket != NONE:
            world.held[rival, ticket] = 1


@inner
def _draw(board, likely, drawn):
    """Fill in tickets, NONE if they run out, and return how many there are; ``likely`` is used up.
    """
    is_long, weight, count = board.ticket_long, np.empty(len(likely)), 0
    for n in range(len(drawn)):
        drawn[n] = NONE
        longs = 0.0
        for ticket in range(len(likely)):
            longs += likely[ticket] * is_long[ticket]
        wants_long = n == 0 and longs > 0 and np.random.random() < LONG_KEPT
        for ticket in range(len(likely)):
            weight[ticket] = likely[ticket] if is_long[ticket] == wants_long else 0.0
        if total(weight) > 0:
            ticket = _pick(weight)
            drawn[n], likely[ticket] = ticket, 0.0
            count += 1
    return count


@inner
def _pick(weight):
    """Return a random index, with probabilities proportional to the weights."""
    left = np.random.random() * total(weight)
    last = 0
    for n in range(len(weight)):
        if weight[n] > 0:
            last = n
            left -= weight[n]
            if left < 0:
                break
    return last


@inner
def _guess_hand(board, world, rival, count):
    """Give a rival so many cards: some random, the others the best of a few for its plan."""
    worth = np.zeros(len(world.deck))
    for n in range(count):
        card = cards.top(world)
        if card == NONE:
            return
        if n >= DEALT:
            if (n - DEALT) % AGAIN == 0:
                plans.plan(board, world, rival)
                worth = policy.worth_of_cards(board, world, rival)
            for _ in range(CHOICES):
                other = cards.top(world)
                if other == NONE:
                    break
                if worth[other] > worth[card]:
                    card, other = other, card
                world.deck[other] += 1
                world.counts[DECK] += 1
        world.hands[rival, card] += 1


@inner
def _guess_pile(board, seen, world):
    """Shuffle the tickets without a known or guessed holder into the ticket deck."""
    count = 0
    for ticket in range(len(board.ticket_a)):
        if not board.ticket_long[ticket] and not _is_held(world, ticket):
            world.pile[count] = ticket
            count += 1
    for n in range(count - 1, 0, -1):
        other = np.random.randint(n + 1)
        world.pile[n], world.pile[other] = world.pile[other], world.pile[n]
    world.counts[PILE] = min(count, seen.counts[PILE])
