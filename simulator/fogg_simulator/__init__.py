"""An exact, compiled simulator of Fogg's games, for learning, search and analysis."""

from fogg_simulator.simulator import IllegalAction, Simulator
from fogg_simulator.tables import NotCompiled

__all__ = ["IllegalAction", "NotCompiled", "Simulator"]
