"""Transfer of a route to a seat: payment and score (4.1, 4.2); a seat's longest path."""

from collections.abc import Callable, Mapping

from domain import network
from domain.board.parts import Route
from domain.game.events import RouteClaimed
from domain.game.state import Draft, State, put
from domain.rules import deck, ending
from domain.rules.rule import Number, Numbers, Rule


def settle(draft: Draft, seat: int, route: Route, cards: Mapping[str, int], keep: bool) -> None:
    """Give the route to the seat; end the turn, unless a rule lets it decide something first."""
    board, kept = draft.state.board, route.color if keep else None
    trains = board.trains_taken[board.route_index[route.id]]
    draft.emit(
        RouteClaimed(
            seat,
            route.id,
            cards,
            board.points[route.length],
            kept,
            trains if trains != route.length else None,
        )
    )
    for follow in draft.rules.claimed:
        if follow(draft, seat, route):
            return
    finish_turn(draft)


def go_on(draft: Draft, seat: int, route: Route, decided: Callable[..., object]) -> None:
    """Continue after a claim that waited for a decision. ``decided`` is the ``claimed`` of the rule
    that asked for it: call those of the later rules, then end the turn."""
    hooks = draft.rules.claimed
    for follow in hooks[hooks.index(decided) + 1 :]:
        if follow(draft, seat, route):
            return
    finish_turn(draft)


def finish_turn(draft: Draft) -> None:
    """End a turn that has added to the discards: an empty place in the row is filled first."""
    deck.fill_row(draft)
    ending.end_turn(draft)


def route_claimed(state: State, event: RouteClaimed) -> None:
    board, seat = state.board, event.seat
    index = board.route_index[event.route]
    hand, discards, colors = [*state.hands[seat]], [*state.discards], board.color_index
    for color, count in event.cards.items():
        card = colors.get(color)
        if card is not None:
            hand[card] -= count
            discards[card] += count
    state.hands = put(state.hands, seat, tuple(hand))
    state.discards = tuple(discards)
    taken = board.lengths[index] if event.trains is None else event.trains
    state.trains = put(state.trains, seat, state.trains[seat] - taken)
    state.points = put(state.points, seat, state.points[seat] + event.points)
    state.routes = put(state.routes, seat, (*state.routes[seat], index))
    close_route(state, seat, index)
    state.passes, state.last_progress = 0, state.version


def close_route(state: State, seat: int, index: int) -> None:
    """Close a route to all, its twin to this seat or, where doubles are closed, to all (4.2)."""
    twin = state.board.routes[index].twin
    state.open &= ~(1 << index)
    if twin is None:
        return
    if len(state.players) in state.board.doubles_closed_for:
        state.open &= ~(1 << twin)
    else:
        state.closed = put(state.closed, seat, state.closed[seat] | 1 << twin)


def links(state: State, seat: int) -> list[tuple[str, str]]:
    routes = state.board.routes
    return [(routes[r].a, routes[r].b) for r in state.routes[seat]]


def longest_path_length(state: State, seat: int) -> int:
    """Return the longest trail over a seat's own routes, in trains (7.2)."""
    routes = [state.board.routes[r] for r in state.routes[seat]]
    return network.longest_trail_length([(r.a, r.b, r.length) for r in routes])


def scores(state: State, _numbers: Numbers) -> Numbers:
    points, lengths = state.board.points, state.board.lengths
    return {
        "routes": [sum([points[lengths[r]] for r in routes]) for routes in state.routes],
        "longest_path_length": [longest_path_length(state, seat) for seat in state.seats],
    }


RULE = Rule(
    name="settling",
    common=True,
    evolves={RouteClaimed: route_claimed},
    numbers=(
        Number("routes", "Points for routes (rule 4.1).", everywhere=True),
        Number(
            "longest_path_length",
            "The longest path in trains.",
            adds=False,
            everywhere=True,
            breaks_ties=True,
        ),
    ),
    scores=scores,
)
