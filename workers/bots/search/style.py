"""How a seat plays in a playout, as numbers: the planner's own, and the expert's.

The expert's were found by evolution (CMA-ES): styles played thousands of playouts of two players
against the planner's, on USA and Europe, for the points by which they were ahead.
"""

from __future__ import annotations

import numpy as np

from workers.bots import costs, paying, plan, planner, position

# the planner's number and the expert's; what they are is said where the planner has them, or here
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
    "SLACK": (0.0, -3.19),  # turns to the end, beyond what the rivals' trains and cards say
    "KEEPING": (1.0, 1.08),  # the share of its ways' costs that counts in what tickets are worth
    "RATE": (0.5, 0.39),  # turns that a missing card takes, in choosing routes for points
    "WAIT": (0.0, 17.9),  # needed routes that are less urgent are not claimed yet ...
    "HAND": (100.0, 34.0),  # ... while there are no more cards in the hand than these
    "BLOCK": (0.0, 1.04),  # points for cutting a rival's way by a route for points
    "URGENT": (0.5, 0.0),  # rivals' routes near every route, in how urgent it is
    "LATE": (1.0, 1.4),  # turns left in which only what scores at once counts
}
PLANNER, EXPERT = (np.array(column, np.float64) for column in zip(*_STYLES.values(), strict=True))
(TURN, CARD, HELD, CROWD, LEAST, THRIFT, MORE_THRIFT, WASTE, LINK, LACKING, FERRY, SECOND, LONG,
 RESERVE, NEARLY, PER_CLAIM, FOR_NEEDED, FOR_EXTRA, FOR_NOTHING, WILD, TICKETS, SLACK, KEEPING,
 RATE, WAIT, HAND, BLOCK, URGENT, LATE) = range(len(_STYLES))
