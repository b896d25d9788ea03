"""The same choices tried in the same worlds."""

from __future__ import annotations

import numpy as np
from numba import njit

from workers.bots.atlas import Atlas
from workers.bots.search import cards, policy, worlds
from workers.bots.search import table as shape
from workers.bots.search.table import NONE, OUTDATED, STALE

# What a seat may do first: claim (route, colour), draw blind, take (colour) from the row, draw as
# the policy does, draw tickets, keep those offered that are bits of a choice. It ends the turn,
# but for keeping tickets before the first.
CLAIM, BLIND, TAKE, DRAW, TICKETS, KEEP, FIRST_KEEP = range(7)


@njit(cache=True)
def seed(number):
    """Let the guesses and playouts of this process follow from a number."""
    np.random.seed(number)


@njit(cache=True)
def try_out(table, seen, hidden, offered, me, moves, alive, world, game, values):
    """Try the choices that are alive in one more world for each row of ``values``; fill in by how
    much the seat is ahead of the best other in the end.

    ``moves``: (what, first value, second value) of each choice; ``world`` and ``game`` are room to
    work in; ``values``: by world and choice.
    """
    for n in range(len(values)):
        worlds.guess(table, seen, hidden, me, world)
        for choice in range(len(moves)):
            if alive[choice]:
                cards.copy(game, world)
                _move(table, game, me, offered, moves[choice])
                policy.play_out(table, game)
                values[n, choice] = _ahead(game.totals, me)


@njit(cache=True)
def _ahead(totals, me):
    """Return by how much a seat is ahead of the best other."""
    best = NONE
    for seat in range(len(totals)):
        if seat != me and (best == NONE or totals[seat] > totals[best]):
            best = seat
    return totals[me] - totals[best]


@njit(cache=True)
def _move(table, game, seat, offered, move):
    """Play the rest of a turn that begins with a choice."""
    what, value, color = move
    if what == CLAIM:
        cards.claim(table, game, seat, value, color)
    elif what == BLIND:
        cards.draw_blind(game, seat)
        policy.refresh(table, game, seat)
        policy.draw_one(table, game, seat, True)
    elif what == TAKE:
        cards.take(game, seat, value)
        if value != len(game.deck) - 1:
            policy.refresh(table, game, seat)
            policy.draw_one(table, game, seat, True)
    elif what == DRAW:
        policy.draw_cards(table, game, seat)
    elif what == TICKETS:
        policy.draw_tickets(table, game, seat)
    else:
        for n in range(len(offered)):
            game.held[seat, offered[n]] = value >> n & 1
    game.plans[seat, STALE] = OUTDATED
    if what == FIRST_KEEP:
        return
    cards.end_turn(game)




def run_once() -> None:
    """Call what is called from outside, on the smallest of boards, so that it is compiled."""
    place = [{"id": "a"}, {"id": "b"}]
    atlas = Atlas({
        "locations": place, "points": {"1": 1}, "cards": {"red": 9, "wild": 9}, "rules": [],
        "routes": [{"id": "a--b", "a": "a", "b": "b", "length": 1, "color": "grey"}],
        "tickets": [{"id": "a--b", "a": "a", "b": "b", "points": 1}],
        "tickets_on_a_turn": {"deal": 3}, "doubles_closed_for": [2]})
    board = shape.table(atlas, 2)
    seen, world, game = (shape.new_game(board, 2) for _ in range(3))
    seen.deck[:], seen.trains[:] = board.deck, 3
    seen.counts[shape.DECK] = board.deck.sum()
    seen.counts[shape.FINAL] = NONE
    seed(0)
    try_out(board, seen, np.array([(0, 0), (1, 4), (0, 0)], np.int32), np.zeros(0, np.int32), 0,
            np.array([(DRAW, 0, 0)]), np.ones(1, np.bool_), world, game, np.zeros((1, 1)))
