"""The plan of a seat: the routes that it needs, and routes for points; which tickets it keeps, and
whether it wants more."""

import numpy as np
from fogg_simulator.arrays import NONE, ONE, SETUP, ZERO
from fogg_simulator.compiled import inner
from fogg_simulator.rules import network

from workers.bots.search import styles, ways
from workers.bots.search.minds import MAX_EXTRA, OTHER_EXTRA, OUTDATED, UP_TO_DATE

CONNECTS, GOES_ON = 3.0, 1.0  # weights of the signs that a rival wants a route


@inner
def refresh(board, game, mind, room, style, seat):
    drop_claimed(board, game, mind, seat)
    if mind.stale[seat] == OUTDATED:
        plan(board, game, mind, room, style, seat)
    elif mind.stale[seat] == OTHER_EXTRA or mind.extra_count[seat] == 0:
        plan_extra(board, game, mind, room, style, seat)


@inner
def drop_claimed(board, game, mind, seat):
    """Remove claimed routes from the plan; it is outdated if another cannot be claimed."""
    count = ZERO
    for n in range(mind.needed_count[seat]):
        route = mind.needed[seat, n]
        if game.owner[route] != seat:
            if not ways.is_open(board, game, seat, route):
                mind.stale[seat] = OUTDATED
            mind.needed[seat, count] = route
            count += 1
    if count < mind.needed_count[seat]:
        mind.stale[seat] = max(mind.stale[seat], OTHER_EXTRA)
    mind.needed_count[seat] = count
    for n in range(mind.extra_count[seat]):
        if not ways.is_open(board, game, seat, mind.extra[seat, n]):
            mind.stale[seat] = max(mind.stale[seat], OTHER_EXTRA)


@inner
def plan(board, game, mind, room, style, seat):
    ways.fill_costs(board, game, room, style, seat)
    many = ways.held_by(board, game, room, seat)
    ways.connect(
        board,
        game,
        room,
        style,
        seat,
        room.held,
        many,
        ways.turns_left(board, game, style, seat) + style[styles.PLANNING],
    )
    mind.stake[seat] = room.stake
    count, lent, longest = ZERO, ZERO, ZERO
    for route in range(board.routes):
        if room.needs[route]:
            longest = max(longest, board.length[route])
            if game.owner[route] != NONE:
                mind.lent[seat, lent] = route
                lent += 1
    for length in range(longest, 0, -1):
        for route in range(board.routes):
            if room.needs[route] and board.length[route] == length and game.owner[route] == NONE:
                mind.needed[seat, count] = route
                count += 1
    mind.needed_count[seat], mind.lent_count[seat] = count, lent
    plan_extra(board, game, mind, room, style, seat)


@inner
def plan_extra(board, game, mind, room, style, seat):
    """Make a new plan of routes for points: the most points per turn, while trains last."""
    joined, is_out, gain = room.joined, room.is_out, room.gain
    ways.gains(board, game, room, style, seat)
    if style[styles.BLOCK] > 0:
        add_blocks(board, game, room, style, seat)
    trains, needed = game.trains[seat], mind.needed[seat]
    for place in range(board.locations):
        joined[place] = 0
    for route in range(board.routes):
        is_out[route] = not ways.is_open(board, game, seat, route)
        if game.owner[route] == seat:
            joined[board.a[route]] = joined[board.b[route]] = 1
    for n in range(mind.needed_count[seat]):
        trains -= add(board, room, needed[n])
    share(board, game, mind, room, seat, ZERO)
    hand = room.hand
    for color in range(board.colors):
        hand[color] = room.spare[color]
    link = style[styles.LINK] if board.longest_path_bonus else 0.0
    count = ZERO
    while count < MAX_EXTRA:
        best, rated, plain = NONE, -ways.FAR, ways.most_held(board, room.spare)
        for route in range(board.routes):
            if is_out[route] or board.length[route] > trains:
                continue
            short = room.cards[route] - ways.held_for(board, room, route, room.spare, plain)
            much = gain[route] + style[styles.TEMPO] * board.length[route]
            much += link * (joined[board.a[route]] + joined[board.b[route]])
            rate = much / (1 + short * style[styles.RATE])
            if rate > rated:
                best, rated = route, rate
        if best == NONE:
            break
        mind.extra[seat, count] = best
        count += 1
        trains -= add(board, room, best)
        for color in range(board.colors):
            room.spare[color] = hand[color]
        ways.share_out(board, room, mind.extra[seat], count, ONE)
    mind.extra_count[seat] = count
    mind.stale[seat] = UP_TO_DATE


@inner
def add(board, room, route):
    """Note that a route is planned; return its trains."""
    room.joined[board.a[route]] = room.joined[board.b[route]] = 1
    room.is_out[route] = 1
    if board.twin[route] != NONE:
        room.is_out[board.twin[route]] = 1
    return board.length[route]


@inner
def add_blocks(board, game, room, style, seat):
    """Add to the gain of each route its likely value to rivals: more if it connects two parts of
    their network, less if it extends one end."""
    group, degree = game.group, game.degree
    for rival in range(board.seats):
        if rival == seat or game.left[rival]:
            continue
        network.connect(board, game, rival)
        for place in range(board.locations):
            degree[place] = 0
        for route in range(board.routes):
            if game.owner[route] == rival:
                degree[board.a[route]] += 1
                degree[board.b[route]] += 1
        for route in range(board.routes):
            if game.owner[route] == NONE:
                a, b = board.a[route], board.b[route]
                if degree[a] and degree[b]:
                    if network.find(group, a) != network.find(group, b):
                        room.gain[route] += style[styles.BLOCK] * CONNECTS
                elif degree[a] == 1 or degree[b] == 1:
                    room.gain[route] += style[styles.BLOCK] * GOES_ON


@inner
def share(board, game, mind, room, seat, extra):
    """Allocate the hand to the needed routes, and then to as many of the extra ones."""
    for color in range(board.colors):
        room.spare[color] = game.hands[seat, color]
    ways.share_out(board, room, mind.needed[seat], mind.needed_count[seat], ZERO)
    ways.share_out(board, room, mind.extra[seat], extra, ONE)


@inner
def color_for(board, game, mind, room, style, seat, route):
    """Return the payable colour that costs the rest of the plan least; wild if nothing else."""
    if board.color[route] != NONE:
        return board.color[route]
    needed, extra = mind.needed_count[seat], mind.extra_count[seat]
    share(board, game, mind, room, seat, extra)
    value = room.value
    for color in range(board.colors):
        value[color] = style[styles.FOR_NOTHING]
    for n in range(extra):
        if mind.extra[seat, n] != route:
            value[room.paid[1, n]] = style[styles.FOR_EXTRA]
    for n in range(needed):
        if mind.needed[seat, n] != route:
            value[room.paid[0, n]] = style[styles.FOR_NEEDED]
    length, hand = board.length[route], game.hands[seat]
    best, least = board.wild, np.inf
    for color in range(board.wild):
        held = min(hand[color], length - board.ferry[route])
        bill = held * value[color] + (length - held) * style[styles.WILD]
        if length - held <= hand[board.wild] and bill < least:
            best, least = np.int64(color), bill
    return best


@inner
def wants_tickets(board, game, mind, room, style, seat):
    """Return whether new tickets are worth more than a turn."""
    drawn = board.turn_deal
    if game.ticket_count < drawn or mind.sated[seat] or game.finals != NONE:
        return False
    needed = mind.needed_count[seat]
    share(board, game, mind, room, seat, ZERO)
    turns = ways.turns_for(room, needed, game.hands[seat, board.wild], style[styles.WASTE])
    if turns > style[styles.NEARLY]:
        return False
    ways.fill_costs(board, game, room, style, seat)
    trains = game.trains[seat]
    for n in range(needed):
        trains -= board.length[mind.needed[seat, n]]
        room.costs[mind.needed[seat, n]] = 0.0
    left = ways.turns_left(board, game, style, seat) + style[styles.WANTING] - 1 - turns
    count = fill_hopes(board, game, room, seat, trains, left)
    if count <= drawn:
        return False
    ways.sort(room.order, room.hopes, count)
    total = draws = 0.0
    for n in range(drawn - 1, count):
        chance = 1.0  # the share of draws in which this one is the best
        for other in range(drawn - 1):
            chance *= (n - other) / (other + 1)
        total += chance * room.hopes[room.order[n]]
        draws += chance
    worth = style[styles.TICKETS] * style[styles.TURN]
    mind.sated[seat] = total / draws <= worth * room.mean_length
    return not mind.sated[seat]


@inner
def fill_hopes(board, game, room, seat, trains, turns):
    """Fill in the values of tickets that the seat does not hold; return how many there are."""
    count, start = ZERO, NONE
    for ticket in range(board.tickets):
        if game.holder[ticket] == seat or board.ticket_long[ticket]:
            continue
        if board.ticket_a[ticket] != start:
            start = board.ticket_a[ticket]
            ways.search_ways(room, room.costs, start, NONE)
        place, points = board.ticket_b[ticket], board.ticket_points[ticket]
        cost = room.far[place]
        room.hopes[count] = -points
        if cost < ways.FAR:
            laid, takes = ZERO, 0.0
            while place != start:
                route = room.came[place]
                if room.costs[route] > 0:
                    if game.owner[route] == NONE:
                        laid += board.length[route]
                    takes += 1 + board.length[route] / 2
                place = board.a[route] + board.b[route] - place
            if laid <= trains and takes <= turns:
                room.hopes[count] = max(room.hopes[count], points - cost)
        count += 1
    return count


@inner
def best_keep(board, game, room, style, seat):
    """Return the most valuable of the allowed choices of offered tickets, as bits."""
    offered, least = game.offered_count[seat], board.turn_keep
    if game.step == SETUP:
        least = board.start_keep
    held = ways.held_by(board, game, room, seat)
    ways.fill_costs(board, game, room, style, seat)
    turns = ways.turns_left(board, game, style, seat) + style[styles.PLANNING]
    best, most = (ONE << offered) - 1, -ways.FAR
    for choice in range(1, ONE << offered):
        count = held
        for n in range(offered):
            if choice >> n & 1:
                room.held[count] = game.offered[seat, n]
                count += 1
        if count - held >= min(least, offered):
            value = ways.connect(board, game, room, style, seat, room.held, count, turns)
            if value > most:
                best, most = choice, value
    return best
