"""The features of actions, computed plainly by numpy: what the fast ones are compared with.

It finds all distances by Floyd and Warshall, and updates them after each route that it lays.
"""

from __future__ import annotations

from collections import namedtuple
from math import comb

import numpy as np
from fogg_simulator import arrays
from fogg_simulator.arrays import sizes
from fogg_simulator.features import (
    A_ALL_WILD,
    A_BILL,
    A_BLOCKS,
    A_BUILD,
    A_BUILD_CARDS,
    A_BUILD_JOKERS,
    A_CARD,
    A_CLAIM,
    A_COMPLETES,
    A_CROWD,
    A_DETOUR,
    A_DRAW,
    A_ENDS,
    A_EXTRA,
    A_EXTRA_NEAR,
    A_EXTRA_WANT,
    A_GAIN,
    A_GREY,
    A_HAVE,
    A_IN_TIME,
    A_IS_MOST,
    A_JOINS,
    A_JOKERS,
    A_KEEP,
    A_KEEPS_CARD,
    A_KEPT,
    A_KEPT_COST,
    A_KEPT_LOST,
    A_KEPT_POINTS,
    A_KEPT_TRAINS,
    A_KEPT_VALUE,
    A_LEFT,
    A_LENGTH,
    A_LESS,
    A_LONG,
    A_NEAR,
    A_NEEDED,
    A_PASS,
    A_PAY,
    A_PAY_BILL,
    A_PLANNED,
    A_POINTS,
    A_ROW,
    A_SPARE,
    A_TICKET_POINTS,
    A_TICKETS,
    A_TICKETS_WORTH,
    A_TUNNEL,
    A_TURN,
    A_URGENCY,
    A_WANT,
    A_WILD,
    A_WILD_CARD,
    A_WITHDRAW,
    A_WORTH,
    ASIDE,
    CROWD,
    EXTRAS,
    FAR,
    FOR_A_FERRY,
    FOR_EXTRA,
    FOR_NOTHING,
    HELD,
    LACKING,
    LEAST,
    LINK,
    NAMES,
    O_CARDS,
    O_DECK,
    O_DONE,
    O_FINAL,
    O_LEAD,
    O_LOST,
    O_MISSING,
    O_MOST,
    O_ONE,
    O_OPEN,
    O_PLANNED_ROUTES,
    O_PLANNED_TRAINS,
    O_PLANNED_TURNS,
    O_RIVAL_CARDS,
    O_RIVAL_TICKETS,
    O_RIVAL_TRAINS,
    O_SEATS,
    O_SECOND,
    O_SETUP,
    O_SHORT_ROUTES,
    O_SLACK_TRAINS,
    O_SLACK_TURNS,
    O_STATIONS,
    O_TICKETS,
    O_TRAINS,
    O_TURNS_LEFT,
    O_WILDS,
    ROWS,
)
from fogg_simulator.layout import layout
from fogg_simulator.limits import most_offered
from fogg_simulator.tables import tables

# A board in the arrays that features are computed from: of routes (``color`` is -1 for grey), of
# tickets (``chance``: that the n-th one is the best of those drawn), the ``cards`` of each colour,
# and all actions. ``at_...`` are places in an observation.
Chart = namedtuple(
    "Chart",
    (
        "a",
        "b",
        "length",
        "color",
        "points",
        "twin",
        "ferry",
        "tunnel",
        "ticket_a",
        "ticket_b",
        "ticket_points",
        "ticket_long",
        "chance",
        "cards",
        "ways",
        "locations",
        "wild",
        "seats",
        "trains",
        "doubles_closed",
        "mean_length",
        "at_hand",
        "at_row",
        "at_discards",
        "at_held",
        "at_offer",
        "offers",
        "at_routes",
        "at_tunnel",
        "at_seats",
        "seat_size",
    ),
)


def chart_of(board, seats):
    made, at = tables(board, seats, sizes(board, seats)), layout(board, seats)
    record, routes, tickets = made.record[0], len(board.routes), len(board.tickets)
    rows = {
        name: record[name][:routes].copy()
        for name in ("a", "b", "length", "color", "points", "twin", "ferry", "tunnel")
    }
    rows |= {
        name: record[name][:tickets].copy()
        for name in ("ticket_a", "ticket_b", "ticket_points", "ticket_long")
    }
    drawn = board.tickets_on_a_turn.deal
    chance = np.array([comb(place, drawn - 1) for place in range(tickets + 1)], np.float64)
    return Chart(
        **rows,
        chance=chance,
        cards=record["count"][: len(board.colors)].copy(),
        ways=made.ways.astype(np.int64),
        locations=len(board.locations),
        wild=len(board.colors) - 1,
        seats=seats,
        trains=board.trains,
        doubles_closed=int(record["doubles_closed"]),
        mean_length=float(np.mean(board.lengths)),
        at_hand=at["hand"].start,
        at_row=at["row"].start,
        at_discards=at["discards"].start,
        at_held=at["held"].start,
        at_offer=at["offer"].start,
        offers=most_offered(board),
        at_routes=at["routes"].start,
        at_tunnel=at["tunnel"].start,
        at_seats=at["seat 0: trains"].start,
        seat_size=at["seat 0: flag"].stop - at["seat 0: trains"].start,
    )


def describe(chart, observation, mask, rows, actions, gain):
    """Write a row for each legal action, without actions that only differ from another by a worse
    payment. Return the number of rows."""
    legal = np.flatnonzero(mask)
    hand = observation[chart.at_hand : chart.at_hand + chart.wild + 1].astype(np.int64)
    owner = observation[chart.at_routes : chart.at_routes + len(chart.a)]
    trains = int(observation[chart.at_seats])
    tunnel = int(observation[chart.at_tunnel]) - 1
    if tunnel >= 0:  # laid cards belong to the seat while it may withdraw
        at = chart.at_discards + chart.wild + 1
        hand = hand + observation[at : at + chart.wild + 1]
    crowd = np.zeros(chart.locations, np.float32)
    for route in np.flatnonzero(owner > 1):
        crowd[chart.a[route]] += 1
        crowd[chart.b[route]] += 1
    taken = np.append(owner, 0)[chart.twin]  # the last one for those without a twin
    is_open = (owner == 0) & (chart.length <= trains)
    is_open &= (taken == 0) | ((taken != 1) & (chart.doubles_closed == 0))
    costs = costs_of(chart, hand, owner, is_open, crowd)
    edges, by = edges_of(chart, costs)
    far = distances(edges)
    joined = far == 0
    held = np.flatnonzero(observation[chart.at_held : chart.at_held + len(chart.ticket_a)])
    apart = held[~joined_tickets(chart, joined, held)]
    order = apart[np.argsort(-far_of(chart, far, apart), kind="mergesort")]
    plan, laid_far = lay(chart, edges, by, far, order)
    if len(order) > 1:
        other, other_far = lay(chart, edges, by, far, order[::-1])
        if cost_of(costs, other) < cost_of(costs, plan) - np.float32(gain):
            plan, laid_far = other, other_far
    needed = np.flatnonzero(plan > 0)
    color, short, spare = share_out(chart, hand, needed)
    extra = extras(chart, spare, is_open, plan, trains, joined, needed, hand)
    extra_color, extra_short, _ = share_out(chart, spare, extra)
    position = rows[0]
    position[:] = 0
    lost = apart[far_of(chart, laid_far, apart) > 0]
    of_position(chart, observation, hand, held, joined, lost, needed, short, position)
    common = position.copy()
    step = int(observation[0])
    if step in (arrays.TURN, arrays.SECOND_CARD):
        want, near = wants(chart, color, short)
        extra_want, extra_near = wants(chart, extra_color, extra_short)
        worth = worths(chart, hand, needed, color, short, extra_color, extra_short)
        best = 0.0
        for c in range(chart.wild + 1):
            if observation[chart.at_row + c] > 0:
                best = max(best, worth[c])
    same, least, count = -1, 0.0, 0
    bills = np.zeros(len(actions))
    for action in legal:
        kind, what, paid, wilds, more = chart.ways[action]
        bill = 0.0
        if kind in (arrays.CLAIM, arrays.BUILD, arrays.PAY):
            each = price_of(
                chart, paid, what if kind == arrays.CLAIM else -1, needed, color, extra, extra_color
            )
            cards = chart.length[what] if kind == arrays.CLAIM else more
            bill = (cards - wilds) * each + wilds * A_WILD_CARD
            group = (what * 10 + kind) * 2 + (kind == arrays.CLAIM and more == 1)
            if group == same and bill >= least:
                continue
            if group == same:
                count -= 1
            same, least = group, bill
        if count == ROWS:
            break
        actions[count], bills[count] = action, bill
        count += 1
    base = 0.0
    for place in range(count):
        kind, what, paid, wilds, more = chart.ways[actions[place]]
        bill, row = bills[place], rows[place]
        row[:] = common
        if kind == arrays.DRAW:
            of_draw(
                chart,
                observation,
                hand,
                what,
                want,
                near,
                extra_want,
                extra_near,
                worth,
                best,
                is_open,
                row,
            )
        elif kind == arrays.CLAIM:
            of_claim(
                chart,
                hand,
                what,
                paid,
                wilds,
                more,
                bill,
                plan,
                extra,
                crowd,
                joined,
                apart,
                edges,
                trains,
                color,
                short,
                needed,
                row,
            )
        elif kind == arrays.DRAW_TICKETS:
            row[A_TICKETS] = 1
            value = tickets_worth(chart, observation, held, laid_far)
            row[A_TICKETS_WORTH] = value / 20
            row[A_IN_TIME] = value / 20 if common[O_PLANNED_TURNS] <= 0.15 else 0.0
        elif kind == arrays.KEEP:
            if place == 0:
                base = cost_of(costs, plan)
            of_keep(
                chart, observation, what, edges, by, far, joined, apart, costs, base, trains, row
            )
        elif kind == arrays.BUILD:
            of_build(chart, owner, what, paid, wilds, more, laid_far, apart, row)
        elif kind == arrays.PAY:
            row[A_PAY] = 1
            row[A_PAY_BILL] = bill / 5
            row[A_JOKERS] = wilds / 3
            row[A_PLANNED] = plan[tunnel] > 0
            row[A_POINTS] = chart.points[tunnel] / 15
        elif kind == arrays.WITHDRAW:
            row[A_WITHDRAW] = 1
            row[A_PLANNED] = plan[tunnel] > 0
        elif kind == arrays.PASS:
            row[A_PASS] = 1
    return count


def costs_of(chart, hand, owner, is_open, crowd):
    """Return each route's cost in points: 0 for the seat's own, FAR if it cannot be claimed."""
    saved = chart.length + chart.tunnel
    most = hand[: chart.wild].max()
    held = np.where(chart.color < 0, most, hand[chart.color])
    held = np.minimum(held, saved - chart.ferry)
    turn, card = A_TURN * chart.mean_length, A_CARD * chart.mean_length
    costs = card * (saved - HELD * held) + turn - chart.points
    costs = np.maximum(LEAST, costs + CROWD * (crowd[chart.a] + crowd[chart.b]))
    return np.where(owner == 1, 0.0, np.where(is_open, costs, FAR)).astype(np.float32)


def edges_of(chart, costs):
    """Return the cost of the cheapest route between two locations, and which route it is."""
    edges = np.full((chart.locations, chart.locations), FAR, np.float32)
    by = np.full((chart.locations, chart.locations), -1, np.int64)
    for route in np.flatnonzero(costs < FAR):
        a, b = chart.a[route], chart.b[route]
        if costs[route] < edges[a, b]:
            edges[a, b] = edges[b, a] = costs[route]
            by[a, b] = by[b, a] = route
    for place in range(chart.locations):
        edges[place, place] = 0
    return edges, by


def distances(edges):
    """Return the cost of the cheapest connection of each two locations (Floyd and Warshall)."""
    far = edges.copy()
    for place in range(len(far)):
        far = np.minimum(far, far[:, place : place + 1] + far[place : place + 1, :])
    return far


def far_of(chart, far, tickets):
    costs = np.zeros(len(tickets), np.float32)
    for i in range(len(tickets)):
        costs[i] = far[chart.ticket_a[tickets[i]], chart.ticket_b[tickets[i]]]
    return costs


def joined_tickets(chart, joined, tickets):
    """Return a flag for each ticket that the seat's own routes connect."""
    connected = np.zeros(len(tickets), np.bool_)
    for i in range(len(tickets)):
        connected[i] = joined[chart.ticket_a[tickets[i]], chart.ticket_b[tickets[i]]]
    return connected


def cost_of(costs, plan):
    return costs[plan > 0].sum()


def lay(chart, edges, by, far, tickets):
    """Lay the tickets' connections one after the other. Return the points of the tickets for which
    each route is laid, and the distances once all are built."""
    plan = np.zeros(len(chart.a), np.float32)
    edges, far = edges.copy(), far.copy()
    for ticket in tickets:
        place, end = chart.ticket_a[ticket], chart.ticket_b[ticket]
        if far[place, end] >= FAR:
            continue
        while far[place, end] > 0:
            x, y = next_edge(edges, far, place, end)
            plan[by[x, y]] += chart.ticket_points[ticket]
            edges[x, y] = edges[y, x] = 0
            connect(far, x, y)
            place = y
    return plan, far


def next_edge(edges, far, place, end):
    """Return the edge by which the cheapest path to the end leaves what this place is joined to."""
    reached = np.where(far[place] == 0, np.float32(0), FAR)
    rest = np.where(far[end] < far[place, end], far[end], FAR)
    best = int(np.argmin(edges + reached.reshape(-1, 1) + rest))
    return best // len(edges), best % len(edges)


def connect(far, x, y):
    """Update the distances for a free connection of x and y."""
    over = np.minimum(far[:, x : x + 1] + far[y], far[:, y : y + 1] + far[x])
    far[:] = np.minimum(far, over)


def share_out(chart, hand, routes):
    """Allocate a hand to routes, coloured ones first. Return, for each route, the colour that pays
    it and the number of missing cards; and the cards that are left."""
    spare = hand.copy()
    color, short = np.zeros(len(routes), np.int64), np.zeros(len(routes), np.int64)
    for grey in range(2):
        for i in range(len(routes)):
            route = routes[i]
            if (chart.color[route] < 0) == (grey == 1):
                paid = int(np.argmax(spare[: chart.wild])) if grey else chart.color[route]
                saved = chart.length[route] + chart.tunnel[route]
                given = min(spare[paid], saved - chart.ferry[route])
                spare[paid] -= given
                color[i], short[i] = paid, saved - given
    return color, short, spare


def extras(chart, spare, is_open, plan, trains, joined, needed, hand):
    """Return routes for points, while trains last: the most points for each turn first."""
    trains = trains - chart.length[needed].sum()
    out = ~is_open | (plan > 0)
    for route in needed:
        if chart.twin[route] >= 0:
            out[chart.twin[route]] = True
    own = joined.sum(axis=1) > 1
    for route in needed:
        own[chart.a[route]] = own[chart.b[route]] = True
    spare, routes, count = spare.copy(), np.zeros(EXTRAS, np.int64), 0
    while count < EXTRAS:
        held = np.where(chart.color < 0, spare[: chart.wild].max(), spare[chart.color])
        short = np.maximum(chart.length + chart.tunnel - held, chart.ferry)
        ends = own[chart.a].astype(np.int64) + own[chart.b]
        rate = (chart.points + LINK * ends) / (1 + short / 2)
        rate = np.where(out | (chart.length > trains), -1.0, rate)
        best = int(np.argmax(rate))
        if rate[best] < 0:
            break
        routes[count] = best
        count += 1
        trains -= chart.length[best]
        own[chart.a[best]] = own[chart.b[best]] = True
        out[best] = True
        if chart.twin[best] >= 0:
            out[chart.twin[best]] = True
        paid = int(np.argmax(spare[: chart.wild])) if chart.color[best] < 0 else chart.color[best]
        spare[paid] -= min(spare[paid], chart.length[best] - chart.ferry[best])
    return routes[:count]


def of_position(chart, observation, hand, held, joined, lost, needed, short, row):
    mine = observation[chart.at_seats : chart.at_seats + chart.seat_size]
    trains, rival_trains, turns_left = mine[0], 99, 99.0
    rival_cards, rival_points, rival_tickets = 0, -999, 0
    for other in range(1, chart.seats):
        at = chart.at_seats + other * chart.seat_size
        if observation[at + 6]:
            continue
        its_trains, cards = int(observation[at]), int(observation[at + 2])
        to_lay = max(0, its_trains - 2)
        turns_left = min(turns_left, max(0, to_lay - cards) / 2 + to_lay / 3.5)
        rival_trains, rival_cards = min(rival_trains, its_trains), max(rival_cards, cards)
        rival_points = max(rival_points, int(observation[at + 1]))
        rival_tickets = max(rival_tickets, int(observation[at + 3]))
    final = observation[4] > 0
    turns_left = 0.0 if final else turns_left
    takes, missing = chart.length[needed].sum(), short.sum()
    turns = max(0, missing - hand[chart.wild]) * 0.65 + len(needed)
    done = 0
    for ticket in held:
        if joined[chart.ticket_a[ticket], chart.ticket_b[ticket]]:
            done += chart.ticket_points[ticket]
    row[O_ONE] = 1
    row[O_TRAINS] = trains / chart.trains
    row[O_RIVAL_TRAINS] = rival_trains / chart.trains
    row[O_CARDS] = hand.sum() / 20
    row[O_WILDS] = hand[chart.wild] / 5
    row[O_TURNS_LEFT] = turns_left / 20
    row[O_PLANNED_TRAINS] = takes / chart.trains
    row[O_PLANNED_TURNS] = turns / 20
    row[O_PLANNED_ROUTES] = len(needed) / 10
    row[O_OPEN] = (needed.size > 0) * len(held) / 5  # all tickets, as the trained weights expect it
    row[O_LOST] = chart.ticket_points[lost].sum() / 20
    row[O_LEAD] = (mine[1] - rival_points) / 50
    row[O_RIVAL_CARDS] = rival_cards / 20
    row[O_FINAL] = final
    row[O_DECK] = observation[5] / 100
    row[O_SETUP] = observation[0] == 0
    row[O_SECOND] = observation[0] == arrays.SECOND_CARD
    row[O_SEATS] = (chart.seats - 2) / 3
    row[O_STATIONS] = mine[5] / 3
    row[O_DONE] = done / 50
    row[O_SLACK_TURNS] = min(3.0, max(-3.0, (turns_left - turns) / 10))
    row[O_SLACK_TRAINS] = (trains - takes) / 20
    row[O_TICKETS] = len(held) / 5
    row[O_MISSING] = missing / 20
    row[O_SHORT_ROUTES] = (short > hand[chart.wild]).sum() / 10
    row[O_MOST] = hand[: chart.wild].max() / 10
    row[O_RIVAL_TICKETS] = rival_tickets / 5


def wants(chart, color, short):
    """Return the missing cards by colour, and how close the nearest route is to being paid."""
    want = np.zeros(chart.wild + 1, np.float32)
    near = np.zeros(chart.wild + 1, np.float32)
    for i in range(len(color)):
        if short[i] > 0:
            want[color[i]] += short[i]
            near[color[i]] = max(near[color[i]], np.float32(1 / short[i]))
            want[chart.wild] += short[i]
            near[chart.wild] = max(near[chart.wild], np.float32(1 / short[i]))
    return want, near


def worths(chart, hand, needed, color, short, extra_color, extra_short):
    """Return the value of a card of each colour to the plan; a missing card has the value 1."""
    worth = np.full(chart.wild + 1, FOR_NOTHING)
    for i in range(len(extra_color)):
        if extra_short[i] > 0:
            worth[extra_color[i]] = max(worth[extra_color[i]], FOR_EXTRA + LACKING * extra_short[i])
    waiting = 0
    for i in range(len(needed)):
        waiting += chart.ferry[needed[i]]
        if short[i] > chart.ferry[needed[i]]:
            worth[color[i]] = max(worth[color[i]], 1 + LACKING * short[i])
    worth[chart.wild] = A_WILD_CARD + (FOR_A_FERRY if waiting > hand[chart.wild] else 0.0)
    return worth


def price_of(chart, paid, route, needed, color, extra, extra_color):
    """Return the cost to the plan, without that route, of paying one card of a colour."""
    if paid == chart.wild:
        return A_WILD_CARD
    for i in range(len(needed)):
        if color[i] == paid and needed[i] != route:
            return 1.0
    for i in range(len(extra)):
        if extra_color[i] == paid and extra[i] != route:
            return FOR_EXTRA
    return FOR_NOTHING


def of_draw(
    chart, observation, hand, what, want, near, extra_want, extra_near, worth, best, is_open, row
):
    """Write the features of drawing a colour, or -1: the deck, with means over unseen cards."""
    row[A_DRAW] = 1
    row[A_ROW] = what >= 0
    row[A_WILD] = what == chart.wild
    if what >= 0:
        row[A_WANT], row[A_NEAR] = want[what] / 5, near[what]
        row[A_EXTRA_WANT], row[A_EXTRA_NEAR] = extra_want[what] / 5, extra_near[what]
        row[A_HAVE] = hand[what] / 6
        row[A_IS_MOST] = hand[what] == hand[: chart.wild].max()
        row[A_WORTH] = worth[what]
        row[A_LESS] = best - worth[what]
        if what < chart.wild:
            fits = is_open & (chart.color == what) & (chart.length >= 5)
            row[A_LONG] = fits.sum() / 3
        return
    total = 0.0
    for color in range(chart.wild + 1):
        unseen = chart.cards[color] - hand[color] - observation[chart.at_row + color]
        unseen -= observation[chart.at_discards + color]
        share = max(0, unseen)
        total += share
        row[A_WANT] += share * want[color] / 5
        row[A_NEAR] += share * near[color]
        row[A_EXTRA_WANT] += share * extra_want[color] / 5
        row[A_EXTRA_NEAR] += share * extra_near[color]
        row[A_HAVE] += share * hand[color] / 6
        row[A_WORTH] += share * worth[color]
    if total > 0:
        for name in (A_WANT, A_NEAR, A_EXTRA_WANT, A_EXTRA_NEAR, A_HAVE, A_WORTH):
            row[name] /= total
    row[A_LESS] = best - row[A_WORTH]


def of_claim(
    chart,
    hand,
    route,
    paid,
    wilds,
    keeps,
    bill,
    plan,
    extra,
    crowd,
    joined,
    apart,
    edges,
    trains,
    color,
    short,
    needed,
    row,
):
    a, b, length = chart.a[route], chart.b[route], chart.length[route]
    row[A_CLAIM] = 1
    row[A_POINTS] = chart.points[route] / 15
    row[A_LENGTH] = length / 6
    row[A_PLANNED] = plan[route] > 0
    row[A_EXTRA] = (extra == route).any()
    row[A_TICKET_POINTS] = plan[route] / 20
    row[A_JOKERS] = wilds / 3
    row[A_BILL] = bill / 5
    ends = crowd[a] + crowd[b]
    row[A_CROWD] = ends / 4
    for ticket in apart:
        x, y = chart.ticket_a[ticket], chart.ticket_b[ticket]
        if (joined[a, x] and joined[b, y]) or (joined[a, y] and joined[b, x]):
            row[A_COMPLETES] += chart.ticket_points[ticket] / 20
    if plan[route] > 0:
        around = detour(chart, edges, needed, route)
        row[A_DETOUR] = around / 30
        row[A_URGENCY] = (0.5 + ends) * around / 60
        best = int(np.argmin(np.where(needed == route, 0, 1)))
        row[A_SPARE] = short[best] <= hand[chart.wild] or chart.tunnel[route] == 0
    row[A_ENDS] = trains - length <= 2
    row[A_TUNNEL] = chart.tunnel[route]
    row[A_GREY] = chart.color[route] < 0
    row[A_JOINS] = (joined[a].sum() > 1) * 0.5 + (joined[b].sum() > 1) * 0.5
    row[A_LEFT] = (hand[paid] - (length - wilds)) / 6
    lacking = 0
    for i in range(len(needed)):
        if color[i] == paid and needed[i] != route:
            lacking += short[i]
    row[A_NEEDED] = lacking / 5
    row[A_BLOCKS] = (crowd[a] > 0) * 0.5 + (crowd[b] > 0) * 0.5
    row[A_ALL_WILD] = paid == chart.wild
    row[A_KEEPS_CARD] = keeps == 1


def detour(chart, edges, needed, route):
    """Return the cost, at most ASIDE, of a detour around a route once all others are built."""
    left = edges.copy()
    for other in needed:
        left[chart.a[other], chart.b[other]] = left[chart.b[other], chart.a[other]] = 0
    place, end = chart.a[route], chart.b[route]
    left[place, end] = left[end, place] = ASIDE
    far = np.full(len(edges), ASIDE)
    is_left = np.ones(len(edges), np.bool_)
    far[place] = 0
    while place != end and far[place] < ASIDE:
        is_left[place] = False
        relax(far, left[place], far[place])
        place = int(np.argmin(np.where(is_left, far, FAR)))
    return far[end]


def relax(far, edges, cost):
    """Lower the distances by the edges of a place that is reached at a cost (Dijkstra)."""
    far[:] = np.minimum(far, cost + edges)


def tickets_worth(chart, observation, held, far):
    """Return the expected value of the best drawn ticket, if the plan were built."""
    values = (
        np.where(far[chart.ticket_a, chart.ticket_b] >= FAR, np.float32(-1), np.float32(1))
        * chart.ticket_points
    )
    values = np.maximum(values - far[chart.ticket_a, chart.ticket_b], -chart.ticket_points)
    others = chart.ticket_long == 0
    others[held] = False
    values = np.sort(values[others])
    chance = chart.chance[: len(values)]
    return (values * chance).sum() / max(1.0, chance.sum())


def of_keep(chart, observation, kept, edges, by, far, joined, apart, costs, base, trains, row):
    """Write the features of keeping some of the offered tickets."""
    more = np.zeros(chart.offers, np.int64)
    count, points = 0, 0
    for i in range(chart.offers):
        if kept >> i & 1:
            more[count] = observation[chart.at_offer + i] - 1
            points += chart.ticket_points[more[count]]
            count += 1
    more = more[:count]
    tickets = np.append(apart, more[~joined_tickets(chart, joined, more)])
    tickets = tickets[np.argsort(-far_of(chart, far, tickets), kind="mergesort")]
    plan, laid = lay(chart, edges, by, far, tickets)
    cost = cost_of(costs, plan)
    lost = chart.ticket_points[tickets[far_of(chart, laid, tickets) > 0]].sum()
    takes = chart.length[plan > 0].sum()
    row[A_KEEP] = 1
    row[A_KEPT] = count / 3
    row[A_KEPT_POINTS] = points / 30
    row[A_KEPT_COST] = (cost - base) / 30
    row[A_KEPT_VALUE] = (points - 2 * lost - (cost - base)) / 30
    row[A_KEPT_TRAINS] = takes / max(1, trains)
    row[A_KEPT_LOST] = lost / 20 + max(0, takes - trains) / 10


def of_build(chart, owner, place, paid, wilds, count, far, apart, row):
    """Write the features of building a station: most saved by one route that it can lend."""
    best = 0.0
    for route in np.flatnonzero((owner > 1) & ((chart.a == place) | (chart.b == place))):
        a, b, gain = chart.a[route], chart.b[route], 0.0
        for ticket in apart:
            x, y = chart.ticket_a[ticket], chart.ticket_b[ticket]
            most = 2.0 * chart.ticket_points[ticket]
            after = min(far[x, a] + far[b, y], far[x, b] + far[a, y])
            gain += max(0.0, min(most, far[x, y]) - after)
        best = max(best, gain)
    row[A_BUILD] = 1
    row[A_GAIN] = best / 20
    row[A_BUILD_CARDS] = count / 3
    row[A_BUILD_JOKERS] = wilds / 3


def rows_of(chart, observation, mask, gain=0):
    """Return the rows of the legal actions, and the number of each row's action. Of the two plans,
    take the second if it costs less by more than ``gain``."""
    rows, actions = np.zeros((ROWS, len(NAMES)), np.float32), np.zeros(ROWS, np.int64)
    count = describe(chart, observation, mask, rows, actions, gain)
    return rows[:count], actions[:count]
