"""Judge a decision of a finished game: the best action by ``expert``, and the cost of the action
played. It is judged from the view that its seat had, so only by what the seat could know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from fogg_client.types import Board, View

from domain.analysis import JudgedDecision
from workers.bots.judging import judge

SURE = 1.96  # standard errors on each side of a 95 % interval


def judged(board: Board, version: int, view: View, action: dict[str, Any], rng: Random, *,
           seconds: float, worlds: int = 0,
           meanwhile: Callable[[], float] = float) -> JudgedDecision:
    """Judge the action that the view's seat played, in so many CPU ``seconds`` or, if that is not
    0, in so many ``worlds``, at least 8. ``version`` is that of the action's entry. ``meanwhile``
    is as for ``judge``."""
    posted = {name: value for name, value in action.items() if name != "note"}
    listed = next((one for one in view["you"]["legal_actions"]
                   if _sorted(one) == _sorted(posted)), None)  # a resignation is not
    played: Any = listed or posted
    rows = judge(board, view, rng, seconds=seconds, worlds=worlds, played=listed,
                 meanwhile=meanwhile)
    mine = next((row for row in rows if _sorted(row.action) == _sorted(played)), None)
    best: Any = rows[0].action if rows and rows[0] != mine else played
    row: JudgedDecision = {
        "version": version, "seat": view["you"]["seat"], "played": played, "best": best}
    if mine:
        row["cost"] = round(mine.cost, 2)
        row["interval"] = [round(mine.cost + way * SURE * mine.cost_error, 2) for way in (-1, 1)]
        row["win"] = round(mine.won, 3)
    return row


def _sorted(action: Mapping[str, Any]) -> dict[str, Any]:
    """Return an action with its tickets sorted, as they may come in any order."""
    return {name: sorted(value) if isinstance(value, list) else value
            for name, value in action.items()}
