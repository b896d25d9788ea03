"""Tunnels: routes whose cost is known only after three cards were turned up (4.4).

Where a rule lets several colours pay for a tunnel, each of them counts: every turned card of a
colour that was laid, and every wild, asks for one card more, of any of these colours or wild.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import combinations_with_replacement
from typing import Annotated, Any, ClassVar, TypedDict

from domain.board.parts import Route
from domain.board.shapes import truth
from domain.codec import tagged
from domain.errors import Refused
from domain.game.commands import ClaimRoute, Command
from domain.game.events import Event, Resigned, RouteClaimed
from domain.game.state import TURN, Draft, State, add, put, take
from domain.rules import deck, settling, taking
from domain.rules.paying import holds
from domain.rules.rule import Attribute, Claims, Decision, InTable, Rule
from domain.secrecy import EVERYBODY, Member, Public

TUNNEL = "tunnel"  # the decision of a seat whose tunnel costs more
TURNED = 3  # cards turned for a tunnel


@dataclass(frozen=True)
class OpenTunnel:
    """A tunnel under way: the cards laid, the cards turned up, and the extra cost."""

    route: int
    laid: tuple[int, ...]
    keep: bool = False  # a card for the flag, should the claim succeed
    turned: tuple[int, ...] = ()
    extra: int = 0
    taken: tuple[int, ...] = ()  # cards that the seat was known to hold before laying

    def with_nothing_laid(self) -> "OpenTunnel":
        """Return the tunnel once the laid cards are paid, taken back or discarded (9.1)."""
        return replace(self, laid=(0,) * len(self.laid))


@tagged
class PayTunnel(Command):
    """Pay what the tunnel asks for beyond its length (4.4)."""

    cards: Public[Mapping[str, int]]


@tagged
class WithdrawTunnel(Command):
    """Take the cards laid for a tunnel back, and end the turn (4.4)."""

    gives_up: ClassVar[bool] = True


@tagged
class TunnelAttempted(Event):
    """A seat laid these cards for a tunnel (4.4)."""

    seat: Public[int]
    route: Public[str]
    cards: Public[Mapping[str, int]]
    keep_for_flag: Public[bool] | None = None


@tagged
class TunnelCardTurned(Event):
    """The top card of the deck was turned for the tunnel (4.4)."""

    card: Public[str]


@tagged
class TunnelCostRaised(Event):
    """The tunnel costs its seat ``extra`` more cards (4.4)."""

    seat: Public[int]
    extra: Public[int]


@tagged
class TunnelWithdrawn(Event):
    """A seat took the cards laid for a tunnel back (4.4)."""

    seat: Public[int]


@tagged
class TunnelCardsDiscarded(Event):
    """The cards turned for the tunnel went to the discards (4.4)."""

    cards: Annotated[tuple[str, ...], EVERYBODY, "The cards that had been turned."]


class Tunnel(TypedDict):
    """A tunnel that a seat is about to claim (rule 4.4)."""

    seat: Annotated[int, "Whose claim it is."]
    route: Annotated[str, "The route's id."]
    laid: Annotated[Mapping[str, int], "The cards laid for it."]
    turned: Annotated[tuple[str, ...], "The cards turned."]
    extra: Annotated[int, "How many cards it asks for beyond."]


def is_tunnel(route: Route) -> bool:
    return bool(route.marks.get("tunnel"))


def asks_for_more(draft: Draft, seat: int, index: int, command: ClaimRoute) -> bool:
    """Lay the cards and turn others; return whether the seat must now pay more or withdraw."""
    state, route = draft.state, draft.state.board.routes[index]
    if not is_tunnel(route):
        return False
    draft.emit(TunnelAttempted(seat, route.id, command.cards, command.keep_for_flag or None))
    for _ in range(TURNED):
        if deck.deck_can_give(state):
            card = deck.top_card(draft)
            draft.emit(TunnelCardTurned(state.board.colors[card]))
    asked = colors_asked(state)
    extra = sum(card in asked for card in state.tunnel.turned)
    if extra:
        draft.emit(TunnelCostRaised(seat, extra))
    return extra > 0


def pay_tunnel(draft: Draft, seat: int, command: PayTunnel) -> None:
    """Pay exactly what the tunnel asks for beyond its length; the route is claimed."""
    state, board = draft.state, draft.state.board
    tunnel = state.tunnel
    if any(card not in board.cards for card in command.cards):
        raise Refused(
            "unknown-card", "4.4", f"the colours of cards are {', '.join(board.colors)}", "cards"
        )
    if dict(command.cards) not in [option.cards for option in ways_to_pay(state, seat)]:
        takes = " or ".join(board.names(colors_asked(state)))
        raise Refused(
            "wrong-cards",
            "4.4",
            f"the tunnel takes {tunnel.extra} more of your cards, {takes}",
            "cards",
        )
    paid = board.as_set(add(tunnel.laid, board.counts(command.cards)))
    settling.settle(draft, seat, board.routes[tunnel.route], paid, tunnel.keep)


def withdraw_tunnel(draft: Draft, seat: int, _command: WithdrawTunnel) -> None:
    draft.emit(TunnelWithdrawn(seat))
    discard_turned(draft, seat)
    settling.finish_turn(draft)


def discard_turned(draft: Draft, _seat: int, _route: Route | None = None) -> None:
    if tunnel := draft.state.tunnel:
        draft.emit(TunnelCardsDiscarded(draft.state.board.names(tunnel.turned)))


def give_up(draft: Draft, seat: int) -> None:
    """End a tunnel whose seat has left, or whose game ends."""
    state = draft.state
    if state.tunnel and (state.turn == seat or len(state.active) == 1):
        if state.turn != seat:
            draft.emit(TunnelWithdrawn(state.turn))
        discard_turned(draft, seat)


def colors_asked(state: State) -> tuple[int, ...]:
    """Return the colours that ask for more when turned, and that pay for it: those laid, then
    wild."""
    laid = state.tunnel.laid
    wild = len(laid) - 1
    return (*[color for color in range(wild) if laid[color]], wild)


def ways_to_pay(state: State, seat: int) -> list[PayTunnel]:
    """Return every way to pay exactly what the tunnel asks for beyond its length, in the order of
    the colours, wilds last."""
    colors, extra = state.board.names(colors_asked(state)), int(state.tunnel.extra)
    sets = [Counter(each) for each in combinations_with_replacement(colors, extra)]
    return [PayTunnel(dict(cards)) for cards in sets if holds(state, seat, cards)]


def tunnel_attempted(state: State, event: TunnelAttempted) -> None:
    laid = state.board.counts(event.cards)
    state.hands = put(state.hands, event.seat, take(state.hands[event.seat], laid))
    route = state.board.route_index[event.route]
    state.tunnel = OpenTunnel(
        route, laid, bool(event.keep_for_flag), taken=tuple(state.taken[event.seat])
    )
    taking.lay(state, event.seat, event.cards)
    state.passes = 0


def tunnel_card_turned(state: State, event: TunnelCardTurned) -> None:
    card = state.board.color_index[event.card]
    state.deck = state.deck[1:]
    state.tunnel = replace(state.tunnel, turned=(*state.tunnel.turned, card))


def tunnel_cost_raised(state: State, event: TunnelCostRaised) -> None:
    state.tunnel, state.step = replace(state.tunnel, extra=event.extra), TUNNEL


def laid_taken_back(state: State, event: TunnelWithdrawn | RouteClaimed) -> None:
    """Return the laid cards to the hand; the claim is paid from there."""
    if state.tunnel:
        state.hands = put(state.hands, event.seat, add(state.hands[event.seat], state.tunnel.laid))
        state.taken = put(state.taken, event.seat, bytes(state.tunnel.taken))
        state.tunnel = state.tunnel.with_nothing_laid()


def tunnel_cards_discarded(state: State, event: TunnelCardsDiscarded) -> None:
    discards = list(state.discards)
    for card in state.board.numbers(event.cards):
        discards[card] += 1
    state.discards, state.tunnel, state.step = tuple(discards), None, TURN


def laid_dropped(state: State, event: Resigned) -> None:
    if state.tunnel and event.seat == state.turn:
        state.tunnel = state.tunnel.with_nothing_laid()


def lying(state: State, seat: int) -> Iterable[int]:
    is_here = state.tunnel and state.turn == seat
    return state.board.cards_of(state.tunnel.laid) if is_here else ()


def unpacked(value: Mapping[str, Any] | None) -> OpenTunnel | None:
    """Decode the tunnel from a fork's position (None if it has none)."""
    if not value:
        return None
    parts: dict[str, Any] = {
        name: tuple(part) if isinstance(part, list) else part for name, part in value.items()
    }
    return OpenTunnel(**parts)


def shown(state: State) -> Tunnel | None:
    board, tunnel = state.board, state.tunnel
    if tunnel is None:
        return None
    return {
        "seat": state.turn,
        "route": board.routes[tunnel.route].id,
        "laid": board.as_set(tunnel.laid),
        "turned": board.names(tunnel.turned),
        "extra": tunnel.extra,
    }


RULE = Rule(
    name="tunnels",
    table=InTable(
        route={"tunnel": truth("Whether it is a tunnel (rule 4.4).")},
        is_printed=lambda board: any(map(is_tunnel, board.routes)),
    ),
    claims=Claims(waits=asks_for_more, done=discard_turned),
    decides={PayTunnel: pay_tunnel, WithdrawTunnel: withdraw_tunnel},
    evolves={
        TunnelAttempted: tunnel_attempted,
        TunnelCardTurned: tunnel_card_turned,
        TunnelCostRaised: tunnel_cost_raised,
        TunnelWithdrawn: laid_taken_back,
        TunnelCardsDiscarded: tunnel_cards_discarded,
        RouteClaimed: laid_taken_back,
        Resigned: laid_dropped,
    },
    attributes={
        "tunnel": Attribute(
            None, for_all=True, packed=lambda tunnel: tunnel and asdict(tunnel), unpacked=unpacked
        )
    },
    decisions={
        TUNNEL: Decision(
            ("pay_tunnel", "withdraw_tunnel"),
            "4.4",
            "pay for the tunnel, or withdraw",
            lambda state, seat: [*ways_to_pay(state, seat), WithdrawTunnel()],
        )
    },
    lying=lying,
    left=give_up,
    view=(
        Member(
            "tunnel",
            EVERYBODY,
            Tunnel,
            "While a tunnel asks for more cards.",
            shown,
            sometimes=True,
        ),
    ),
)
