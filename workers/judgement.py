"""Judge a decision of a finished game: the values of its sensible actions by playouts, the best
action by ``expert``, and the cost of the action played. It is judged from the view that its seat
had, so only by what the seat could know."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, NamedTuple

import numpy as np
from fogg_client.types import Action, Board, View

from domain.analysis import JudgedDecision
from workers.bots.search.searching import GAMES, MIN_WORLDS, Clock, searcher

SURE = 1.96  # standard errors on each side of a 95 % interval


class Judged(NamedTuple):
    """An action and the result of its playouts. All actions were tried in the same worlds.

    ``margin`` is the seat's mean lead over the best rival at the end, in points, and ``error`` its
    standard error. ``won`` is the share of worlds in which it wins (a tie counts half). ``cost`` is
    how many points the action loses against the first row, and ``cost_error`` the standard error of
    that difference.
    """

    action: Action
    margin: float
    error: float
    won: float
    cost: float
    cost_error: float
    worlds: int


def judge(
    board: Board,
    view: View,
    rng: Random,
    *,
    seconds: float = 1.0,
    worlds: int = 0,
    played: Action | None = None,
    meanwhile: Callable[[], float] = float,
) -> list[Judged]:
    """Return the sensible legal actions of the seat whose view this is, best margin first.

    ``board`` is the table from the API, ``view`` the view of a seat that has to decide. Only what
    the view shows is used. ``worlds`` is how many worlds are tried; if it is 0, as many as
    ``seconds`` of processor time allow, and at least 8. ``played`` is an action that is judged in
    any case. A view without legal actions has no rows. ``meanwhile`` is called again and again,
    and returns the processor time that it took, which is not counted.
    """
    if not view["you"]["legal_actions"]:
        return []
    random = np.random.default_rng(rng.getrandbits(64))
    with searcher(board, len(view["seats"])) as search:
        search.look(view, random)
        clock = Clock(meanwhile)
        end = clock() + seconds
        style = search.best_style(random, clock, end, worlds)
        options = search.options(style, *(() if played is None else (search.number(played),)))
        actions = [search.action(number) for number in options.tolist()]
        alive, values = np.arange(len(options)), np.empty((0, len(options)))
        while len(values) < (worlds or MIN_WORLDS) or not (worlds or clock() >= end):
            most = worlds - len(values) if worlds else GAMES
            leads = search.try_out(options, np.full(len(options), style), alive, random, most)
            values = np.concatenate((values, leads))
    order = np.argsort(-values.mean(axis=0), kind="stable")
    gaps = values[:, order[:1]] - values
    count = len(values)
    errors, gap_errors = (table.std(axis=0, ddof=1) / np.sqrt(count) for table in (values, gaps))
    won = (np.sign(values).mean(axis=0) + 1) / 2
    return [
        Judged(
            actions[i],
            float(values[:, i].mean()),
            float(errors[i]),
            float(won[i]),
            float(gaps[:, i].mean()),
            float(gap_errors[i]),
            count,
        )
        for i in order
    ]


def judged(
    board: Board,
    version: int,
    view: View,
    action: dict[str, Any],
    rng: Random,
    *,
    seconds: float,
    worlds: int = 0,
    meanwhile: Callable[[], float] = float,
) -> JudgedDecision:
    """Judge the action that the view's seat played, in so many CPU ``seconds`` or, if that is not
    0, in so many ``worlds``, at least 8. ``version`` is that of the action's entry. ``meanwhile``
    is as for ``judge``."""
    posted = {name: value for name, value in action.items() if name != "note"}
    listed = next(
        (one for one in view["you"]["legal_actions"] if _sorted(one) == _sorted(posted)), None
    )  # a resignation is not
    played: Any = listed or posted
    rows = judge(
        board, view, rng, seconds=seconds, worlds=worlds, played=listed, meanwhile=meanwhile
    )
    mine = next((row for row in rows if _sorted(row.action) == _sorted(played)), None)
    best: Any = rows[0].action if rows and rows[0] != mine else played
    row: JudgedDecision = {
        "version": version,
        "seat": view["you"]["seat"],
        "played": played,
        "best": best,
    }
    if mine:
        row["cost"] = round(mine.cost, 2)
        row["interval"] = [round(mine.cost + way * SURE * mine.cost_error, 2) for way in (-1, 1)]
        row["win"] = round(mine.won, 3)
    return row


def _sorted(action: Mapping[str, Any]) -> dict[str, Any]:
    """Return an action with its tickets sorted, as they may come in any order."""
    return {
        name: sorted(value) if isinstance(value, list) else value for name, value in action.items()
    }
