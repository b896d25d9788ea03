"""Districts (7.3): the twin of ``domain.rules.districts``."""

from fogg_simulator.arrays import NONE
from fogg_simulator.compiled import inner
from fogg_simulator.rules import network


@inner
def district_points(board, game):
    """Return the numbers of the districts whose places are all connected in ``group``."""
    points = 0
    for district in range(board.districts):
        group, connected = NONE, True
        for location in range(board.locations):
            if board.district[location] == district:
                here = network.find(game.group, location)
                connected = connected and group in (NONE, here)
                group = here
        if connected:
            points += board.district_points[district]
    return points
