"""Parameters of a seat's play in a playout: the planner's, and the expert's.

The expert's were optimised by evolution (CMA-ES): styles played thousands of two-player playouts
against the planner's, on USA and Europe, for the mean margin.
"""

from __future__ import annotations

import numpy as np

from workers.bots import costs, paying, plan, planner, position

# (planner, expert); the planner's modules describe those that it has, too
_STYLES = {
    "TURN": (costs.TURN, 1.78),
    "CARD": (costs.CARD, 0.51),
    "HELD": (costs.HELD, 0.0),
    "CROWD": (costs.CROWD, 0.68),
    "LEAST": (costs.LEAST, 1.28),
    "THRIFT": (plan.THRIFT[1], 0.6),
    "MORE_THRIFT": (plan.THRIFT[2], 2.7),
    "WASTE": (plan.WASTE, 1.26),
    "LINK": (plan.LINK, 2.21),
    "LACKING": (planner.LACKING, 0.54),
    "FERRY": (planner.FOR_A_FERRY, 1.0),
    "SECOND": (planner.SECOND_CARD, 0.18),
    "LONG": (planner.LONG, 10.5),
    "RESERVE": (planner.RESERVE, 6.7),
    "NEARLY": (planner.NEARLY_DONE, 3.75),
    "PER_CLAIM": (position.TRAINS_A_CLAIM, 3.55),
    "FOR_NEEDED": (paying.NEEDED, 1.0),
    "FOR_EXTRA": (paying.FOR_EXTRA, 0.41),
    "FOR_NOTHING": (paying.FOR_NOTHING, 0.23),
    "WILD": (paying.A_WILD, 1.77),
    "TICKETS": (1.0, 0.79),  # turns that new tickets must be worth
    "SLACK": (0.0, -3.19),  # added to the turns left that the rivals' trains and cards suggest
    "KEEPING": (1.0, 1.08),  # share of the paths' costs that counts against tickets
    "RATE": (0.5, 0.39),  # turns for a missing card, in choosing routes for points
    "WAIT": (0.0, 17.9),  # needed routes below this urgency are not claimed yet ...
    "HAND": (100.0, 34.0),  # ... while there are at most so many cards in hand
    "BLOCK": (0.0, 1.04),  # points for cutting a rival's path by a route for points
    "URGENT": (0.5, 0.0),  # weight of rivals' routes near a route, in its urgency
    "LATE": (1.0, 1.4),  # turns left in which only immediate points count
}
PLANNER, EXPERT = (np.array(column, np.float64) for column in zip(*_STYLES.values(), strict=True))
(TURN, CARD, HELD, CROWD, LEAST, THRIFT, MORE_THRIFT, WASTE, LINK, LACKING, FERRY, SECOND, LONG,
 RESERVE, NEARLY, PER_CLAIM, FOR_NEEDED, FOR_EXTRA, FOR_NOTHING, WILD, TICKETS, SLACK, KEEPING,
 RATE, WAIT, HAND, BLOCK, URGENT, LATE) = range(len(_STYLES))
