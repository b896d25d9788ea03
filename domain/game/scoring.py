"""The final scoring and the ranking (7), from the numbers of the rules."""

from collections.abc import Sequence
from typing import Annotated, NotRequired, TypedDict

from domain.described import Positive, Signed
from domain.game.events import Result
from domain.game.state import State


class ResultJson(TypedDict):
    """A seat's final result. Its points add up to `total`."""

    total: Annotated[Signed, "The total."]
    rank: Annotated[Positive, "1 is the winner; equals share a rank (7.4)."]


class SeatRow(TypedDict):
    """A seat of a game that is over, as ``domain.facts`` has it, with its result beside it."""

    seat: int
    player: str | None
    name: str | None
    bot: str | None
    bot_version: str | None
    is_built_in: bool
    reason_left: str | None
    is_first: bool
    decisions: int
    milliseconds: int
    tickets_kept: NotRequired[int]


def results(state: State) -> tuple[Result, ...]:
    """Return each seat's parts, total, other numbers and rank (1 is best, equals share a rank).
    Their order is that of the stored text, so that a view of the result has one form."""
    rules, seats = state.board.ruleset, state.seats
    numbers: dict[str, Sequence[int]] = {n.name: (0,) * len(seats) for n in rules.numbers}
    for rule in rules.in_force:
        if rule.scores:
            numbers |= rule.scores(state, numbers)
    parts = [n.name for n in rules.numbers if n.adds]
    others = [n.name for n in rules.numbers if not n.adds]
    scored = [
        {name: numbers[name][seat] for name in parts}
        | {"total": sum([numbers[name][seat] for name in parts])}
        | {name: numbers[name][seat] for name in others}
        for seat in seats
    ]
    keys = [_key(state, seat, scored[seat]) for seat in seats]
    for result, key in zip(scored, keys, strict=True):
        result["rank"] = 1 + sum([other > key for other in keys])
    return tuple([dict(sorted(result.items())) for result in scored])


def _key(state: State, seat: int, result: Result) -> tuple[int, ...]:
    """Return a seat's sort key: whether it stayed, points, the board's tie-breaks (7.4, 8.2)."""
    stayed = len(state.players) if seat not in state.leavers else state.leavers.index(seat)
    return (stayed, result["total"], *(result.get(part, 0) for part in state.board.tie_breaks))
