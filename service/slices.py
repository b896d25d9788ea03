"""Cooperative scheduling for long computations."""

import time

WORK_S, PAUSE_S = 0.002, 0.0005  # seconds of work without I/O, seconds of the pause after it


class Slices:
    """Cuts a long computation into slices: other greenlets run only while this one waits, so it
    sleeps after each. (A sleep of 0 s does not let in greenlets that wait for the network.)"""

    def __init__(self) -> None:
        self._since = time.perf_counter()

    def pause(self) -> None:
        """Sleep for a moment if other greenlets are due."""
        if time.perf_counter() - self._since > WORK_S:
            time.sleep(PAUSE_S)
            self._since = time.perf_counter()
