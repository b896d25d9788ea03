"""The turning point of a finished game and each seat's costliest moves, from its judged decisions.
``workers.judgement`` judges them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NotRequired, TypedDict

MOST_COSTLIEST = 3  # moves named for each seat


class JudgedDecision(TypedDict):
    """A decision of a finished game, judged by ``expert`` from the view of its seat. ``cost``,
    ``interval`` and ``win`` are missing for a resignation."""

    version: int  # of the entry that it became
    seat: int
    played: dict[str, Any]  # the action
    best: dict[str, Any]  # the action with the largest mean lead in ``expert``'s playouts
    cost: NotRequired[float]  # points of final lead that ``played`` loses compared with ``best``
    interval: NotRequired[list[float]]  # the 95 % interval of the cost: its two ends
    win: NotRequired[float]  # the seat's chance of winning after it played, from 0 to 1


def summary(decisions: Sequence[JudgedDecision], ranks: Sequence[int]) -> dict[str, Any]:
    """Return ``turning_point`` and ``costliest`` of a game whose decisions were all judged; the
    seats have these ranks at its end."""
    winners = {seat for seat, rank in enumerate(ranks) if rank == 1}
    return {"turning_point": turning_point(decisions, winners),
            "costliest": {str(seat): costliest(decisions, seat) for seat in range(len(ranks))}}


def turning_point(decisions: Iterable[JudgedDecision], winners: Collection[int]) -> int | None:
    """Return the version since which a winner's chance of winning was larger than everybody
    else's, None if it was not at the end. A seat's chance is the one after its last decision."""
    chances: dict[int, float] = {}
    since = None
    for row in decisions:
        if "win" not in row:
            continue
        chances[row["seat"]] = row["win"]
        if _best(chances, chances.keys() & winners) <= _best(chances, chances.keys() - winners):
            since = None
        elif since is None:
            since = row["version"]
    return since


def _best(chances: dict[int, float], seats: Collection[int]) -> float:
    return max((chances[seat] for seat in seats), default=0.0)


def costliest(decisions: Iterable[JudgedDecision], seat: int) -> list[int]:
    """Return the versions of a seat's costliest moves, the costliest first; only moves whose cost
    is certain: its interval is above 0."""
    costs = [(-row["cost"], row["version"]) for row in decisions
             if row["seat"] == seat and "cost" in row and row["interval"][0] > 0]
    return [version for _, version in sorted(costs)[:MOST_COSTLIEST]]
