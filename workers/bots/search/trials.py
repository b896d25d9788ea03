"""Trials of the same choices in the same worlds."""

from __future__ import annotations

import numpy as np

from workers.bots.board import Board
from workers.bots.search import arrays, cards, plans, policy, tickets, worlds
from workers.bots.search.arrays import DECK, DISCARDS, EXTRA, NEEDED, NONE, OUTDATED, PILE, STALE
from workers.bots.search.compiled import inner, outer

# The first move of a seat: the start of a turn, or the tickets to keep, given as bits. It ends the
# turn, except for tickets kept before the first turn.
CLAIM, BLIND, TAKE, NEW_TICKETS = policy.CLAIM, policy.BLIND, policy.TAKE, policy.NEW_TICKETS
KEEP, FIRST_KEEP = 4, 5
TURN, SECOND_CARD = 6, 7  # kinds of decisions that are not about tickets
NEEDED_FIRST, EXTRA_THEN = 100, 50  # priorities of claims, far above their points


@outer
def seed(number):
    """Seed the guesses and playouts of this process."""
    np.random.seed(number)


@outer
def options(board, seen, me, kind, offered, game, moves, most):
    """Fill in the moves to try, as (kind, first value, second value); return their number.

    For TURN: first what the seat's style does, then so many claims, drawing from the deck and each
    card of the row, and tickets. For SECOND_CARD: the style's, NONE for one of the deck. For KEEP
    and FIRST_KEEP: the style's, of as many choices as are filled in. ``game`` is room to work in.

    It is one function, since each entry point gets its own compiled copy of its callees.
    """
    cards.copy(game, seen)
    if kind == SECOND_CARD:
        plans.refresh(board, game, me)
        moves[0, 1] = policy.best_card(board, game, me, True)
        return 1
    if kind != TURN:
        for ticket in offered:
            game.held[me, ticket] = 0
        moves[0, 1] = tickets.best_keep(board, game, me, offered, moves[:most, 1].copy())
        return 1
    moves[0, 0], moves[0, 1], moves[0, 2] = policy.turn(board, game, me)
    count = 1
    worth = _worth_of_claims(board, game, me)
    if moves[0, 0] == CLAIM:
        worth[moves[0, 1]] = NONE
    for _ in range(most):
        route = worth.argmax()
        if worth[route] == NONE:
            break
        worth[route] = NONE
        color = plans.color_for(board, game, me, route)
        count = _add(moves, count, CLAIM, route, color)
    if game.counts[DECK] + game.counts[DISCARDS] > 0:
        count = _add(moves, count, BLIND, NONE, NONE)
    for place in range(len(game.row)):
        if game.row[place] != NONE:
            count = _add(moves, count, TAKE, game.row[place], NONE)
    if game.counts[PILE] > 0:
        count = _add(moves, count, NEW_TICKETS, NONE, NONE)
    return count


@inner
def _worth_of_claims(board, game, me):
    """Return each claim's priority: needed, then planned for points, then its points; NONE if it is
    impossible."""
    can, points = policy.payable(board, game, me), board.points
    worth = np.full(len(can), NONE)
    for route in range(len(can)):
        if can[route]:
            worth[route] = points[route]
    for planned, much in ((game.needed[me, : game.plans[me, NEEDED]], NEEDED_FIRST),
                          (game.extra[me, : game.plans[me, EXTRA]], EXTRA_THEN)):
        for route in planned:
            if can[route]:
                worth[route] += much
    return worth


@inner
def _add(moves, count, what, value, color):
    """Add a move that is not there yet; return the number of moves."""
    for n in range(count):
        if moves[n, 0] == what and moves[n, 1] == value:
            return count
    moves[count, 0], moves[count, 1], moves[count, 2] = what, value, color
    return count + 1


@outer
def try_out(board, seen, hidden, offered, me, moves, alive, world, game, values):
    """Try the choices that are alive in one more world for each row of ``values``; fill in the
    seat's final lead over the best rival.

    ``moves``: (what, first value, second value) of each choice; ``world`` and ``game`` are room to
    work in; ``values``: by world and choice. All choices have the same luck in a world, as far as
    they lead to the same draws.
    """
    for n in range(len(values)):
        worlds.guess(board, seen, hidden, me, world)
        chance = np.random.randint(1 << 30)
        for choice in range(len(moves)):
            if alive[choice]:
                np.random.seed(chance)
                cards.copy(game, world)
                _move(board, game, me, offered, moves[choice])
                policy.play_out(board, game)
                values[n, choice] = _ahead(game.totals, me)


@inner
def _ahead(totals, me):
    """Return a seat's lead over the best other."""
    best = NONE
    for seat in range(len(totals)):
        if seat != me and (best == NONE or totals[seat] > totals[best]):
            best = seat
    return totals[me] - totals[best]


@inner
def _move(board, game, seat, offered, move):
    """Play the rest of a turn that begins with a choice."""
    what, value, color = move
    if what == CLAIM:
        cards.claim(board, game, seat, value, color)
    elif what == BLIND or what == TAKE:  # noqa: SIM109 (of two types)
        policy.take_or_draw(game, seat, value)
        if value != len(game.deck) - 1:
            game.plans[seat, STALE] = OUTDATED
            plans.refresh(board, game, seat)
            policy.take_or_draw(game, seat, policy.best_card(board, game, seat, True))
    elif what == NEW_TICKETS:
        game.plans[seat, STALE] = OUTDATED
        tickets.draw_tickets(board, game, seat)
    else:
        for n in range(len(offered)):
            game.held[seat, offered[n]] = value >> n & 1
    game.plans[seat, STALE] = OUTDATED
    if what == FIRST_KEEP:
        return
    cards.end_turn(game)


def run_once() -> None:
    """Call each entry point once on a tiny board, so that it is compiled."""
    place = [{"id": "a"}, {"id": "b"}]
    board = Board({
        "locations": place, "points": {"1": 1}, "cards": {"red": 9, "wild": 9}, "rules": [],
        "routes": [{"id": "a--b", "a": "a", "b": "b", "length": 1, "color": "grey"}],
        "tickets": [{"id": "a--b", "a": "a", "b": "b", "points": 1}],
        "tickets_on_a_turn": {"deal": 3}, "doubles_closed_for": [2]})
    board = arrays.board_arrays(board, 2)
    seen, world, game = (arrays.new_game(board, 2) for _ in range(3))
    seen.deck[:], seen.trains[:] = board.deck, 3
    seen.counts[arrays.DECK] = board.deck.sum()
    seen.counts[arrays.FINAL] = NONE
    seed(0)
    offered = np.zeros(0, np.int32)
    options(board, seen, 0, TURN, offered, game, np.zeros((9, 3), np.int64), 1)
    try_out(board, seen, np.array([(0, 0), (1, 4), (0, 0)], np.int32), offered, 0,
            np.array([(TAKE, 0, 0)]), np.ones(1, np.bool_), world, game, np.zeros((1, 1)))
