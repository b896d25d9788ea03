"""Fast playouts, by which ``expert`` compares its options.

``styles``     how a seat plays, as numbers
``minds``      what seats keep in mind in a playout, and room to work in
``ways``       what routes cost a seat, and the cheapest ways that connect its tickets
``adapting``   how a style depends on the position
``plans``      the routes that a seat needs and wants for points, the tickets that it keeps
``policy``     what every seat does in a playout: nearly what the planner does, in its style
``worlds``     what may be hidden from a seat
``kernel``     the one function of these modules that Python calls
``playouts``   many games at once, played out by the policy under the rules of ``fogg_simulator``
``searching``  the search of one decision

The modules from ``ways`` to ``kernel`` are compiled, and so are the rules of the simulator, once on
each machine. ``python -m workers.bots.search`` compiles all of it at once, ``workers.preparing`` in
the background of a worker.
"""

import fcntl
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile

HERE = Path(__file__).parent
MARK, LOCK = "compiled", "lock"  # files in the cache folder


@cache
def folders() -> tuple[Path, Path]:
    from fogg_simulator import compiled

    return compiled.folder(HERE), compiled.folder()


def hindrance() -> str | None:
    """Return a sentence about why the cache cannot be written, and what to do; None if it can."""
    try:
        for folder in folders():
            folder.mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=folder):
                pass
        return None
    except OSError as error:
        return (
            f"{folders()[0].parent} cannot be written ({error.strerror}): set FOGG_CACHE to a "
            "folder that can"
        )


def is_compiled() -> bool:
    return (folders()[0] / MARK).exists()


def progress() -> float:
    """Return the progress of compiling, from 0 to 1: half for the policy, half for the rules."""
    if is_compiled():
        return 1.0
    return min(0.9, sum(any(folder.rglob("*.nbi")) for folder in folders()) / 2)


@cache
def load() -> None:
    """Load the compiled functions; compile them first, or wait for a process that does."""
    from workers.bots.search.playouts import run_once

    if not is_compiled():
        folders()[0].mkdir(parents=True, exist_ok=True)
        with (folders()[0] / LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            run_once()
            (folders()[0] / MARK).touch()
    run_once()
