"""The turning point of a finished game and each seat's costliest moves, from its judged decisions.
``workers.judgement`` judges them."""

from collections.abc import Collection, Iterable, Sequence
from typing import Annotated, NotRequired, TypedDict

from domain.described import PlayedAction, Positive, SignedOrNull

MOST_COSTLIEST = 3  # moves named for each seat


class JudgedDecision(TypedDict):
    """A decision, judged from the view that its seat had. `cost`, `interval` and `win` are missing
    for a resignation."""

    version: Annotated[Positive, "The version of the entry that the decision became."]
    seat: Annotated[int, "The seat that decided."]
    played: Annotated[PlayedAction, "The action that was played."]
    best: Annotated[PlayedAction, "The action with the largest mean lead in playouts of `expert`."]
    cost: NotRequired[
        Annotated[
            float,
            "Points of final lead over the best rival that the action played loses, compared "
            "with `best`, on average over possible worlds.",
        ]
    ]
    interval: NotRequired[
        Annotated[
            list[float],
            {"minItems": 2, "maxItems": 2},
            "The 95 % interval of the cost: its lower and its upper end.",
        ]
    ]
    win: NotRequired[
        Annotated[
            float,
            "The seat's chance of winning after its action, as far as it could know, from 0 to 1.",
        ]
    ]


class Summary(TypedDict, total=False):
    """What follows from all judged decisions of a game."""

    turning_point: Annotated[
        SignedOrNull,
        "Once it is done: the version since which the winner's chance of winning was "
        "larger than everybody else's, each as of the seat's last decision; null if it was not at "
        "the end.",
    ]
    costliest: Annotated[
        dict[str, list[int]],
        "Once it is done, by seat: the versions of its "
        f"{MOST_COSTLIEST} costliest moves, the costliest first; only moves whose interval is "
        "above 0.",
    ]


def summary(decisions: Sequence[JudgedDecision], ranks: Sequence[int]) -> Summary:
    """Return ``turning_point`` and ``costliest`` of a game whose decisions were all judged; the
    seats have these ranks at its end."""
    winners = {seat for seat, rank in enumerate(ranks) if rank == 1}
    return {
        "turning_point": turning_point(decisions, winners),
        "costliest": {str(seat): costliest(decisions, seat) for seat in range(len(ranks))},
    }


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
    """Return the versions of a seat's moves with a cost certainly above 0, the costliest first."""
    costs = [
        (-row["cost"], row["version"])
        for row in decisions
        if row["seat"] == seat and "cost" in row and row["interval"][0] > 0
    ]
    return [version for _, version in sorted(costs)[:MOST_COSTLIEST]]
