"""The recorder, a process: ``python -m service.records``."""

from __future__ import annotations

import signal
import threading

from service import settings
from service.api import wiring
from service.operation import loops
from service.records import log, unplayed
from service.records.recorder import Recorder
from service.records.tournaments import TournamentRecorder

SECONDS = 0.25  # between two looks for games that are over


def main() -> None:
    """Record games until a signal ends the process."""
    settings.check()
    is_over = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: is_over.set())
    games = wiring.services().games
    games.database.migrate()
    log.note_head(games, games.database)  # as Redis or the database may be restored from a backup
    tournaments = TournamentRecorder(games.tournaments, games.database)
    jobs = [loops.repeat("recorder", SECONDS, Recorder(games, games.database).run),
            loops.repeat("tournaments", 60.0, tournaments.run),
            loops.repeat("unplayed", 3600.0, lambda: unplayed.delete(games), first=60.0)]
    is_over.wait()
    for job in jobs:
        job.set()


if __name__ == "__main__":
    main()
