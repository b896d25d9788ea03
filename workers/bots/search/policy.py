"""The policy of all seats in a playout: nearly the planner's, in a style. It returns the number of
a legal action."""

from fogg_simulator.arrays import KEEP_TICKETS, NONE, ONE, SECOND_CARD, SETUP, TUNNEL, ZERO
from fogg_simulator.compiled import inner
from fogg_simulator.rules import flags, network, paying
from fogg_simulator.rules.stations import UNUSED, has_station

from workers.bots.search import plans, styles, ways
from workers.bots.search.minds import OUTDATED

ROUND = 1_000.0  # cost of a route that a rival has taken, when detours are compared
WORST_DETOUR = 30.0


@inner
def choose(board, game, mind, room, style, mask, seat):
    """Return the next action of a seat; bring its plan up to date."""
    step = game.step
    if step in (SETUP, KEEP_TICKETS):
        mind.stale[seat], mind.sated[seat] = OUTDATED, 0
        return board.keep + plans.best_keep(board, game, room, style, seat)
    if step == TUNNEL:
        return pay_or_withdraw(board, game, mask)
    plans.refresh(board, game, mind, room, style, seat)
    if step == SECOND_CARD:
        return best_card(board, game, mind, room, style, mask, seat)
    if ways.turns_left(board, game, style, seat) <= style[styles.LATE]:
        action = best_last(board, game, mind, room, style, seat)
        if action != NONE:
            return action
    route = to_claim(board, game, mind, room, style, seat)
    if route != NONE:
        color = plans.color_for(board, game, mind, room, style, seat, route)
        return claim_with(board, game, seat, route, color)
    action = to_build(board, game, mind, room, style, seat)
    if action != NONE:
        mind.stale[seat] = OUTDATED
        return action
    if plans.wants_tickets(board, game, mind, room, style, seat):
        return board.draw_tickets
    return best_card(board, game, mind, room, style, mask, seat)


@inner
def pay_or_withdraw(board, game, mask):
    """Pay for a tunnel with as few wilds as possible, or withdraw."""
    color, extra = game.tunnel_color, game.extra
    first = board.pay + paying.sets_before(board, extra)
    for wilds in range(extra):
        action = first + paying.set_index(board, extra, color, wilds)
        if color != board.wild and mask[action]:
            return action
    action = first + paying.set_index(board, extra, board.wild, extra)
    return action if mask[action] else board.withdraw


@inner
def claim_with(board, game, seat, route, color):
    """Return the claim of a route with as many cards of a colour as possible, wilds for the rest;
    keep a card for the flag if possible. The seat can pay."""
    length, hand = board.length[route], game.hands[seat]
    plain = ZERO
    if color != board.wild:
        plain = min(hand[color], length - board.ferry[route])
    first, wilds = board.first_claim[route], length - plain
    if board.color[route] == NONE:
        return first + (board.wild if plain == 0 else color) * length + (wilds if plain else ZERO)
    if plain == 0:
        return first + length
    stripe = flags.stripe_of(board, route)
    if stripe != NONE and not game.flag[seat, stripe]:
        return first + length + 1 + wilds
    return first + wilds


@inner
def can_pay(board, game, seat, route, most):
    """Return whether a seat may claim and pay a route; ``most``: its cards of one colour."""
    if not ways.is_open(board, game, seat, route):
        return False
    hand, color = game.hands[seat], board.color[route]
    held = most if color == NONE else hand[color]
    wilds = hand[board.wild]
    return wilds >= board.ferry[route] and held + wilds >= board.length[route]


@inner
def best_card(board, game, mind, room, style, mask, seat):
    """Return the draw that helps the plan most; the deck's top card counts as the mean of the
    unseen cards. Return another legal action if no card can be drawn."""
    fill_values(board, game, mind, room, style, seat)
    value, hand = room.value, game.hands[seat]
    worth, unseen = 0.0, ZERO
    for color in range(board.colors):
        count = board.count[color] - hand[color]
        worth += value[color] * count
        unseen += count
    for place in range(game.row_count):
        worth -= value[game.row[place]]
        unseen -= 1
    blind = worth / max(1, unseen) + style[styles.BLIND]
    best, most = NONE, -ways.FAR
    if mask[0]:
        best, most = ZERO, blind
    for color in range(board.colors):
        if mask[board.draw_row + color]:
            helps = value[color]
            if color == board.wild:
                helps -= max(blind, style[styles.SECOND])
            if helps > most:
                best, most = board.draw_row + color, helps
    if best == NONE:
        action = best_last(board, game, mind, room, style, seat)
        if action != NONE:
            return action
        for other in range(board.actions):
            if mask[other]:
                return other + ZERO
    return best


@inner
def fill_values(board, game, mind, room, style, seat):
    extra, value, ferries = mind.extra_count[seat], room.value, ZERO
    plans.share(board, game, mind, room, seat, extra)
    for color in range(board.colors):
        value[color] = style[styles.FOR_NOTHING]
    for n in range(extra):
        raise_value(board, room, style, mind.extra[seat, n], ONE, n, style[styles.FOR_EXTRA])
    for n in range(mind.needed_count[seat]):
        ferries += board.ferry[mind.needed[seat, n]]
        raise_value(board, room, style, mind.needed[seat, n], ZERO, n, style[styles.FOR_NEEDED])
    waits = ferries > game.hands[seat, board.wild]
    value[board.wild] = style[styles.WILD] + (style[styles.FERRY] if waits else 0.0)


@inner
def raise_value(board, room, style, route, row, n, worth):
    """Raise the value of the card that pays for a route, and more if it helps elsewhere, too."""
    color, short = room.paid[row, n], room.short[row, n]
    if short > board.ferry[route]:
        worth += style[styles.LACKING] * short + style[styles.LENGTHS] * board.length[route]
        if short == 1:
            worth += style[styles.LAST_CARD]
        both = style[styles.SHARED] * min(worth, room.value[color])
        room.value[color] = max(worth, room.value[color]) + both


@inner
def to_claim(board, game, mind, room, style, seat):
    """Return the route to claim now, or NONE: the needed one in most danger, or for points."""
    hand = game.hands[seat]
    wilds, turns = hand[board.wild], ways.turns_left(board, game, style, seat) + style[styles.SLACK]
    needed, extra = mind.needed_count[seat], mind.extra_count[seat]
    most = ways.most_held(board, hand)
    plans.share(board, game, mind, room, seat, extra)
    mind.turns[seat] = ways.turns_for(room, needed, wilds, 1.0)
    count, trains, held = ZERO, game.trains[seat], ways.cards_of(board, game, seat)
    for n in range(needed):
        route = mind.needed[seat, n]
        trains -= board.length[route]
        if can_pay(board, game, seat, route, most) and (
            not board.tunnel[route] or room.short[0, n] <= wilds or turns < 2
        ):
            room.routes[count] = route
            count += 1
    if count == 1 and style[styles.WAIT] <= 0:
        return room.routes[0]
    if count:
        route, urgency = most_urgent(board, game, mind, room, style, seat, count)
        plans.share(board, game, mind, room, seat, extra)
        if (
            urgency >= style[styles.WAIT]
            or held > style[styles.HAND]
            or ways.turns_for(room, needed, wilds, style[styles.WASTE]) + style[styles.FINISH]
            >= turns
        ):
            return route
    best, points = NONE, ZERO
    for n in range(extra):
        route = mind.extra[seat, n]
        length = board.length[route]
        if (
            (needed == 0 or style[styles.LONG] <= length <= trains - style[styles.RESERVE])
            and can_pay(board, game, seat, route, most)
            and room.short[1, n] <= wilds - style[styles.SPARED]
            and board.points[route] > points
        ):
            best, points = route, board.points[route]
    return best


@inner
def most_urgent(board, game, mind, room, style, seat, count):
    """Return the most urgent of the needed routes in ``routes``, and its urgency."""
    ways.fill_costs(board, game, room, style, seat)
    costs = room.costs
    for n in range(mind.needed_count[seat]):
        costs[mind.needed[seat, n]] = 0.0
    best, most = NONE, -ways.FAR
    for n in range(count):
        route = room.routes[n]
        costs[route] = ROUND
        a, b = board.a[route], board.b[route]
        detour = min(WORST_DETOUR, ways.search_ways(room, costs, a, b))
        costs[route] = 0.0
        urgency = (style[styles.URGENT] + room.crowd[a] + room.crowd[b]) * detour
        urgency += board.length[route]
        if urgency > most:
            best, most = route, urgency
    return best, most


@inner
def to_build(board, game, mind, room, style, seat):
    """Return the station to build now, or NONE: as late as possible, if it is needed at all."""
    lent = mind.lent_count[seat]
    if lent == 0 or (
        mind.needed_count[seat]
        and style[styles.SLACK] + ways.turns_left(board, game, style, seat) > lent + 1
    ):
        return NONE
    route = mind.lent[seat, 0]
    place = board.b[route] if has_station(board, game, board.a[route]) else board.a[route]
    return station_in(board, game, mind, room, style, seat, place)


@inner
def station_in(board, game, mind, room, style, seat, place):
    """Return the station with the cards that the plan needs least, or NONE."""
    count = game.built[seat] + 1
    if count > board.stations or has_station(board, game, place):
        return NONE
    first = board.build + place * board.builds + paying.sets_before(board, count)
    fill_values(board, game, mind, room, style, seat)
    best, least = NONE, ways.FAR
    for color in range(board.wild):
        wilds = max(ZERO, count - game.hands[seat, color])
        if wilds < count and wilds <= game.hands[seat, board.wild]:
            action = first + paying.set_index(board, count, color, wilds)
            bill = (count - wilds) * room.value[color] + wilds * room.value[board.wild]
            if bill < least:
                best, least = action, bill
    if best == NONE and game.hands[seat, board.wild] >= count:
        return first + paying.set_index(board, count, board.wild, count)
    return best


@inner
def fill_options(board, game, mind, room, style, mask, seat, to):
    """Fill in one claim of each route, then one station for each place that another seat's route
    touches, and the best card to draw; NONE where there is none."""
    plans.refresh(board, game, mind, room, style, seat)
    most = ways.most_held(board, game.hands[seat])
    for route in range(board.routes):
        to[route] = NONE
        if can_pay(board, game, seat, route, most):
            color = plans.color_for(board, game, mind, room, style, seat, route)
            to[route] = claim_with(board, game, seat, route, color)
    for place in range(board.locations):
        to[board.routes + place] = NONE
        for i in range(room.first[place], room.first[place + 1]):
            if game.owner[room.by[i]] not in (NONE, seat):
                to[board.routes + place] = station_in(board, game, mind, room, style, seat, place)
                break
    card = best_card(board, game, mind, room, style, mask, seat)
    to[board.routes + board.locations] = card if card < board.draw_tickets else NONE


@inner
def joins(board, game, seat, a, b):
    """Return the points of the tickets that a route between two groups completes."""
    points = ZERO
    if a != b:
        for ticket in range(board.tickets):
            if game.holder[ticket] == seat:
                one = network.find(game.group, board.ticket_a[ticket])
                other = network.find(game.group, board.ticket_b[ticket])
                if (one == a and other == b) or (one == b and other == a):
                    points += board.ticket_points[ticket]
    return points


@inner
def best_last(board, game, mind, room, style, seat):
    """Return the claim or station that adds most to the final score at once, or NONE."""
    ways.gains(board, game, room, style, seat)
    most_held = ways.most_held(board, game.hands[seat])
    best, most, place = NONE, 0.0, NONE
    for route in range(board.routes):
        a = network.find(game.group, board.a[route])
        b = network.find(game.group, board.b[route])
        if game.owner[route] == NONE:
            if can_pay(board, game, seat, route, most_held):
                adds = room.gain[route] + 2.0 * joins(board, game, seat, a, b)
                if adds > most:
                    best, most, place = route, adds, NONE
        elif game.owner[route] != seat and game.built[seat] < board.stations:
            adds = 2.0 * joins(board, game, seat, a, b) - UNUSED
            if adds > most:
                for end in (board.a[route], board.b[route]):
                    if station_in(board, game, mind, room, style, seat, end) != NONE:
                        best, most, place = route, adds, end
                        break
    if best == NONE:
        return NONE
    mind.stale[seat] = OUTDATED
    if place != NONE:
        return station_in(board, game, mind, room, style, seat, place)
    color = plans.color_for(board, game, mind, room, style, seat, best)
    return claim_with(board, game, seat, best, color)
