"""An exact, compiled simulator of Fogg's games, for learning, search and analysis."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fogg_simulator.limits import NotCompiled

if TYPE_CHECKING:
    from domain.board.board import Board
    from fogg_simulator.simulator import IllegalAction, Simulator

__all__ = ["Board", "IllegalAction", "NotCompiled", "Simulator"]


if not TYPE_CHECKING:  # else every name would have the type Any

    def __getattr__(name: str) -> Any:
        """Import the compiled engine when it is first used: a policy plays without it."""
        if name in __all__:
            return getattr(import_module("fogg_simulator.simulator"), name)
        raise AttributeError(f"{__name__} has no {name}")
