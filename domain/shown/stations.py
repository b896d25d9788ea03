"""How stations are shown (6)."""

from collections.abc import Iterable, Iterator

from domain.codec import Json
from domain.drawing.layout import Layout
from domain.drawing.marks import INK, Drawing, badge, paint
from domain.rules.stations import RULE, StationBuilt
from domain.shown.shown import Shown


def over(view: Json, plan: Layout) -> Iterator[str]:
    for station in view.get("stations", ()):
        at, seat = plan.spots[station["location"]], station["seat"]
        yield (
            f'<rect data-station="{seat}" x="{at.real - 11:.1f}" y="{at.imag - 11:.1f}" width="22" '
            f'height="22" rx="4" fill="{paint(seat)}" stroke="{INK}" stroke-width="2"/>'
        )
        yield badge(at, seat, 7)


def seat_says(seat: Json) -> Iterable[str]:
    return [f"{seat['stations']} stations"] if "stations" in seat else []


SHOWN = Shown(
    rule=RULE,
    number="6",
    says="Each player has {stations station}: each that is built lends a route of somebody else's "
    "for tickets, each that is left is worth 4 points.",
    events={StationBuilt: "{seat} builds a station in {location} with {cards}"},
    jumps={StationBuilt: "stations"},
    seats={"stations": "{stations station}"},
    drawing=Drawing(over=over, seat_says=seat_says),
)
