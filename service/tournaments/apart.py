"""Pair rounds in a child process, so that a web process can answer meanwhile.

``python -m service.tournaments.apart`` reads a state and the time, and writes the events.
"""

import pickle
import subprocess
import sys

from domain.tournament.events import TournamentEvent
from domain.tournament.fold import pair_round
from domain.tournament.rounds import is_search
from domain.tournament.state import Tournament


def pair_apart(state: Tournament, at: str) -> list[TournamentEvent]:
    """Pair the round that is next after one that is over, in a child process if that takes a
    search. Raise SubprocessError if that fails, and Refused before the round's time."""
    if is_search(state, at):
        child = subprocess.run(
            [sys.executable, "-P", "-m", __name__],
            check=True,
            timeout=60,
            input=pickle.dumps((state, at)),
            stdout=subprocess.PIPE,
        )
        return pickle.loads(child.stdout)
    return pair_round(state, at)


if __name__ == "__main__":
    pickle.dump(pair_round(*pickle.load(sys.stdin.buffer)), sys.stdout.buffer)
