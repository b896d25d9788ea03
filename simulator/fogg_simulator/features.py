"""Features of each legal action, for policies that score actions; they follow from an observation.

``fogg_simulator.policy`` runs these functions with numpy alone, ``fogg_simulator.compiling``
compiles them. Of several payments for the same claim, station or tunnel, only the one that costs
the plan least has a row; there are at most ``ROWS``.

The features contain a plan: cheap connections for the tickets, laid one ticket after the other,
each using the routes of those before it, and routes for points with the trains that are left.
Costs are in points. ``chart`` is the board, ``work`` the scratch space (``fogg_simulator.chart``).
"""

import numpy as np

from fogg_simulator import arrays

FAR = np.float32(1000)  # more than any real connection costs
A_TURN, A_CARD = 1.54, 0.57  # cost of a turn and of a card, for each train of the mean route
HELD = 0.3  # share of the held cards that no other route needs
CROWD = 0.15  # cost of a rival's route that ends where this one does
LEAST = 0.8  # minimum cost of a route
LINK = 2.0  # points for each end at which a route for points joins others
ASIDE = np.float32(30)  # cost of a connection around a route, at most
FOR_EXTRA, FOR_NOTHING, A_WILD_CARD = 0.6, 0.15, 1.3  # values of cards, where a needed one is 1
LACKING = 0.15  # extra value of a card for every missing card of its route
FOR_A_FERRY = 0.7  # extra value of a wild while a needed ferry waits for it
EXTRAS = 6  # routes for points in a plan
ROWS = 256  # rows at most
BLOCK = 1024  # actions
NEEDED, FOR_POINTS = 1, 2  # roles of a planned route

POSITION = (
    "one",
    "trains",
    "rival_trains",
    "cards",
    "wilds",
    "turns_left",
    "planned_trains",
    "planned_turns",
    "planned_routes",
    "open_tickets",
    "lost_points",
    "lead",
    "rival_cards",
    "final",
    "deck",
    "setup",
    "second",
    "seats",
    "stations_left",
    "done_points",
    "slack_turns",
    "slack_trains",
    "tickets",
    "missing",
    "short_routes",
    "most_of_a_color",
    "rival_tickets",
)
ACTION = (
    "draw",
    "row",
    "wild",
    "want",
    "near",
    "extra_want",
    "extra_near",
    "long",
    "have",
    "is_most",
    "worth",
    "less_than_best",
    "claim",
    "points",
    "length",
    "planned",
    "extra",
    "ticket_points",
    "completes",
    "jokers",
    "bill",
    "crowd",
    "detour",
    "urgency",
    "ends",
    "tunnel",
    "spare_for_tunnel",
    "grey",
    "joins",
    "left_of_color",
    "needed_of_color",
    "blocks",
    "all_wild",
    "keeps_card",
    "tickets_worth",
    "draw_tickets",
    "tickets_in_time",
    "keep",
    "kept",
    "kept_points",
    "kept_cost",
    "kept_value",
    "kept_trains",
    "kept_lost",
    "build",
    "build_gain",
    "build_cards",
    "build_jokers",
    "pay",
    "pay_bill",
    "withdraw",
    "pass",
)
NAMES = POSITION + ACTION
(
    O_ONE,
    O_TRAINS,
    O_RIVAL_TRAINS,
    O_CARDS,
    O_WILDS,
    O_TURNS_LEFT,
    O_PLANNED_TRAINS,
    O_PLANNED_TURNS,
    O_PLANNED_ROUTES,
    O_OPEN,
    O_LOST,
    O_LEAD,
    O_RIVAL_CARDS,
    O_FINAL,
    O_DECK,
    O_SETUP,
    O_SECOND,
    O_SEATS,
    O_STATIONS,
    O_DONE,
    O_SLACK_TURNS,
    O_SLACK_TRAINS,
    O_TICKETS,
    O_MISSING,
    O_SHORT_ROUTES,
    O_MOST,
    O_RIVAL_TICKETS,
    A_DRAW,
    A_ROW,
    A_WILD,
    A_WANT,
    A_NEAR,
    A_EXTRA_WANT,
    A_EXTRA_NEAR,
    A_LONG,
    A_HAVE,
    A_IS_MOST,
    A_WORTH,
    A_LESS,
    A_CLAIM,
    A_POINTS,
    A_LENGTH,
    A_PLANNED,
    A_EXTRA,
    A_TICKET_POINTS,
    A_COMPLETES,
    A_JOKERS,
    A_BILL,
    A_CROWD,
    A_DETOUR,
    A_URGENCY,
    A_ENDS,
    A_TUNNEL,
    A_SPARE,
    A_GREY,
    A_JOINS,
    A_LEFT,
    A_NEEDED,
    A_BLOCKS,
    A_ALL_WILD,
    A_KEEPS_CARD,
    A_TICKETS_WORTH,
    A_TICKETS,
    A_IN_TIME,
    A_KEEP,
    A_KEPT,
    A_KEPT_POINTS,
    A_KEPT_COST,
    A_KEPT_VALUE,
    A_KEPT_TRAINS,
    A_KEPT_LOST,
    A_BUILD,
    A_GAIN,
    A_BUILD_CARDS,
    A_BUILD_JOKERS,
    A_PAY,
    A_PAY_BILL,
    A_WITHDRAW,
    A_PASS,
) = range(len(NAMES))


def describe(chart, ways, work, observations, masks, game, rows, actions, first):
    """Write a row for each legal action of a game from row ``first`` on, without actions that only
    differ from another by a worse payment. Return the number of rows."""
    seen, row = work.seen, work.row
    seen[: len(observations[game])] = observations[game]
    step, tunnel = int(seen[0]), int(seen[chart.at_tunnel]) - 1
    read_hand(chart, work, tunnel)
    price_routes(chart, work)
    read_tickets(chart, work)
    plan_tickets(chart, work)
    plan_extras(chart, work, int(seen[chart.at_seats]))
    common, best = work.common, 0.0
    of_position(chart, work, common)
    if step in (arrays.TURN, arrays.SECOND_CARD):
        value_cards(chart, work)
        for c in range(chart.wild + 1):
            if seen[chart.at_row + c] > 0:
                best = max(best, work.worth[c])
    count = choose_payments(chart, ways, work, masks, game, actions, first)
    for place in range(count):
        action, bill = actions[first + place], work.bills[place]
        kind, what, paid = ways[action, 0], ways[action, 1], ways[action, 2]
        wilds, more = ways[action, 3], ways[action, 4]
        copy(row, common)
        if kind == arrays.DRAW:
            of_draw(chart, work, what, best, row)
        elif kind == arrays.CLAIM:
            of_claim(chart, work, what, paid, wilds, more, bill, row)
        elif kind == arrays.DRAW_TICKETS:
            row[A_TICKETS] = 1
            value = tickets_worth(chart, work)
            row[A_TICKETS_WORTH] = value / 20
            row[A_IN_TIME] = value / 20 if common[O_PLANNED_TURNS] <= 0.15 else 0.0
        elif kind == arrays.KEEP:
            of_keep(chart, work, what, row)
        elif kind == arrays.BUILD:
            of_build(chart, work, what, wilds, more, row)
        elif kind == arrays.PAY:
            row[A_PAY] = 1
            row[A_PAY_BILL] = bill / 5
            row[A_JOKERS] = wilds / 3
            row[A_PLANNED] = work.plan[tunnel] > 0
            row[A_POINTS] = chart.points[tunnel] / 15
        elif kind == arrays.WITHDRAW:
            row[A_WITHDRAW] = 1
            row[A_PLANNED] = work.plan[tunnel] > 0
        elif kind == arrays.PASS:
            row[A_PASS] = 1
        copy(rows[first + place], row)
    return count


def read_hand(chart, work, tunnel):
    """Read the cards that the seat may pay with; with a tunnel under way, also the laid ones."""
    laid = chart.at_discards + chart.wild + 1
    for color in range(chart.wild + 1):
        work.hand[color] = work.seen[chart.at_hand + color]
        if tunnel >= 0:  # laid cards belong to the seat while it may withdraw
            work.hand[color] += work.seen[laid + color]


def price_routes(chart, work):
    """Note which routes can be claimed, what each costs in points (0 for the seat's own, FAR if it
    cannot be claimed), the cheapest route of each link, and the clusters of own routes."""
    owners, trains = work.seen[chart.at_routes :], work.seen[chart.at_seats]
    work.trains = trains
    most = most_of(chart, work.hand)
    turn, card = A_TURN * chart.mean_length, A_CARD * chart.mean_length
    for place in range(chart.locations):
        work.crowd[place], work.own[place], work.known[place] = 0, 0, 0
        work.ring[place] = work.group[place] = place
    for color in range(chart.wild + 1):
        work.long[color] = 0
    for route in range(chart.routes):
        work.price[route] = work.costs[route] = FAR
        work.role[route] = work.open[route] = 0
    for route in range(chart.routes):
        if owners[route] > 1:
            work.crowd[chart.a[route]] += 1
            work.crowd[chart.b[route]] += 1
    for route in range(chart.routes):
        owner, twin = owners[route], chart.twin[route]
        if owner > 1 or (owner == 0 and chart.length[route] > trains):
            continue
        a, b, link = chart.a[route], chart.b[route], chart.link[route]
        if owner == 1:
            work.costs[route] = 0
            work.own[a] = work.own[b] = 1
            unite(work, a, b)
        elif twin < 0 or owners[twin] == 0 or (owners[twin] > 1 and chart.doubles_closed == 0):
            color, saved = chart.color[route], chart.length[route] + chart.tunnel[route]
            work.open[route] = 1
            work.long[color] += chart.length[route] >= 5
            held = min(most if color < 0 else work.hand[color], saved - chart.ferry[route])
            cost = card * (saved - HELD * held) + turn - chart.points[route]
            work.costs[route] = max(LEAST, cost + CROWD * (work.crowd[a] + work.crowd[b]))
        if work.costs[route] < work.price[link]:
            work.price[link], work.cheapest[link] = work.costs[route], route


def most_of(chart, hand):
    """Return the most cards of a colour, wilds aside."""
    most = hand[0]
    for color in range(1, chart.wild):
        most = max(most, hand[color])
    return most


def unite(work, a, b):
    """Unite the clusters of two places: a number for all of its places, which form a ring."""
    if work.group[a] != work.group[b]:
        place = b
        while work.group[place] != work.group[a]:
            work.group[place] = work.group[a]
            place = work.ring[place]
        work.ring[a], work.ring[b] = work.ring[b], work.ring[a]


def read_tickets(chart, work):
    """Note the held tickets, and ``apart`` those that own routes do not connect."""
    work.helds = work.aparts = work.done = 0
    for ticket in range(chart.tickets):
        work.is_held[ticket] = work.seen[chart.at_held + ticket]
        if work.is_held[ticket]:
            work.helds += 1
            if is_joined(chart, work, ticket):
                work.done += chart.ticket_points[ticket]
            else:
                work.apart[work.aparts] = ticket
                work.aparts += 1


def is_joined(chart, work, ticket):
    return work.group[chart.ticket_a[ticket]] == work.group[chart.ticket_b[ticket]]


def far_from(chart, work, place):
    """Return the row of the costs of the cheapest connections of a place to all others. They are
    sums from the bottom up: a connection is split at the highest number of a place on its way."""
    place = work.group[place]  # for all places that own routes join
    row = chart.far_from + place
    if not work.known[place]:
        if not work.is_connected:
            connect(chart, work)
        work.known[place] = 1
        work.rows[row, : chart.width] = FAR
        lower(chart, work, row, row, place, 0, chart.reaches[place], 0)
    return row


def connect(chart, work):
    """Write the costs of the connections of each place over places with lower numbers (the rows of
    Floyd and Warshall when it comes to them)."""
    for place in range(chart.locations):
        row = work.rows[place]
        row[: chart.width] = FAR
        row[place] = 0
        for i in range(chart.first[place], chart.first[place + 1]):
            row[chart.near[i]] = work.price[chart.over[i]]
        lower(chart, work, place, place, place, 0, chart.below[place], 0)
    work.is_connected = 1


def copy(to, row):
    to[:] = row


def nearest(chart, to, one, other):
    to[:] = np.minimum(one, other)


def lower(chart, work, row, known, place, first, last, pairs):
    """Write a row of distances of a place: those of the row ``known``, or lower ones over others:
    those of ``chart.reach``, or if ``pairs`` is 1, over pairs of rows (from one end of a laid
    route, and from its other end)."""
    far, width = work.rows[known], work.rows.shape[1]
    if pairs and first < last:
        near = work.rows[first:last].reshape(-1, 2, width)
        over = (near[:, :, place, None] + near[:, ::-1]).reshape(-1, width)
        far = np.minimum(far, np.minimum.reduce(over))
    elif first < last:
        near = work.rows.take(chart.reach[place, first:last], axis=0)
        far = np.minimum(far, np.minimum.reduce(near[:, place, None] + near))
    work.rows[row] = far


def plan_tickets(chart, work):
    """Plan routes for the tickets that are apart: the farther first, or the other way round."""
    work.is_connected = 0
    count = work.aparts
    sort_tickets(chart, work, work.apart, count, work.order)
    lay(chart, work, work.order, count, work.plan, chart.pairs)
    work.base, work.free = cost_of(chart, work, work.plan), work.slots
    if count > 1:
        first, built, slots, start = work.first, work.built, work.slots, work.start
        for i in range(count):
            work.back[i] = work.order[count - 1 - i]
        lay(chart, work, work.back, count, work.other, slots)
        work.free = work.slots
        cost = cost_of(chart, work, work.other)
        if cost < work.base:
            work.base = cost
            copy(work.plan, work.other)
        else:
            work.first, work.built, work.slots, work.start = first, built, slots, start
    work.needs = 0
    copy(work.lasting, work.price)
    for route in range(chart.routes):
        if work.plan[route] > 0:
            work.lasting[chart.link[route]] = 0
            work.needed[work.needs] = route
            work.needs += 1
            work.role[route] = NEEDED


def sort_tickets(chart, work, tickets, count, order):
    """Write the tickets in the order of their costs, the highest first."""
    for i in range(count):
        ticket, place = tickets[i], i
        far = far_of(chart, work, ticket)
        while place > 0 and far_of(chart, work, order[place - 1]) < far:
            order[place] = order[place - 1]
            place -= 1
        order[place] = ticket


def far_of(chart, work, ticket):
    return work.rows[far_from(chart, work, chart.ticket_b[ticket]), chart.ticket_a[ticket]]


def cost_of(chart, work, plan):
    return work.costs[plan > 0].sum()


def lay(chart, work, tickets, count, plan, first):
    """Lay the tickets' connections one after the other. Write into ``plan`` the points of the
    tickets for which each route is laid. Their connections are noted from ``first`` on."""
    copy(work.laid, work.ring)
    plan[:] = 0
    work.first = work.built = work.slots = first
    far = work.rows[chart.to_end]
    for i in range(count):
        ticket = tickets[i]
        if far_of(chart, work, ticket) >= FAR:
            continue
        build(chart, work)
        far_laid(chart, work, chart.ticket_b[ticket], chart.to_end)
        place = chart.ticket_a[ticket]
        work.start = place
        while far[place] > 0:
            place = next_place(chart, work, far, place)
            plan[work.cheapest[work.leaving]] += chart.ticket_points[ticket]
            work.node[work.slots] = place
            work.slots += 2
        for slot in range(work.built, work.slots, 2):
            here, there = work.start, work.node[slot]
            work.laid[here], work.laid[there] = work.laid[there], work.laid[here]


def next_place(chart, work, far, start):
    """Return where the cheapest path to the end leads next from a place's cluster, and note the
    link by which it leaves. Of equal ones, take the lowest numbers."""
    least, leaving, best_from, limit = 2 * FAR, chart.first[start], start, far[start]
    place = start
    while True:
        here, way = 2 * FAR, chart.first[place]
        for i in range(chart.first[place], chart.first[place + 1]):
            beyond, price = far[chart.near[i]], work.price[chart.over[i]]
            cost = price + beyond if beyond < limit else 2 * FAR
            way = i if cost < here else way
            here = min(here, cost)
        if here < least or (here == least and place < best_from):
            least, leaving, best_from = here, way, place
        place = work.laid[place]
        if place == start:
            break
    work.leaving = chart.over[leaving]
    return chart.near[leaving]


def far_laid(chart, work, place, row):
    """Write the distances from a place once the connections laid so far are built."""
    known = far_from(chart, work, place)
    lower(chart, work, row, known, place, work.first, work.built, 1)


def build(chart, work):
    """Write, for each route of the connection that was laid last, the pair of the distances from
    the cluster so far and from the place that the route adds."""
    for slot in range(work.built, work.slots, 2):
        near = work.rows[slot]
        if slot == work.built:
            far_laid(chart, work, work.start, slot)
        else:
            nearest(chart, near, work.rows[slot - 2], work.rows[slot - 1])
        far_laid(chart, work, work.node[slot], slot + 1)
    work.built = work.slots


def plan_extras(chart, work, trains):
    """Pay the plan's routes from the hand. Then plan routes for points, while trains last: the
    most points for each turn first, and pay them from the cards that are left."""
    left, spare = trains, work.spare
    copy(spare, work.hand)
    copy(work.joins, work.own)
    for i in range(work.needs):
        route = work.needed[i]
        left -= chart.length[route]
        work.joins[chart.a[route]] = work.joins[chart.b[route]] = 1
        shut(chart, work, route)
    share_out(chart, work, work.needed, work.needs, spare)
    copy(work.rest, spare)
    work.extras = 0
    while work.extras < EXTRAS:
        most, best, best_rate = most_of(chart, work.rest), -1, -1.0
        for route in range(chart.routes):
            if work.open[route] and chart.length[route] <= left:
                color = chart.color[route]
                short = max(
                    chart.ferry[route],
                    chart.length[route]
                    + chart.tunnel[route]
                    - (most if color < 0 else work.rest[color]),
                )
                ends = work.joins[chart.a[route]] + work.joins[chart.b[route]]
                rate = (chart.points[route] + LINK * ends) / (1 + short / 2)
                if rate > best_rate:
                    best, best_rate = route, rate
        if best < 0:
            break
        work.extra[work.extras] = best
        work.extras += 1
        work.role[best] = FOR_POINTS
        left -= chart.length[best]
        work.joins[chart.a[best]] = work.joins[chart.b[best]] = 1
        shut(chart, work, best)
        pay(chart, work.rest, best, chart.length[best])
    share_out(chart, work, work.extra, work.extras, spare)


def shut(chart, work, route):
    work.open[route] = 0
    if chart.twin[route] >= 0:
        work.open[chart.twin[route]] = 0


def pay(chart, cards, route, length):
    """Pay a route from cards, a grey one by the most frequent colour. Return the colour, and how
    many it gave."""
    paid = chart.color[route]
    if paid < 0:
        paid = np.argmax(cards[: chart.wild])
    given = min(cards[paid], length - chart.ferry[route])
    cards[paid] -= given
    return paid, given


def share_out(chart, work, routes, count, cards):
    """Allocate cards to routes, coloured ones first. Note, for each route, the colour that pays it
    and the number of missing cards."""
    for grey in range(2):
        for i in range(count):
            route = routes[i]
            if (chart.color[route] < 0) == (grey == 1):
                saved = chart.length[route] + chart.tunnel[route]
                work.color[route], given = pay(chart, cards, route, saved)
                work.short[route] = saved - given


def of_position(chart, work, row):
    mine = work.seen[chart.at_seats : chart.at_seats + chart.seat_size]
    trains, rival_trains, turns_left = mine[0], 99, 99.0
    rival_cards, rival_points, rival_tickets = 0, -999, 0
    for other in range(1, chart.seats):
        at = chart.at_seats + other * chart.seat_size
        if work.seen[at + 6]:
            continue
        its_trains, cards = int(work.seen[at]), int(work.seen[at + 2])
        to_lay = max(0, its_trains - 2)
        turns_left = min(turns_left, max(0, to_lay - cards) / 2 + to_lay / 3.5)
        rival_trains, rival_cards = min(rival_trains, its_trains), max(rival_cards, cards)
        rival_points = max(rival_points, int(work.seen[at + 1]))
        rival_tickets = max(rival_tickets, int(work.seen[at + 3]))
    final = work.seen[4] > 0
    turns_left = 0.0 if final else turns_left
    hand, cards = work.hand, 0
    for color in range(chart.wild + 1):
        cards += hand[color]
    takes, missing, short_routes, lost = 0, 0, 0, 0
    for i in range(work.needs):
        route = work.needed[i]
        takes += chart.length[route]
        missing += work.short[route]
        short_routes += work.short[route] > hand[chart.wild]
    for i in range(work.aparts):
        if far_of(chart, work, work.apart[i]) >= FAR:
            lost += chart.ticket_points[work.apart[i]]
    turns = max(0, missing - hand[chart.wild]) * 0.65 + work.needs
    row[O_ONE] = 1
    row[O_TRAINS] = trains / chart.trains
    row[O_RIVAL_TRAINS] = rival_trains / chart.trains
    row[O_CARDS] = cards / 20
    row[O_WILDS] = hand[chart.wild] / 5
    row[O_TURNS_LEFT] = turns_left / 20
    row[O_PLANNED_TRAINS] = takes / chart.trains
    row[O_PLANNED_TURNS] = turns / 20
    row[O_PLANNED_ROUTES] = work.needs / 10
    row[O_OPEN] = (work.needs > 0) * work.helds / 5  # all tickets, as the trained weights expect it
    row[O_LOST] = lost / 20
    row[O_LEAD] = (mine[1] - rival_points) / 50
    row[O_RIVAL_CARDS] = rival_cards / 20
    row[O_FINAL] = final
    row[O_DECK] = work.seen[5] / 100
    row[O_SETUP] = work.seen[0] == 0
    row[O_SECOND] = work.seen[0] == arrays.SECOND_CARD
    row[O_SEATS] = (chart.seats - 2) / 3
    row[O_STATIONS] = mine[5] / 3
    row[O_DONE] = work.done / 50
    row[O_SLACK_TURNS] = min(3.0, max(-3.0, (turns_left - turns) / 10))
    row[O_SLACK_TRAINS] = (trains - takes) / 20
    row[O_TICKETS] = work.helds / 5
    row[O_MISSING] = missing / 20
    row[O_SHORT_ROUTES] = short_routes / 10
    row[O_MOST] = most_of(chart, hand) / 10
    row[O_RIVAL_TICKETS] = rival_tickets / 5


def value_cards(chart, work):
    """Note by colour the missing cards, how close the nearest route is to being paid, and the
    value of a card to the plan, where a missing card has the value 1."""
    for color in range(chart.wild + 1):
        work.want[color] = work.near_want[color] = 0
        work.extra_want[color] = work.extra_near[color] = 0
        work.worth[color] = FOR_NOTHING
    for i in range(work.extras):
        short, color = work.short[work.extra[i]], work.color[work.extra[i]]
        if short > 0:
            add_want(work.extra_want, work.extra_near, color, chart.wild, short)
            work.worth[color] = max(work.worth[color], FOR_EXTRA + LACKING * short)
    waiting = 0
    for i in range(work.needs):
        route = work.needed[i]
        short, color = work.short[route], work.color[route]
        waiting += chart.ferry[route]
        if short > 0:
            add_want(work.want, work.near_want, color, chart.wild, short)
        if short > chart.ferry[route]:
            work.worth[color] = max(work.worth[color], 1 + LACKING * short)
    work.worth[chart.wild] = A_WILD_CARD + (FOR_A_FERRY if waiting > work.hand[chart.wild] else 0.0)


def add_want(wanted, near, color, wild, short):
    for c in (color, wild):
        wanted[c] += short
        near[c] = max(near[c], np.float32(1 / short))


def count_roles(chart, work):
    """Count the planned routes, and the missing cards of needed ones, by the colour that pays."""
    for color in range(chart.wild + 1):
        work.payers[color, NEEDED] = work.payers[color, FOR_POINTS] = work.lacking[color] = 0
    for i in range(work.needs):
        route = work.needed[i]
        work.payers[work.color[route], NEEDED] += 1
        work.lacking[work.color[route]] += work.short[route]
    for i in range(work.extras):
        work.payers[work.color[work.extra[i]], FOR_POINTS] += 1
    for color in range(chart.wild + 1):
        work.card_price[color] = price_of(chart, work, color, 0)


def choose_payments(chart, ways, work, masks, game, actions, first):
    """Write the actions that have a row, and note their bills. Return their number. Of payments
    by the same colour, the one with the fewest wilds comes first and costs least."""
    count_roles(chart, work)
    same, same_color, least, count = -1, -1, 0.0, 0
    for start in range(0, masks.shape[1], BLOCK):
        for i in range(legal_actions(masks, game, start, work.legal)):
            action, bill = work.legal[i], 0.0
            group, paid = ways[action, 5], ways[action, 2]
            if group and group == same and paid == same_color:
                continue
            if group:
                kind, what, wilds = ways[action, 0], ways[action, 1], ways[action, 3]
                each = work.card_price[paid]
                if kind == arrays.CLAIM and work.role[what] and work.color[what] == paid:
                    each = price_of(chart, work, paid, work.role[what])
                cards = chart.length[what] if kind == arrays.CLAIM else ways[action, 4]
                bill, same_color = (cards - wilds) * each + wilds * A_WILD_CARD, paid
                if group == same and bill >= least:
                    continue
                if group == same:
                    count -= 1
                same, least = group, bill
            if count == ROWS:
                return count
            actions[first + count], work.bills[count] = action, bill
            count += 1
    return count


def legal_actions(masks, game, start, actions):
    """Write the legal actions of a block of actions; return their number."""
    legal = start + np.flatnonzero(masks[game, start : start + BLOCK])
    actions[: len(legal)] = legal.tolist()
    return len(legal)


def price_of(chart, work, paid, role):
    """Return the cost to the plan of paying one card of a colour, for a route of that role."""
    if paid == chart.wild:
        return A_WILD_CARD
    if work.payers[paid, NEEDED] > (role == NEEDED):
        return 1.0
    return FOR_EXTRA if work.payers[paid, FOR_POINTS] > (role == FOR_POINTS) else FOR_NOTHING


def of_draw(chart, work, what, best, row):
    """Write the features of drawing a colour, or -1: the deck, with means over unseen cards."""
    hand = work.hand
    row[A_DRAW] = 1
    row[A_ROW] = what >= 0
    row[A_WILD] = what == chart.wild
    if what >= 0:
        row[A_WANT], row[A_NEAR] = work.want[what] / 5, work.near_want[what]
        row[A_EXTRA_WANT], row[A_EXTRA_NEAR] = work.extra_want[what] / 5, work.extra_near[what]
        row[A_HAVE] = hand[what] / 6
        row[A_IS_MOST] = hand[what] == most_of(chart, hand)
        row[A_WORTH] = work.worth[what]
        row[A_LESS] = best - work.worth[what]
        row[A_LONG] = work.long[what] / 3
        return
    total = 0.0
    for color in range(chart.wild + 1):
        unseen = chart.count[color] - hand[color] - work.seen[chart.at_row + color]
        unseen -= work.seen[chart.at_discards + color]
        share = max(0, unseen)
        total += share
        row[A_WANT] += share * work.want[color] / 5
        row[A_NEAR] += share * work.near_want[color]
        row[A_EXTRA_WANT] += share * work.extra_want[color] / 5
        row[A_EXTRA_NEAR] += share * work.extra_near[color]
        row[A_HAVE] += share * hand[color] / 6
        row[A_WORTH] += share * work.worth[color]
    if total > 0:
        for name in (A_WANT, A_NEAR, A_EXTRA_WANT, A_EXTRA_NEAR, A_HAVE, A_WORTH):
            row[name] /= total
    row[A_LESS] = best - row[A_WORTH]


def of_claim(chart, work, route, paid, wilds, keeps, bill, row):
    a, b, length, hand = chart.a[route], chart.b[route], chart.length[route], work.hand
    row[A_CLAIM] = 1
    row[A_POINTS] = chart.points[route] / 15
    row[A_LENGTH] = length / 6
    row[A_PLANNED] = work.plan[route] > 0
    row[A_EXTRA] = work.role[route] == FOR_POINTS
    row[A_TICKET_POINTS] = work.plan[route] / 20
    row[A_JOKERS] = wilds / 3
    row[A_BILL] = bill / 5
    ends = work.crowd[a] + work.crowd[b]
    row[A_CROWD] = ends / 4
    for i in range(work.aparts):
        ticket, group = work.apart[i], work.group
        x, y = group[chart.ticket_a[ticket]], group[chart.ticket_b[ticket]]
        if (group[a] == x and group[b] == y) or (group[a] == y and group[b] == x):
            row[A_COMPLETES] += chart.ticket_points[ticket] / 20
    if work.plan[route] > 0:
        around = detour(chart, work, route)
        row[A_DETOUR] = around / 30
        row[A_URGENCY] = (0.5 + ends) * around / 60
        row[A_SPARE] = work.short[route] <= hand[chart.wild] or chart.tunnel[route] == 0
    row[A_ENDS] = work.trains - length <= 2
    row[A_TUNNEL] = chart.tunnel[route]
    row[A_GREY] = chart.color[route] < 0
    row[A_JOINS] = work.own[a] * 0.5 + work.own[b] * 0.5
    row[A_LEFT] = (hand[paid] - (length - wilds)) / 6
    lacking = work.lacking[paid]
    if work.role[route] == NEEDED and work.color[route] == paid:
        lacking -= work.short[route]
    row[A_NEEDED] = lacking / 5
    row[A_BLOCKS] = (work.crowd[a] > 0) * 0.5 + (work.crowd[b] > 0) * 0.5
    row[A_ALL_WILD] = paid == chart.wild
    row[A_KEEPS_CARD] = keeps == 1


def detour(chart, work, route):
    """Return the cost, at most ASIDE, of a detour around a route once all others are built."""
    start, end, far = chart.a[route], chart.b[route], work.rows[chart.around]
    for place in range(chart.locations):
        far[place], work.waits[place] = ASIDE, 0
    far[start], work.queue[0] = 0, start
    done, queued = 0, 1
    while done < queued:
        place = work.queue[done % chart.locations]
        done += 1
        work.waits[place] = 0
        for i in range(chart.first[place], chart.first[place + 1]):
            link, to = chart.over[i], chart.near[i]
            cost = far[place] + work.lasting[link]
            if cost < far[to] and cost < far[end] and link != chart.link[route]:
                far[to] = cost
                if not work.waits[to]:
                    work.waits[to], work.queue[queued % chart.locations] = 1, to
                    queued += 1
    return far[end]


def tickets_worth(chart, work):
    """Return the expected value of the best drawn ticket, if the plan were built."""
    if not work.is_connected:
        connect(chart, work)
    build(chart, work)
    far_of_tickets(chart, work)
    values, count = work.values, 0
    for ticket in range(chart.tickets):
        if chart.ticket_long[ticket] or work.is_held[ticket]:
            continue
        far, points = work.ticket_far[ticket], chart.ticket_points[ticket]
        value, place = max((-points if far >= FAR else points) - np.float64(far), -points), count
        while place > 0 and values[place - 1] > value:
            values[place] = values[place - 1]
            place -= 1
        values[place] = value
        count += 1
    chance = chart.chance[:count]
    return (values[:count] * chance).sum() / max(1.0, chance.sum())


def far_of_tickets(chart, work):
    """Write the cost of each ticket's connection once the connections laid so far are built."""
    a, b = chart.ticket_a[: chart.tickets], chart.ticket_b[: chart.tickets]
    ids = np.append(np.arange(chart.locations), np.arange(work.first, work.built))
    over = work.rows[ids][:, a] + work.rows[np.where(ids < chart.pairs, ids, ids ^ 1)][:, b]
    work.ticket_far[: chart.tickets] = over.min(axis=0)


def of_keep(chart, work, kept, row):
    """Write the features of keeping some of the offered tickets."""
    tickets, trains = work.more, work.seen[chart.at_seats]
    many, count, points, lost = 0, work.aparts, 0, 0
    copy(tickets, work.apart)
    for i in range(chart.offers):
        if kept >> i & 1:
            ticket = work.seen[chart.at_offer + i] - 1
            many += 1
            points += chart.ticket_points[ticket]
            if not is_joined(chart, work, ticket):
                tickets[count] = ticket
                count += 1
    for i in range(count):
        if far_of(chart, work, tickets[i]) >= FAR:
            lost += chart.ticket_points[tickets[i]]
    sort_tickets(chart, work, tickets, count, work.order)
    lay(chart, work, work.order, count, work.other, work.free)
    cost, takes = cost_of(chart, work, work.other), 0
    for route in range(chart.routes):
        if work.other[route] > 0:
            takes += chart.length[route]
    row[A_KEEP] = 1
    row[A_KEPT] = many / 3
    row[A_KEPT_POINTS] = points / 30
    row[A_KEPT_COST] = (cost - work.base) / 30
    row[A_KEPT_VALUE] = (points - 2 * lost - (cost - work.base)) / 30
    row[A_KEPT_TRAINS] = takes / max(1, trains)
    row[A_KEPT_LOST] = lost / 20 + max(0, takes - trains) / 10


def of_build(chart, work, place, wilds, count, row):
    """Write the features of building a station: most saved by one route that it can lend. It saves
    something only for tickets that the plan cannot connect."""
    build(chart, work)
    best, x_far, y_far = 0.0, work.rows[chart.to_end], work.rows[chart.around]
    work.gain[: chart.routes] = 0
    for i in range(work.aparts):
        ticket = work.apart[i]
        most = 2.0 * chart.ticket_points[ticket]
        if far_of(chart, work, ticket) < FAR:
            continue
        far_laid(chart, work, chart.ticket_a[ticket], chart.to_end)
        far_laid(chart, work, chart.ticket_b[ticket], chart.around)
        for route in range(chart.routes):
            a, b = chart.a[route], chart.b[route]
            if work.seen[chart.at_routes + route] > 1 and place in (a, b):
                after = min(x_far[a] + y_far[b], x_far[b] + y_far[a])
                work.gain[route] += max(0.0, most - after)
                best = max(best, work.gain[route])
    row[A_BUILD] = 1
    row[A_GAIN] = best / 20
    row[A_BUILD_CARDS] = count / 3
    row[A_BUILD_JOKERS] = wilds / 3
