"""What a board is made of, and the words of its table that the rules know."""

from __future__ import annotations

from dataclasses import dataclass

WILD = "wild"
GREY = "grey"
FLAG = ("blue", "white", "red")
UNDER_THE_DECK, REMOVED = "under the deck", "removed"  # where tickets refused at the start go
# what a table may add to the common rules
RULES = ("longest_path", "ferries", "tunnels", "stations", "districts", "flags")
# parts of a result, more is better
TIE_BREAKS = ("tickets_completed", "longest_path_length", "longest_path", "stations")


@dataclass(frozen=True)
class Location:
    """A place that routes connect: degrees north and east, and its district, if any (7.3)."""

    id: str
    name: str
    lat: float
    lon: float
    district: int | None = None


@dataclass(frozen=True)
class Route:
    """A railway between two locations, ``length`` spaces long; ``color`` may be ``grey``.

    ``twin`` is the index of the other track of a double route (4.2), if it is one.
    """

    id: str
    a: str
    b: str
    length: int
    color: str
    twin: int | None
    tunnel: bool = False  # (4.4)
    ferry: int = 0  # wilds needed (4.3)


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
