"""What a seat means to build: the ways of the tickets it can complete, then routes for points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from workers.bots.board import GREY, Route, Ticket
from workers.bots.costs import cost
from workers.bots.gains import gain
from workers.bots.network import Network, Ways, union
from workers.bots.position import Position

THRIFT = (0, 1, 4)  # points a train, tried in turn until the ways fit trains and turns
WASTE = 1.3  # cards drawn for each one of use
LINK = 2  # points for each end by which a route joins the others, with the longest path in mind


@dataclass(frozen=True)
class Connections:
    """``needed``: the routes that complete tickets, with those that stations would lend;
    ``given_up``: tickets that will stay incomplete; ``value``: what all tickets bring in the end,
    less what the routes cost."""

    network: Network
    needed: list[Route]
    given_up: list[Ticket]
    value: float


@dataclass(frozen=True)
class Shares:
    """A hand shared out among routes: what each is paid with, wilds aside, and how many cards it
    is ``short`` of, both by route id; ``spare`` is what no route takes, by colour."""

    color: dict[str, str]
    short: dict[str, int]
    spare: dict[str, int]


@dataclass(frozen=True)
class Plan(Connections):
    """The whole plan: ``extra`` are routes for points, for the trains that ``needed`` leaves."""

    extra: list[Route]
    shares: Shares

    @property
    def trains(self) -> int:
        """How many trains the needed routes take."""
        return trains_for(self.needed)

    def turns(self, wilds: int) -> float:
        """Return how many turns the needed routes take, with so many wilds in the hand."""
        return turns_for(self.needed, self.shares, wilds)


def make_plan(position: Position) -> Plan:
    """Return the plan of a seat from where it stands."""
    found = connections(position, position.tickets)
    extra, shares = _extra(position, found.needed)
    return Plan(**vars(found), extra=extra, shares=shares)


def connections(position: Position, tickets: Iterable[Ticket]) -> Connections:
    """Return the connections for as many of these tickets as trains and turns allow."""
    costs = {route.id: cost(route, position) for route in position.open + position.lent}
    network = Network(position, costs)
    missing = [t for t in tickets if not position.is_connected(t)]
    wanted = [t for t in missing if network.reaches(t)]
    network, ways = _thrifty(position, costs, network, wanted)
    while not _fits(union(ways), position):
        wanted.remove(min(wanted, key=lambda t: _stake(t, ways)))
        network, ways = _thrifty(position, costs, network, wanted)
    needed = sorted(union(ways), key=lambda route: (-route.length, route.id))
    given_up = [t for t in missing if t not in wanted]
    value = sum(-t.points if t in given_up else t.points for t in tickets)
    return Connections(network, needed, given_up, value - sum(costs[r.id] for r in needed))


def share_out(hand: dict[str, int], routes: Iterable[Route]) -> Shares:
    """Share a hand out among routes: coloured ones first, as grey ones can take what is left."""
    spare = dict(hand)
    color, short = {}, {}
    for route in sorted(routes, key=lambda route: route.color == GREY):
        paid = max(spare, key=spare.__getitem__) if route.color == GREY else route.color
        given = min(spare[paid], route.cards - route.ferry)
        spare[paid] -= given
        color[route.id], short[route.id] = paid, route.cards - given
    return Shares(color, short, spare)


def trains_for(routes: Iterable[Route]) -> int:
    """Return how many trains routes take."""
    return sum([route.length for route in routes])


def turns_for(routes: list[Route], shares: Shares, wilds: int) -> float:
    """Return how many turns routes take: two cards in each, then the claims."""
    short = sum([shares.short[route.id] for route in routes])
    return max(0, short - wilds) * WASTE / 2 + len(routes)


def only_for(ticket: Ticket, ways: Ways) -> list[Route]:
    """Return the routes that are planned for this ticket and no other."""
    others = set(union({t: way for t, way in ways.items() if t is not ticket}))
    return [route for route in ways[ticket] if route not in others]


def _thrifty(
    position: Position, costs: dict[str, float], network: Network, wanted: list[Ticket]
) -> tuple[Network, Ways]:
    """Return the ways for the tickets wanted, no shorter than they must be to fit the trains and
    turns that are left; ``network`` is the network without thrift."""
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
    return (turns <= position.turns_left and trains_for(routes) <= position.trains
            and len([r for r in routes if r.station]) <= position.stations_left)


def _stake(ticket: Ticket, ways: Ways) -> float:
    """Return the points of a ticket for each train that it alone asks for."""
    return ticket.points / max(0.1, trains_for(only_for(ticket, ways)))


def _extra(position: Position, needed: list[Route]) -> tuple[list[Route], Shares]:
    """Return routes that bring many points a turn, while there are trains, and the shares of the
    hand; those that join the other routes count for more."""
    extra: list[Route] = []
    trains = position.trains - trains_for(needed)
    places = {end for route in position.mine + needed for end in position.ends(route)}
    taken = {id for route in needed for id in (route.id, route.twin)}
    shares = share_out(position.hand, needed)
    link = LINK if position.board.longest_path else 0
    gains = {route.id: gain(route, position) for route in position.open}

    def rate(route: Route) -> float:
        a, b = position.ends(route)
        short = max(route.cards - held[route.color], route.ferry)
        return (gains[route.id] + link * ((a in places) + (b in places))) / (1 + short / 2)

    while rest := [r for r in position.open if r.length <= trains and r.id not in taken]:
        held = shares.spare | {GREY: max(shares.spare.values())}
        best = max(rest, key=rate)
        extra.append(best)
        trains -= best.length
        places |= {*position.ends(best)}
        taken |= {best.id, best.twin}
        shares = _shares_of_both(position, needed, extra)
    return extra, shares


def _shares_of_both(position: Position, needed: list[Route], extra: list[Route]) -> Shares:
    """Share the hand out among the needed routes, and what they leave among the others."""
    first = share_out(position.hand, needed)
    then = share_out(first.spare, extra)
    return Shares(first.color | then.color, first.short | then.short, then.spare)
