"""The parts of a board."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Way = tuple[str, str, int]  # two locations that complete a ticket, and the points
WILD = "wild"
GREY = "grey"
ANY = "any"  # in a payment: cards of any colours
UNDER_THE_DECK, REMOVED = "under the deck", "removed"  # where tickets go at the start


@dataclass(frozen=True)
class Location:
    """A place that routes connect, in degrees north and east; rules print ``marks`` on it."""

    id: str
    name: str
    lat: float
    lon: float
    marks: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Route:
    """A route between two locations, ``length`` spaces long; ``color`` may be ``grey``.

    ``twin`` is the index of the other track of a double route (4.2), or None; ``marks`` are what
    rules print on it."""

    id: str
    a: str
    b: str
    length: int
    color: str
    twin: int | None
    marks: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Ticket:
    """Two locations to connect for ``points``, which are subtracted if they stay unconnected (5.3).
    ``marks`` are what rules print on it."""

    id: str
    a: str
    b: str
    points: int
    long: bool = False  # dealt only at the start (2.2)
    marks: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Offer:
    """How many tickets are dealt, long and other ones, and how many must be kept at least (2.2,
    5.1)."""

    deal: int
    keep: int
    long: int = 0
