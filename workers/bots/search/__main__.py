"""Compile everything that is not compiled yet. With ``--beside``, work for another process: at low
priority, and only until that process closes the other end of stdin."""

import os
import signal
import sys
from threading import Thread

from workers.bots import search


def _end_with_the_other() -> None:
    while os.read(0, 1):  # unbuffered: a buffer might be locked at exit
        pass
    os._exit(1)


if "--beside" in sys.argv:
    os.nice(19)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to both processes
    Thread(target=_end_with_the_other, daemon=True).start()
elif why := None if search.is_compiled() else search.hindrance():
    sys.exit(f"the expert cannot be compiled: {why}")
elif not search.is_compiled():
    print("compiling the expert, once: this takes half a minute", file=sys.stderr)
search.load()
