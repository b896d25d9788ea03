"""What a board is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

WILD = "wild"
GREY = "grey"
UNDER_THE_DECK, REMOVED = "under the deck", "removed"  # where tickets refused at the start go


@dataclass(frozen=True)
class Location:
    """A place that routes connect: degrees north and east; ``marks`` are what rules print on it."""

    id: str
    name: str
    lat: float
    lon: float
    marks: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Route:
    """A railway between two locations, ``length`` spaces long; ``color`` may be ``grey``.

    ``twin`` is the index of the other track of a double route (4.2), if it is one; ``marks`` are
    what rules print on it.
    """

    id: str
    a: str
    b: str
    length: int
    color: str
    twin: int | None
    marks: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Ticket:
    """Two locations to connect for ``points``, which count against whoever fails to (5.3)."""

    id: str
    a: str
    b: str
    points: int
    long: bool = False  # only dealt at the start (2.2)


@dataclass(frozen=True)
class Offer:
    """How many tickets are dealt, long ones beside the others, and how many of them must be kept
    at least (2.2, 5.1)."""

    deal: int
    keep: int
    long: int = 0
