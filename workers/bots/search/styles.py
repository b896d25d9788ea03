"""The style of a seat in playouts, as numbers: the planner's and the expert's.

A style has a row for each parameter. The first number is its value in a typical position; the
others are what each sign of the position adds to it (``adapting`` computes the signs). The
planner's parameters do not depend on signs.

The expert's styles were evolved in hundreds of thousands of games against planners; see
docs/built-in-bots.md.
"""

import json
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from workers.bots import costs, paying, plan, planner, position

Style = NDArray[np.float64]

SIGNS = 10
EVOLVED = Path(__file__).with_name("evolved.json")
# The planner's parameters; its modules describe those that it names.
_PLANNER = {
    "TURN": costs.TURN,
    "CARD": costs.CARD,
    "HELD": costs.HELD,
    "CROWD": costs.CROWD,
    "LEAST": costs.LEAST,
    "THRIFT": plan.THRIFT[1],
    "MORE_THRIFT": plan.THRIFT[2],
    "WASTE": plan.WASTE,
    "LINK": plan.LINK,
    "LACKING": planner.LACKING,
    "FERRY": planner.FOR_A_FERRY,
    "SECOND": planner.SECOND_CARD,
    "LONG": planner.LONG,
    "RESERVE": planner.RESERVE,
    "NEARLY": planner.NEARLY_DONE,
    "PER_CLAIM": position.TRAINS_A_CLAIM,
    "FOR_NEEDED": paying.NEEDED,
    "FOR_EXTRA": paying.FOR_EXTRA,
    "FOR_NOTHING": paying.FOR_NOTHING,
    "WILD": paying.A_WILD,
    "TICKETS": 1.0,  # turns that new tickets must be worth
    "SLACK": 0.0,  # added to the expected turns, in choosing when to claim and to build
    "KEEPING": 1.0,  # share of the paths' costs that counts against tickets
    "RATE": 0.5,  # turns for a missing card, in choosing routes for points
    "WAIT": 0.0,  # needed routes below this urgency are not claimed yet ...
    "HAND": 100.0,  # ... while there are at most so many cards in hand
    "BLOCK": 0.0,  # points for cutting a rival's path by a route for points
    "URGENT": 0.5,  # weight of rivals' routes near a route, in its urgency
    "LATE": 1.0,  # turns left in which only immediate points count
    "DISTRICT": costs.DISTRICT,
    "BLIND": 0.0,  # added to the value of the top card of the deck
    "TEMPO": 0.0,  # points for each train of a route for points
    "FINISH": 2.0,  # turns to spare, with which one may wait
    "SPARED": 0.0,  # wilds that are kept when a route for points is claimed
    "LAST_CARD": 0.0,  # added to the value of the last card that a route lacks
    "LENGTHS": 0.0,  # added to the value of a card, for each card that its route takes
    "SHARED": 0.0,  # share of a card's value for one route that is added to that for another
    "PLANNING": 0.0,  # added to the expected turns, in planning for tickets and keeping them
    "WANTING": 0.0,  # added to the expected turns, in wanting more tickets
}
(
    TURN,
    CARD,
    HELD,
    CROWD,
    LEAST,
    THRIFT,
    MORE_THRIFT,
    WASTE,
    LINK,
    LACKING,
    FERRY,
    SECOND,
    LONG,
    RESERVE,
    NEARLY,
    PER_CLAIM,
    FOR_NEEDED,
    FOR_EXTRA,
    FOR_NOTHING,
    WILD,
    TICKETS,
    SLACK,
    KEEPING,
    RATE,
    WAIT,
    HAND,
    BLOCK,
    URGENT,
    LATE,
    DISTRICT,
    BLIND,
    TEMPO,
    FINISH,
    SPARED,
    LAST_CARD,
    LENGTHS,
    SHARED,
    PLANNING,
    WANTING,
) = range(len(_PLANNER))
PARAMETERS = len(_PLANNER)
PLANNER = np.zeros((PARAMETERS, 1 + SIGNS))
PLANNER[:, 0] = [*_PLANNER.values()]

# Below these values the search for paths would have no end, or a number of turns no meaning.
LOWEST = np.full(PARAMETERS, -np.inf)
LOWEST[[TURN, CARD, THRIFT, MORE_THRIFT]] = 0.0
LOWEST[LEAST], LOWEST[PER_CLAIM] = 0.05, 0.5


def evolved(name: str) -> Style:
    rows = json.loads(EVOLVED.read_text())[name]
    return np.array([rows[parameter] for parameter in _PLANNER], np.float64)


# Where routes are long: for two players, and for more; and where they are short
EXPERT, EXPERT_OF_MORE, EXPERT_SHORT = map(evolved, ("two_players", "more_players", "short_routes"))


def changed(style: Style, by: dict[int, float]) -> Style:
    style = style.copy()
    style[[*by], 0] = [*by.values()]
    return style


@cache
def units() -> Style:
    """Return, for each number of a style, a step that noticeably changes a seat's play."""
    base = np.maximum(np.abs(EXPERT[:, 0]), np.abs(PLANNER[:, 0])) * 0.35 + 0.15
    for parameter, unit in (
        (HAND, 8.0),
        (WAIT, 6.0),
        (SLACK, 2.0),
        (PLANNING, 2.0),
        (WANTING, 2.0),
        (LATE, 0.5),
        (TEMPO, 0.5),
        (SPARED, 0.7),
        (LENGTHS, 0.07),
        (SHARED, 0.07),
    ):
        base[parameter] = unit
    return base[:, None] * np.array([1.0, *[2.0] * SIGNS])


def varied(style: Style, size: float, random: np.random.Generator) -> Style:
    """Return a style changed at random; ``size`` is the standard deviation, in ``units``."""
    return style + size * units() * random.normal(size=style.shape)


def styles_for(is_long: bool, seats: int) -> Style:
    """Return the styles in which the expert may play on; the first is its usual one."""
    if not is_long:
        return np.stack((EXPERT_SHORT, PLANNER))
    expert = EXPERT if seats == 2 else EXPERT_OF_MORE
    return np.stack(
        (
            expert,
            PLANNER,
            changed(expert, {LONG: 4.0}),  # claims also shorter routes for points first
            changed(PLANNER, {WAIT: 8.0, HAND: 30.0}),  # waits
        )
    )


def mixed(numbers: NDArray[np.int64], seats: int) -> NDArray[np.int64]:
    """Return a row of ``seats`` zeros and ones for each number. In the rows of numbers that follow
    one another, all combinations occur equally often."""
    rows: NDArray[np.int64] = numbers[:, None] // 2 ** np.arange(seats) % 2
    return rows


def rivals_for(is_long: bool, seats: int) -> Style:
    return np.stack((PLANNER, styles_for(is_long, seats)[0]))
