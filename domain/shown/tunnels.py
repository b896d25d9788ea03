"""How tunnels are shown (4.4)."""

from collections.abc import Iterable, Sequence

from domain.board.board import Board
from domain.codec import Json
from domain.drawing.marks import INK, Drawing, Mark, sample
from domain.game.events import Event, RouteClaimed
from domain.rules import tunnels
from domain.shown.shown import Exported, Shown, Sign

WORDS = "tunnel: three cards are turned, and may ask for more"
EDGE = f' stroke="{INK}" stroke-width="2.4" stroke-dasharray="4 2.5"'  # of a space in a picture


def key(_board: Board) -> Iterable[Mark]:
    yield "".join(sample(x, EDGE) for x in (-14, 14)), 56, WORDS


def _of(kind: type[Event], events: Sequence[Json]) -> list[Json]:
    return [event for event in events if event["type"] == kind.type]


def turned_cards(events: Sequence[Json]) -> list[str] | None:
    return [event["card"] for event in _of(tunnels.TunnelCardTurned, events)] or None


def extra_cards(events: Sequence[Json]) -> int | None:
    if not _of(tunnels.TunnelAttempted, events):
        return None
    return next((event["extra"] for event in _of(tunnels.TunnelCostRaised, events)), 0)


def outcome_of(events: Sequence[Json]) -> str | None:
    if _of(tunnels.TunnelWithdrawn, events):
        return "withdrawn"
    if not any(event["type"].startswith("tunnel_") for event in events):
        return None
    return "claimed" if _of(RouteClaimed, events) else "undecided"


SHOWN = Shown(
    rule=tunnels.RULE,
    number="4.4",
    says="Once the price is laid, three cards are turned: each of the colour laid, and each wild, "
    "asks for one card more.",
    events={
        tunnels.TunnelAttempted: "{seat} tries the tunnel {route} with {cards}",
        tunnels.TunnelCardTurned: "Turned up: {card}",
        tunnels.TunnelCostRaised: "The tunnel asks for {extra card} more",
        tunnels.TunnelWithdrawn: "{seat} withdraws from the tunnel",
    },
    jumps={tunnels.TunnelAttempted: "tunnels"},
    routes={"tunnel": Sign(says=WORDS)},
    statistics=lambda board: {"tunnels": sum(map(tunnels.is_tunnel, board.routes))},
    drawing=Drawing(
        key=key,
        edge=lambda route: EDGE if tunnels.is_tunnel(route) else "",
        says=lambda route: ", tunnel" if tunnels.is_tunnel(route) else "",
    ),
    exported=(
        Exported(
            "tunnel_turned",
            tuple,
            "the cards turned for a tunnel, where it was tried",
            turned_cards,
        ),
        Exported(
            "tunnel_extra",
            int,
            "how many cards more the tunnel asked for; 0 where it asked for none",
            extra_cards,
        ),
        Exported(
            "tunnel_outcome",
            str,
            "`claimed`, `withdrawn` or `undecided`, of a tunnel that was tried, paid or given up",
            outcome_of,
        ),
    ),
)
