"""The built-in bots. A bot is made from a board's JSON and a random source, and has one method,
``choose(view) -> action``; it keeps nothing between calls but what it could compute again, so that
any worker can take over in the middle of a game."""

from __future__ import annotations

from workers.bots.expert import Expert
from workers.bots.greedy import Greedy
from workers.bots.planner import Planner
from workers.bots.uniform import Uniform

BOTS = {"random": Uniform, "greedy": Greedy, "planner": Planner, "expert": Expert}
