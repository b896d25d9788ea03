"""A seat's plan: the routes for the tickets it can complete, then routes for points."""

from collections.abc import Iterable
from dataclasses import dataclass

from workers.bots.board import GREY, Route, Ticket
from workers.bots.costs import cost, gain
from workers.bots.network import Network, Ways, union
from workers.bots.position import Position

THRIFT = (0, 1, 4)  # points per train, tried in turn until the paths fit trains and turns
WASTE = 1.3  # cards drawn for each useful one
LINK = 2  # points for each end at which a route joins the others, for the longest path


@dataclass(frozen=True)
class Connections:
    """``needed``: the routes that complete tickets, lendable ones included; ``given_up``: tickets
    that will stay incomplete; ``value``: the points of all tickets in the end, less the routes'
    costs."""

    network: Network
    needed: list[Route]
    given_up: list[Ticket]
    value: float


@dataclass(frozen=True)
class Shares:
    """A hand allocated to routes: the colour that pays each route, and how many cards it is
    ``short`` of, both by route id; ``spare`` are the other cards, by colour."""

    color: dict[str, str]
    short: dict[str, int]
    spare: dict[str, int]


@dataclass(frozen=True)
class Plan(Connections):
    """The whole plan: ``extra`` are routes for points, with trains that ``needed`` leaves."""

    extra: list[Route]
    shares: Shares

    @property
    def trains(self) -> int:
        return trains_for(self.needed)

    def turns(self, wilds: int) -> float:
        """Return the number of turns for the needed routes, with this many wilds in hand."""
        return turns_for(self.needed, self.shares, wilds)


def make_plan(position: Position) -> Plan:
    plan = connections(position, position.tickets)
    extra, shares = _extra(position, plan.needed)
    return Plan(**vars(plan), extra=extra, shares=shares)


def connections(position: Position, tickets: Iterable[Ticket]) -> Connections:
    """Return the connections for as many of these tickets as trains and turns allow."""
    costs = {route.id: cost(route, position) for route in position.open + position.lent}
    network = Network(position, costs)
    tickets = [network.best_way(t) if t.ways else t for t in tickets]
    missing = [t for t in tickets if not position.is_connected(t)]
    wanted = [t for t in missing if network.reaches(t)]
    network, ways = _thrifty(position, costs, network, wanted)
    while not _fits(union(ways), position):
        # the one with the fewest points for each train that it alone needs
        wanted.remove(min(wanted, key=lambda t: t.points / max(0.1, trains_for(only_for(t, ways)))))
        network, ways = _thrifty(position, costs, network, wanted)
    needed = sorted(union(ways), key=lambda route: (-route.length, route.id))
    given_up = [t for t in missing if t not in wanted]
    value = sum(-t.points if t in given_up else t.points for t in tickets)
    return Connections(network, needed, given_up, value - sum(costs[r.id] for r in needed))


def share_out(hand: dict[str, int], routes: Iterable[Route]) -> Shares:
    """Allocate a hand to routes: coloured ones first, as grey ones can take the rest."""
    spare = dict(hand)
    color, short = {}, {}
    for route in sorted(routes, key=lambda route: route.color == GREY):
        paid = max(spare, key=spare.__getitem__) if route.color == GREY else route.color
        given = min(spare[paid], route.cards - route.ferry)
        spare[paid] -= given
        color[route.id], short[route.id] = paid, route.cards - given
    return Shares(color, short, spare)


def trains_for(routes: Iterable[Route]) -> int:
    return sum([route.trains for route in routes])


def turns_for(routes: list[Route], shares: Shares, wilds: int) -> float:
    """Return how many turns the routes take: two cards in each, then the claims."""
    short = sum([shares.short[route.id] for route in routes])
    return max(0, short - wilds) * WASTE / 2 + len(routes)


def only_for(ticket: Ticket, ways: Ways) -> list[Route]:
    others = set(union({t: way for t, way in ways.items() if t is not ticket}))
    return [route for route in ways[ticket] if route not in others]


def _thrifty(
    position: Position, costs: dict[str, float], network: Network, wanted: list[Ticket]
) -> tuple[Network, Ways]:
    """Return the paths with the least thrift at which they fit; ``network`` is without thrift."""
    for thrift in THRIFT:
        network = Network(position, costs, thrift) if thrift else network
        ways = network.connect(wanted)
        if _fits(union(ways), position):
            break
    return network, ways


def _fits(routes: list[Route], position: Position) -> bool:
    if not routes:
        return True
    turns = turns_for(routes, share_out(position.hand, routes), position.wilds)
    return (
        turns <= position.turns_left
        and trains_for(routes) <= position.trains
        and len([r for r in routes if r.station]) <= position.stations_left
    )


def _extra(position: Position, needed: list[Route]) -> tuple[list[Route], Shares]:
    """Return routes with many points per turn, as far as trains last, and the allocation of the
    hand. Routes that join the seat's own count for more."""
    extra: list[Route] = []
    trains = position.trains - trains_for(needed)
    places = {end for route in position.mine + needed for end in position.ends(route)}
    taken = {id for route in needed for id in (route.id, route.twin)}
    shares = first = share_out(position.hand, needed)
    link = LINK if position.board.longest_path else 0
    gains = {route.id: gain(route, position) for route in position.open}

    def rate(route: Route) -> float:
        a, b = position.ends(route)
        short = max(route.cards - held[route.color], route.ferry)
        return (gains[route.id] + link * ((a in places) + (b in places))) / (1 + short / 2)

    while rest := [r for r in position.open if r.trains <= trains and r.id not in taken]:
        held = shares.spare | {GREY: max(shares.spare.values())}
        best = max(rest, key=rate)
        extra.append(best)
        trains -= best.trains
        places |= {*position.ends(best)}
        taken |= {best.id, best.twin}
        then = share_out(first.spare, extra)
        shares = Shares(first.color | then.color, first.short | then.short, then.spare)
    return extra, shares
