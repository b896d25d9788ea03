"""Decide in a child process, so that a web process can answer meanwhile.

``python -m service.tournaments.apart`` reads a state and a command, and writes the events.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from contextlib import suppress

from domain.errors import Refused
from domain.tournament.events import TournamentEvent
from domain.tournament.fold import decide
from domain.tournament.state import Tournament


def decide_apart(state: Tournament, command: object) -> list[TournamentEvent]:
    """Return a command's events, none if it is refused. Raise SubprocessError if that fails."""
    child = subprocess.run([sys.executable, "-P", "-m", __name__], check=True, timeout=60,
                           input=pickle.dumps((state, command)), stdout=subprocess.PIPE)
    return pickle.loads(child.stdout)


if __name__ == "__main__":
    events: list[TournamentEvent] = []
    with suppress(Refused):
        events = decide(*pickle.load(sys.stdin.buffer))
    pickle.dump(events, sys.stdout.buffer)
