"""Plays games in both engines, the simulator's rules running as plain Python: ``NUMBA_DISABLE_JIT=1
python -m tests.simulator.uncompiled``. Exits with DIFFERS at the first difference.

Observations are compared, too. Small boards and decks come first, since what differs there is found
within seconds.
"""

from __future__ import annotations

import hmac
import sys
import traceback

import numpy as np
from fogg_simulator import arrays, simulator
from fogg_simulator.rules import chance

from domain.boards import load_folder
from tests.simulator.mutants import DIFFERS
from tests.simulator.test_observing import Observed
from tests.simulator.twins import STYLES, changed

BOARDS = load_folder()


def boards():
    """Yield boards with a number of seats and a style: where each rule soon has an effect."""
    london, paris, europe = (BOARDS[name] for name in ("london", "paris", "europe"))
    few = dict.fromkeys(europe.colors, 2)
    tiny = changed(
        europe, trains=12, cards=few | {"wild": 14}, hand=2,
        tie_breaks=["stations", "tickets_completed"])
    yield london, 4, "late deserter"
    yield tiny, 4, "hoarding quitter"
    wild = changed(europe, trains=20, cards=dict.fromkeys(europe.colors, 1) | {"wild": 40})
    for style in ("eager", "quitter", "traveller", "collector"):
        yield london, 2, style
        yield paris, 3, style
        yield tiny, 2, style
    yield wild, 2, "eager"
    yield wild, 3, "traveller"
    yield tiny, 5, "deserter"
    yield changed(europe, trains=3), 5, "deserter"
    yield changed(europe, trains=3), 5, "quitter"
    short = changed(europe, trains=15)
    yield short, 3, "quitter"
    yield short, 4, "eager"
    yield changed(london, trains=3, tie_breaks=[]), 4, "eager"
    yield changed(paris, trains=40, cards=dict.fromkeys(paris.colors, 3)), 2, "random"
    yield europe, 2, "eager"
    yield BOARDS["usa"], 2, "quitter"


def authenticate(game):
    """Do what the rules' function does, with Python's own HMAC: SHA-256 takes too long uncompiled.
    The other tests compare its compiled form."""
    key = game.key.astype(">u4").tobytes()
    for lane in range(arrays.LANES):
        words = game.words[:16, lane].astype(">u4")
        length = int(words[15]) // 8 - 64  # without the block of the key
        digest = hmac.digest(key, words.tobytes()[: max(0, length)], "sha256")
        game.state[:, lane] = np.frombuffer(digest, ">u4")


def main() -> None:
    """Play until something differs, or all is played."""
    # numba reads the fields of a record as attributes; so does Python, of numpy's recarrays
    types = {name: getattr(arrays, name) for name in ("board_type", "game_type")}
    for name, make in types.items():
        setattr(arrays, name, lambda size, make=make: np.dtype((np.record, make(size))))
    simulator.tables.board_type = arrays.board_type
    chance.authenticate = authenticate
    np.seterr(over="ignore")  # the words of SHA-256 wrap around
    for board, seats, style in boards():
        for seed in range(3):
            try:
                Observed(board, seats).play(seed, STYLES[style])
            except (AssertionError, ArithmeticError, LookupError, ValueError):
                traceback.print_exc()
                sys.exit(DIFFERS)


if __name__ == "__main__":
    main()
