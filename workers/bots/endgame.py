"""The last turn: only the final score counts."""

from __future__ import annotations

from fogg_client.types import BuildStationAction, ClaimRouteAction

from workers.bots.costs import STATION
from workers.bots.gains import FLAG
from workers.bots.position import Position, homes_after

BOTH_WAYS = 2  # the points of an incomplete ticket are lost as well as not won
Last = ClaimRouteAction | BuildStationAction


def best_last(actions: list[Last], position: Position) -> Last | None:
    known: dict[tuple[object, ...], float] = {}

    def worth(action: Last) -> float:
        same = (action.get("route"), action.get("location"), action.get("keep_for_flag"))
        if same not in known:
            known[same] = adds(action, position)
        return known[same]

    best = max(actions, key=worth, default=None)
    return best if best and worth(best) > 0 else None


def adds(action: Last, position: Position) -> float:
    """Return the gain of an action for the final score, if it is the seat's last."""
    if action["type"] == "build_station":
        lent = position.routes_of_others_at(action["location"])
        best = max([_tickets(position, homes_after(position.home, [route])) for route in lent],
                   default=0)
        return best - STATION
    route = position.board.routes[action["route"]]
    home = homes_after(position.home, [route])
    completed = sum([points for points, apart in position.districts
                     if len({home[place] for place in apart}) == 1])
    completes_flag = action.get("keep_for_flag") and len(position.flag_lacks) == 1
    return route.points + completed + _tickets(position, home) + (FLAG if completes_flag else 0)


def _tickets(position: Position, home: dict[str, str]) -> int:
    return BOTH_WAYS * (position.points_completed(home) - position.points_completed(position.home))
