"""A seat's costs of routes, and the cheapest paths that connect its tickets."""

from fogg_simulator.arrays import NONE, ONE, ZERO
from fogg_simulator.compiled import inner
from fogg_simulator.rules import claiming, network
from fogg_simulator.rules.ending import FEW_TRAINS
from fogg_simulator.rules.stations import UNUSED, has_station

from workers.bots.search import styles
from workers.bots.search.minds import MAX_LENT, MAX_NEEDED, MAX_TICKETS

FAR = 1e9  # more than any real path costs
FLAG = 4.0  # points for a flag (4.5)


@inner
def cards_of(board, game, seat):
    count = ZERO
    for color in range(board.colors):
        count += game.hands[seat, color]
    return count


@inner
def turns_left(board, game, style, seat):
    """Return the expected turns left, with this one, by the rivals' trains and cards."""
    if game.finals != NONE:
        return 1.0
    least = FAR
    for rival in range(board.seats):
        if rival != seat and not game.left[rival]:
            trains = max(0, game.trains[rival] - FEW_TRAINS)
            held = cards_of(board, game, rival)
            least = min(least, max(0, trains - held) / 2 + trains / style[styles.PER_CLAIM])
    return 1.0 if least == FAR else 1.0 + least


@inner
def crowds(board, game, room, seat):
    """Fill in, for each place, the number of rivals' routes that end there."""
    crowd = room.crowd
    for place in range(board.locations):
        crowd[place] = 0
    for route in range(board.routes):
        owner = game.owner[route]
        if owner != NONE and owner != seat and not game.left[owner]:
            crowd[board.a[route]] += 1
            crowd[board.b[route]] += 1


@inner
def is_open(board, game, seat, route):
    """Return whether a seat may claim a route once it has the cards (4.1, 4.2)."""
    return board.length[route] <= game.trains[seat] and claiming.is_open(board, game, seat, route)


@inner
def most_held(board, hand):
    """Return the number of cards of the commonest colour, wilds aside."""
    most = ZERO
    for color in range(board.wild):
        most = max(most, hand[color])
    return most


@inner
def held_for(board, room, route, hand, most):
    """Return how many cards of one colour a hand has for a route, wilds aside."""
    color = board.color[route]
    return min(most if color == NONE else hand[color], room.cards[route] - board.ferry[route])


@inner
def gains(board, game, room, style, seat):
    """Fill in each route's gain, tickets aside; ``group`` gets the seat's connections."""
    gain, group = room.gain, game.group
    for route in range(board.routes):
        gain[route] = board.points[route]
    network.connect(board, game, seat)
    for district in range(board.districts):
        count = ZERO  # of the groups that hold places of the district
        for place in range(board.locations):
            room.joined[place] = 0
        for place in range(board.locations):
            if board.district[place] == district:
                home = network.find(group, place)
                count += 1 - room.joined[home]
                room.joined[home] = 1
        if count > 1:
            worth = style[styles.DISTRICT] * board.district_points[district] / (count - 1) ** 2
            for route in range(board.routes):
                a, b = network.find(group, board.a[route]), network.find(group, board.b[route])
                if a != b and room.joined[a] and room.joined[b]:
                    gain[route] += worth
    if board.has_flags:
        missing = 3 - game.flag[seat, 0] - game.flag[seat, 1] - game.flag[seat, 2]
        for route in range(board.routes):
            for stripe in range(3):
                if board.flag_color[stripe] == board.color[route] and not game.flag[seat, stripe]:
                    gain[route] += FLAG / missing**2


@inner
def fill_costs(board, game, room, style, seat):
    """Fill in each route's cost to a seat: 0 if the route is its own or lent by one of its
    stations, the cost of a station if a new one could lend it."""
    crowds(board, game, room, seat)
    gains(board, game, room, style, seat)
    hand, crowd, costs = game.hands[seat], room.crowd, room.costs
    most = most_held(board, hand)
    card, turn = style[styles.CARD] * room.mean_length, style[styles.TURN] * room.mean_length
    can_build = game.built[seat] < board.stations
    station = UNUSED + turn + (game.built[seat] + 1) * card
    for route in range(board.routes):
        a, b, owner = board.a[route], board.b[route], game.owner[route]
        costs[route] = FAR
        if owner == seat:
            costs[route] = 0.0
        elif owner != NONE:
            if can_build and not (has_station(board, game, a) and has_station(board, game, b)):
                costs[route] = station
            for i in range(game.built[seat]):
                if game.stations[seat, i] == a or game.stations[seat, i] == b:
                    costs[route] = 0.0
        elif is_open(board, game, seat, route):
            held = held_for(board, room, route, hand, most)
            cost = card * (room.cards[route] - style[styles.HELD] * held) + turn - room.gain[route]
            cost += style[styles.CROWD] * (crowd[a] + crowd[b])
            costs[route] = max(style[styles.LEAST], cost)


@inner
def search_ways(room, costs, start, end):
    """Find the cheapest paths from a place: fill in their costs (``far``) and last routes
    (``came``). Stop once the path to ``end`` is known, and return its cost."""
    far, came, reached = room.far, room.came, room.reached
    for place in range(len(far)):
        far[place] = FAR
    far[start] = 0.0
    came[start] = NONE
    reached[0], count = start, 1  # places to which there may be a cheaper path
    while count > 0:
        at, place = 0, reached[0]
        least = far[place]
        for n in range(1, count):
            other = reached[n]
            cost = far[other]
            if cost < least or (cost == least and other < place):
                at, place, least = n, other, cost
        if place == end:
            return least
        count -= 1
        reached[at] = reached[count]
        for n in range(room.first[place], room.first[place + 1]):
            other, cost = room.neighbour[n], least + costs[room.by[n]]
            if cost < far[other]:
                if far[other] == FAR:
                    reached[count] = other
                    count += 1
                far[other] = cost
                came[other] = room.by[n]
    return FAR


@inner
def lay(board, room, costs, count, backwards, laid):
    """Lay the wanted tickets' paths one after the other, each reusing those before it. ``laid``
    gets, for each route, its tickets as bits; return the total cost."""
    left, came = room.left, room.came
    for route in range(board.routes):
        left[route] = costs[route]
        laid[route] = 0
    total = 0.0
    for i in range(count):
        n = room.order[count - 1 - i if backwards else i]
        ticket = room.wanted[n]
        start, place = board.ticket_a[ticket], board.ticket_b[ticket]
        total += search_ways(room, left, start, place)
        while place != start:
            route = came[place]
            if costs[route] > 0:
                laid[route] |= ONE << n
            left[route] = 0.0
            place = board.a[route] + board.b[route] - place
    return total


@inner
def relay(board, room, costs, count, laid):
    """Search a better path for each ticket, given the paths of all others."""
    left, came = room.left, room.came
    for i in range(count):
        n = room.order[i]
        bit, spent = ONE << n, 0.0
        for route in range(board.routes):
            left[route] = 0.0 if laid[route] & ~bit else costs[route]
            if laid[route] == bit:
                spent += costs[route]
        ticket = room.wanted[n]
        start, place = board.ticket_a[ticket], board.ticket_b[ticket]
        if search_ways(room, left, start, place) < spent - 1e-9:
            for route in range(board.routes):
                laid[route] &= ~bit
            while place != start:
                route = came[place]
                if costs[route] > 0:
                    laid[route] |= bit
                place = board.a[route] + board.b[route] - place


@inner
def share_out(board, room, routes, count, row):
    """Allocate the cards in ``spare`` to routes, coloured ones first. Fill in each route's payment
    colour (``paid``) and missing cards (``short``), in a row of these."""
    spare, paid, short = room.spare, room.paid[row], room.short[row]
    for grey in range(2):
        for n in range(count):
            route = routes[n]
            color = board.color[route]
            if (color == NONE) == grey:
                if grey:
                    color = ZERO
                    for other in range(1, board.wild):
                        if spare[other] > spare[color]:
                            color = other
                given = min(spare[color], room.cards[route] - board.ferry[route])
                spare[color] -= given
                paid[n], short[n] = color, room.cards[route] - given


@inner
def turns_for(room, count, wilds, waste):
    total = 0
    for n in range(count):
        total += room.short[0, n]
    return max(0, total - wilds) * waste / 2 + count


@inner
def fits(board, game, room, style, seat, laid, turns):
    """Return whether trains, stations and turns suffice for routes."""
    count, trains, lent = ZERO, ZERO, ZERO
    for route in range(board.routes):
        if laid[route]:
            if game.owner[route] != NONE:
                lent += 1
                continue
            room.routes[count] = route
            count += 1
            trains += board.length[route]
    if (
        trains > game.trains[seat]
        or count > MAX_NEEDED
        or lent > MAX_LENT
        or lent > board.stations - game.built[seat]
    ):
        return False
    for color in range(board.colors):
        room.spare[color] = game.hands[seat, color]
    share_out(board, room, room.routes, count, ZERO)
    return turns_for(room, count, game.hands[seat, board.wild], style[styles.WASTE]) + lent <= turns


@inner
def held_by(board, game, room, seat):
    count = ZERO
    for ticket in range(board.tickets):
        if game.holder[ticket] == seat:
            room.held[count] = ticket
            count += 1
    return count


@inner
def sort(order, numbers, count):
    """Fill in the indexes of the first numbers, sorted; the sort is stable."""
    for n in range(count):
        at = n
        while at > 0 and numbers[order[at - 1]] > numbers[n]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = n


@inner
def connect(board, game, room, style, seat, tickets, many, turns):
    """Return the tickets' points less their routes' costs. Tickets that trains and turns do not
    allow stay incomplete. ``needs`` gets the routes that the other tickets need, ``stake`` the
    points of the incomplete ones."""
    costs, thrifty, laid, other = room.costs, room.thrifty, room.laid, room.other
    wanted, prices, needs = room.wanted, room.prices, room.needs
    value, count = 0.0, ZERO
    for i in range(many):
        ticket = tickets[i]
        price = search_ways(room, costs, board.ticket_a[ticket], board.ticket_b[ticket])
        if price == 0:
            value += board.ticket_points[ticket]
        elif price >= FAR or count == MAX_TICKETS:
            value -= board.ticket_points[ticket]
        else:
            wanted[count], prices[count] = ticket, price
            count += 1
    is_good = count == 0
    for route in range(board.routes):
        laid[route] = 0
    while not is_good and count > 0:
        sort(room.order, prices, count)
        for step in range(3):
            thrift = 0.0
            if step == 1:
                thrift = style[styles.THRIFT]
            if step == 2:
                thrift = style[styles.MORE_THRIFT]
            for route in range(board.routes):
                cost = costs[route]
                is_paid = 0 < cost < FAR and game.owner[route] == NONE
                thrifty[route] = cost + thrift * board.length[route] if is_paid else cost
            total = lay(board, room, thrifty, count, False, laid)
            if count > 1:
                if lay(board, room, thrifty, count, True, other) < total:
                    for route in range(board.routes):
                        laid[route] = other[route]
                relay(board, room, thrifty, count, laid)
            is_good = fits(board, game, room, style, seat, laid, turns)
            if is_good:
                break
        if not is_good:
            least, worst = FAR, ZERO
            for n in range(count):
                alone = 0.0
                for route in range(board.routes):
                    if laid[route] == ONE << n and game.owner[route] == NONE:
                        alone += board.length[route]
                stake = board.ticket_points[wanted[n]] / max(0.1, alone)
                if stake < least:
                    least, worst = stake, n
            value -= board.ticket_points[wanted[worst]]
            count -= 1
            for n in range(worst, count):
                wanted[n], prices[n] = wanted[n + 1], prices[n + 1]
    room.stake = 0.0
    for n in range(count):
        room.stake += board.ticket_points[wanted[n]]
    value += room.stake
    spent = 0.0
    for route in range(board.routes):
        needs[route] = count > 0 and laid[route] > 0
        if needs[route]:
            spent += costs[route]
    return value - style[styles.KEEPING] * spent
