"""Claiming routes: every way to do it, and whether a seat may, with these cards (4.1, 4.2)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate, compress

from domain import network
from domain.board.board import Board
from domain.board.parts import ANY, GREY, WILD, Route
from domain.board.ruleset import accepted
from domain.errors import Refused
from domain.game.commands import ClaimRoute, Command
from domain.game.state import Draft, State
from domain.rules import settling
from domain.rules.deck import MEMO
from domain.rules.paying import check_held, check_set, holds, is_instance, paid, payment
from domain.rules.rule import InTable, Rule

Claims = tuple[tuple[tuple[ClaimRoute, ...], ...], ...]
ClaimsWith = Callable[[int, int, int, int], tuple[ClaimRoute, ...]]
MAX_NAMED = 8  # other sets of cards that a refusal names


def claim_route(draft: Draft, seat: int, command: ClaimRoute) -> None:
    state, board = draft.state, draft.state.board
    index = board.route_index.get(command.route)
    if index is None:
        turned = network.turned(command.route)
        known = f"; it has {turned}" if turned in board.route_index else ""
        raise Refused(
            "unknown-route", "4.1", f"the board {board.name} has no such route{known}", "route"
        )
    route = board.routes[index]
    if not (state.open & ~state.closed[seat]) >> index & 1:
        raise _not_open(state, seat, index)
    listed: list[ClaimRoute] = []  # the claims with other sets that the cards stand for
    try:
        _check_usual(draft, route, command.cards)
    except Refused as refused:
        others = board.once(other_claims)[index]
        sets = [claim.cards for claim in others if is_instance(command.cards, claim.cards)]
        if not sets:
            refused.args = (f"{refused}{_or_pay(others)}",)
            raise
        listed = [paid(state, seat, replace(command, cards=cards)) for cards in sets]
        command = paid(state, seat, command)
    check_held(state, seat, command.cards, "4.1")
    trains = board.trains_taken[index]
    if state.trains[seat] < trains:
        raise Refused(
            "too-few-trains",
            "4.1",
            f"the route takes {trains} trains, you have {state.trains[seat]} left",
            "route",
        )
    checks = draft.rules.claim_checks
    for check in draft.rules.member_checks + checks:
        check(state, seat, route, command)
    if listed and not any(accepted(checks, state, seat, route, claim) for claim in listed):
        raise Refused(
            "wrong-cards", "4.1", "no other cards may be paid for this route now", "cards"
        )
    if not any(waits(draft, seat, index, command) for waits in draft.rules.waits):
        settling.settle(draft, seat, route, command.cards, bool(command.keep_for_flag))


def _check_usual(draft: Draft, route: Route, cards: Mapping[str, int]) -> None:
    """Refuse cards that are not of one colour and wilds, as the route takes them."""
    check_set(draft.state.board, cards, route.length, "4.1")
    if route.color != GREY and not cards.keys() <= {route.color, WILD}:
        raise Refused(
            "wrong-cards", "4.1", f"the route takes {route.color} cards and wilds only", "cards"
        )
    for check_payment in draft.rules.payment_checks:
        check_payment(route, cards)


def _or_pay(others: list[ClaimRoute]) -> str:
    """Return words about the first of the other sets that a route takes."""
    sets = [" + ".join(f"{n} {color}" for color, n in claim.cards.items()) for claim in others]
    sets[MAX_NAMED:] = ["more"] * (len(sets) > MAX_NAMED)
    return f"; you can also pay {', '.join(sets)}" * bool(sets)


def _not_open(state: State, seat: int, index: int) -> Refused:
    if state.owner(index) is not None:
        return Refused("route-taken", "4.1", "somebody has claimed this route already", "route")
    if state.closed[seat] >> index & 1:
        return Refused("own-double", "4.2", "you own the other track of this double route", "route")
    return Refused(
        "double-closed",
        "4.2",
        f"with {len(state.players)} players only one track of a double route is used",
        "route",
    )


def add_claims(actions: list[Command], state: State, seat: int) -> None:
    board, hand, trains = state.board, state.hands[seat], state.trains[seat]
    with_cards, (routes_of, routes_within, most) = board.once(claims_with), board.once(routes_for)
    claimable = state.open & ~state.closed[seat] & routes_within[trains]
    wild = len(hand) - 1
    wilds = hand[wild]
    for color, held in enumerate(hand):
        if held:
            spare = 0 if color == wild else wilds
            reach = held + spare
            routes = claimable & routes_of[color][reach if reach < most else most]
            if routes:
                actions += with_cards(color, held, spare, routes)
    if board.ruleset.other_sets:
        actions += [
            claim
            for i, others in enumerate(board.once(other_claims))
            if claimable >> i & 1
            for claim in others
            if holds(state, seat, paid(state, seat, claim).cards)
        ]


def routes_for(board: Board) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...], int]:
    """Return ``of_color, within, most``. ``of_color[color][n]`` has as bits the routes that n cards
    of a colour and wilds can pay (``wild``: any route). ``within[n]`` has as bits the routes for
    which n trains are enough. ``most`` is the length of the longest route, the largest n of
    ``of_color``."""
    wild, most = len(board.colors) - 1, max(board.lengths)
    of_color = tuple(
        tuple(
            sum(
                1 << i
                for i, route in enumerate(board.routes)
                if route.length <= n and (c == wild or route.color in (color, GREY))
            )
            for n in range(most + 1)
        )
        for c, color in enumerate(board.colors)
    )
    within = tuple(
        sum(1 << i for i, trains in enumerate(board.trains_taken) if trains <= n)
        for n in range(board.trains + 1)
    )
    return of_color, within, most


def claims(board: Board) -> Claims:
    """Return ``claims[route][color][k]``: the claim that pays k wilds and the rest in that colour;
    for the colour ``wild`` the one claim with wilds alone. Shared, never to be changed."""
    return tuple(
        tuple(_claims(board, route, c) for c in range(len(board.colors))) for route in board.routes
    )


def _claims(board: Board, route: Route, color: int) -> tuple[ClaimRoute, ...]:
    n = route.length
    if board.colors[color] == WILD:
        return (ClaimRoute(route.id, {WILD: n}),)
    if route.color not in (board.colors[color], GREY):
        return ()
    return tuple(ClaimRoute(route.id, payment(board, color, k, n)) for k in range(n))


def other_claims(board: Board) -> tuple[list[ClaimRoute], ...]:
    """Return, for each route, the claims with other sets than of one colour and wilds."""
    return tuple(
        _other_claims(board, route, usual)
        for route, usual in zip(board.routes, board.once(claims), strict=True)
    )


def _other_claims(
    board: Board, route: Route, usual: Sequence[Sequence[ClaimRoute]]
) -> list[ClaimRoute]:
    """Return the claims with other sets, each set once, without those that pay as ``usual``."""
    checks = board.ruleset.payment_checks
    known = [
        claim.cards for ways in usual for claim in ways if accepted(checks, route, claim.cards)
    ]
    others = {
        frozenset(cards.items()): ClaimRoute(route.id, cards)
        for sets in board.ruleset.other_sets
        for cards in sets(board, route)
    }
    return [claim for claim in others.values() if claim.cards not in known]


def claims_with(board: Board) -> ClaimsWith:
    """Return ``claims_with(color, held, wilds, routes)``: every claim of ``routes`` (as bits) with
    up to ``held`` cards of a colour and up to ``wilds`` wilds."""
    lengths, by_color = (
        board.lengths,
        [
            [_payable(board, route, ways) for route, ways in zip(board.routes, row, strict=True)]
            for row in zip(*board.once(claims), strict=True)
        ],
    )

    @lru_cache(maxsize=MEMO)
    def with_cards(color: int, held: int, wilds: int, routes: int) -> tuple[ClaimRoute, ...]:
        claims: list[ClaimRoute] = []
        payable = by_color[color]
        while routes:  # from the lowest bit up
            lowest = routes & -routes
            routes ^= lowest
            route = lowest.bit_length() - 1
            ways, at = payable[route]
            fewest = lengths[route] - held
            claims += ways[at[fewest] if fewest > 0 else 0 : at[wilds + 1]]
        return tuple(claims)

    return with_cards


def _payable(
    board: Board, route: Route, ways: Sequence[ClaimRoute]
) -> tuple[Sequence[ClaimRoute], Sequence[int]]:
    """Return the accepted claims by number of wilds; claims[:at[k]] pay fewer than k wilds."""
    is_paid = [accepted(board.ruleset.payment_checks, route, claim.cards) for claim in ways]
    at = [*accumulate(is_paid, initial=0)]
    return [*compress(ways, is_paid)], at + [at[-1]] * (board.cards[WILD] + 2 - len(at))


RULE = Rule(
    name="claiming",
    common=True,
    table=InTable(
        check=lambda board: (
            "needs another name for the colour any"
            if (board.ruleset.other_sets and ANY in board.cards)
            else None
        ),
        listed=lambda board: sum(
            1 + r.length * (len(board.colors) - 1 if r.color == GREY else 1) + len(others)
            for r, others in zip(board.routes, board.once(other_claims), strict=True)
        ),
    ),
    decides={ClaimRoute: claim_route},
    turn_actions=(ClaimRoute,),
    add_actions=add_claims,
)
