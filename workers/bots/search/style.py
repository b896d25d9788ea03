"""Parameters of a seat's play in a playout: the planner's, and the expert's.

The expert's were optimised by evolution (CMA-ES): styles played thousands of two-player playouts
against the planner's for the mean margin, on USA and Europe, and on London and Paris.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workers.bots import costs, gains, paying, plan, planner, position

Style = NDArray[np.float64]

# (planner, expert, expert on boards with short routes); the planner's modules describe those that
# it has, too
_STYLES = {
    "TURN": (costs.TURN, 1.78, 2.43),
    "CARD": (costs.CARD, 0.51, 0.35),
    "HELD": (costs.HELD, 0.0, 0.37),
    "CROWD": (costs.CROWD, 0.68, -0.11),
    "LEAST": (costs.LEAST, 1.28, 1.77),
    "THRIFT": (plan.THRIFT[1], 0.6, 0.64),
    "MORE_THRIFT": (plan.THRIFT[2], 2.7, 2.36),
    "WASTE": (plan.WASTE, 1.26, 1.57),
    "LINK": (plan.LINK, 2.21, 1.59),
    "LACKING": (planner.LACKING, 0.54, 0.95),
    "FERRY": (planner.FOR_A_FERRY, 1.0, 0.14),
    "SECOND": (planner.SECOND_CARD, 0.18, 0.69),
    "LONG": (planner.LONG, 10.5, 3.32),
    "RESERVE": (planner.RESERVE, 6.7, 6.97),
    "NEARLY": (planner.NEARLY_DONE, 3.75, 1.82),
    "PER_CLAIM": (position.TRAINS_A_CLAIM, 3.55, 5.38),
    "FOR_NEEDED": (paying.NEEDED, 1.0, 1.05),
    "FOR_EXTRA": (paying.FOR_EXTRA, 0.41, 0.59),
    "FOR_NOTHING": (paying.FOR_NOTHING, 0.23, 0.16),
    "WILD": (paying.A_WILD, 1.77, 1.25),
    "TICKETS": (1.0, 0.79, 0.5),  # turns that new tickets must be worth
    "SLACK": (0.0, -3.19, 3.86),  # added to the turns left that rivals' trains and cards suggest
    "KEEPING": (1.0, 1.08, 0.84),  # share of the paths' costs that counts against tickets
    "RATE": (0.5, 0.39, 0.31),  # turns for a missing card, in choosing routes for points
    "WAIT": (0.0, 17.9, -7.85),  # needed routes below this urgency are not claimed yet ...
    "HAND": (100.0, 34.0, 26.55),  # ... while there are at most so many cards in hand
    "BLOCK": (0.0, 1.04, 0.64),  # points for cutting a rival's path by a route for points
    "URGENT": (0.5, 0.0, 0.59),  # weight of rivals' routes near a route, in its urgency
    "LATE": (1.0, 1.4, 1.14),  # turns left in which only immediate points count
    "DISTRICT": (gains.DISTRICT, 0.5, 0.99),
}
PLANNER, EXPERT, EXPERT_SHORT = (
    np.array(column, np.float64) for column in zip(*_STYLES.values(), strict=True))
(TURN, CARD, HELD, CROWD, LEAST, THRIFT, MORE_THRIFT, WASTE, LINK, LACKING, FERRY, SECOND, LONG,
 RESERVE, NEARLY, PER_CLAIM, FOR_NEEDED, FOR_EXTRA, FOR_NOTHING, WILD, TICKETS, SLACK, KEEPING,
 RATE, WAIT, HAND, BLOCK, URGENT, LATE, DISTRICT) = range(len(_STYLES))


def changed(style: Style, by: dict[int, float]) -> Style:
    """Return a style with other values of some parameters."""
    style = style.copy()
    style[[*by]] = [*by.values()]
    return style


# The styles in which the expert may play a game to its end; the first is its usual one.
LONG_STYLES = np.stack((
    EXPERT,
    PLANNER,
    changed(EXPERT, {WAIT: 8.0}),  # waits less
    changed(EXPERT, {WAIT: 30.0, HAND: 50.0}),  # waits more
    changed(EXPERT, {LONG: 4.0}),  # claims also shorter routes for points first
    changed(PLANNER, {WAIT: 8.0, HAND: 30.0}),  # waits
))
SHORT_STYLES = np.stack((EXPERT_SHORT, PLANNER))
