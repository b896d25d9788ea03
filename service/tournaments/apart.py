"""Pair rounds in a child process, so that a web process can answer meanwhile.

``python -m service.tournaments.apart`` reads a state and a command, and writes the events.
"""

import pickle
import subprocess
import sys
from contextlib import suppress

from domain.errors import Refused
from domain.tournament.commands import PairRound
from domain.tournament.events import TournamentEvent
from domain.tournament.fold import decide
from domain.tournament.rounds import is_search
from domain.tournament.state import Tournament


def decide_apart(state: Tournament, command: object) -> list[TournamentEvent]:
    """Return a command's events, none if it is refused. Decide in a child process if that takes a
    search; raise SubprocessError if that fails."""
    if isinstance(command, PairRound) and is_search(state, command.at):
        child = subprocess.run([sys.executable, "-P", "-m", __name__], check=True, timeout=60,
                               input=pickle.dumps((state, command)), stdout=subprocess.PIPE)
        return pickle.loads(child.stdout)
    return _decide(state, command)


def _decide(state: Tournament, command: object) -> list[TournamentEvent]:
    with suppress(Refused):
        return decide(state, command)
    return []


if __name__ == "__main__":
    pickle.dump(_decide(*pickle.load(sys.stdin.buffer)), sys.stdout.buffer)
