"""The observation of a seat, as one row of numbers: the twin of ``domain.game.view``."""

import numpy as np

from fogg_simulator.arrays import NONE, SETUP, TUNNEL
from fogg_simulator.compiled import entry, inner, part

BLOCK = 128  # actions that are counted at once, with a byte for their sum


@entry
def observe(boards, games, seats, observations):
    for i in range(len(games)):
        observe_game(boards[0], games[i], np.int64(seats[i]), observations[i])


@entry
def sample(mask, numbers, actions):
    """Choose in each game the legal action that a random number from 0 to 1 falls on; NONE where
    there is none."""
    for i in range(len(mask)):
        row, count = mask[i], 0
        whole = len(row) // BLOCK * BLOCK
        for start in range(0, whole, BLOCK):
            count += marked(row, start)
        for action in range(whole, len(row)):
            count += row[action]
        actions[i] = NONE
        if count:
            actions[i] = find_marked(row, whole, int(numbers[i] * count))


@part
def marked(row, start):
    """Return how many actions of a block are marked: in a byte, so that LLVM adds many at once."""
    count = np.uint8(0)
    for place in range(BLOCK):
        count = np.uint8(count + row[start + place])
    return np.int64(count)


@part
def find_marked(row, whole, skipped):
    """Return the marked action after so many others; ``whole`` is where the last block ends."""
    first = 0
    for start in range(0, whole, BLOCK):
        count = marked(row, start)
        if skipped < count:
            break
        skipped -= count
        first = start + BLOCK
    for action in range(first, len(row)):
        if row[action]:
            if skipped == 0:
                return action
            skipped -= 1
    return NONE


@inner
def observe_game(board, game, seat, to):
    """Write what a seat may know."""
    to[:] = 0
    to[0], to[1] = game.step, seat
    to[2] = -1 if game.step == SETUP else seat_from(board, seat, game.turn)
    to[3], to[4] = game.passes, max(0, game.finals)
    to[5], to[6] = game.deck_end - game.deck_top, game.ticket_count
    at, colors = 9, board.colors
    for color in range(colors):
        to[at + color] = game.hands[seat, color]
        to[at + 2 * colors + color] = game.discards[color]
    for place in range(game.row_count):
        to[at + colors + game.row[place]] += 1
    if game.step == TUNNEL:
        length = board.length[game.tunnel_route]
        wilds = length if game.tunnel_color == board.wild else game.tunnel_wilds
        to[7], to[8] = game.tunnel_route + 1, game.extra
        to[at + 3 * colors + board.wild] += wilds
        to[at + 3 * colors + game.tunnel_color] += length - wilds
        for i in range(game.turned_count):
            to[at + 4 * colors + game.turned[i]] += 1
    at += 5 * colors
    for ticket in range(board.tickets):
        to[at + ticket] = game.holder[ticket] == seat
    at += board.tickets
    for i in range(game.offered_count[seat]):
        to[at + i] = game.offered[seat, i] + 1
    at += max(board.start_long + board.start_deal, board.turn_deal)
    for route in range(board.routes):
        owner = game.owner[route]
        to[at + route] = 0 if owner == NONE else seat_from(board, seat, owner) + 1
    at += board.routes
    for other in range(board.seats):
        for i in range(game.built[other]):
            to[at + game.stations[other, i]] = seat_from(board, seat, other) + 1
    at += board.locations
    for i in range(board.seats):
        observe_seat(board, game, (seat + i) % board.seats, to, at)
        at += 7 + colors + 3


@inner
def observe_seat(board, game, seat, to, at):
    cards, tickets = 0, 0
    for color in range(board.colors):
        cards += game.hands[seat, color]
        to[at + 7 + color] = game.taken[seat, color]
    for ticket in range(board.tickets):
        tickets += game.holder[ticket] == seat
    to[at], to[at + 1], to[at + 2] = game.trains[seat], game.points[seat], cards
    to[at + 3], to[at + 4] = tickets, game.offered_count[seat]
    to[at + 5], to[at + 6] = board.stations - game.built[seat], game.left[seat] > 0
    for stripe in range(3):
        to[at + 7 + board.colors + stripe] = game.flag[seat, stripe]


@inner
def seat_from(board, seat, other):
    """Return the number of turns from one seat to another."""
    return other - seat if other >= seat else other - seat + board.seats
