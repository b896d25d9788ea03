"""Fast playouts, by which ``expert`` compares its choices.

``arrays``    a board, and a game under way, as arrays of numbers
``cards``     drawing, paying, claiming, and what it comes to at the end
``style``     how a seat plays, as numbers
``ways``      what routes cost a seat, and the cheapest ways that connect its tickets
``plans``     the routes that a seat needs, and those that it wants for points
``tickets``   which tickets a seat keeps, and whether it wants more
``policy``    what every seat does in a playout: nearly what the planner does, in its style
``worlds``    what may be hidden behind a view
``trials``    the same choices tried in the same worlds
``rows``      what numpy could do for them
``compiled``  how functions are

All modules but ``arrays`` and ``style`` are compiled to machine code, which takes about a minute.
Each version of this package has its own cache folder, in FOGG_CACHE or the user's cache. ``python
-m workers.bots.search`` compiles at once, ``workers.preparing`` in the background of a worker.

A function is compiled once for each combination of argument types. Numbers from arrays are
therefore cast to ``int64`` where other calls pass Python's numbers.

A playout simplifies rules that matter little on average: no station is built, no card is kept for a
flag, and no affordable tunnel is given up.
"""

from __future__ import annotations

import fcntl
import os
import platform
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryFile
from types import ModuleType

HERE = Path(__file__).parent
COMPILED = re.compile(r"^@(inner|outer)$", re.MULTILINE)  # stands above each compiled function


@cache
def folder() -> Path:
    """Return the cache folder for these source files and this Python."""
    made_of = [sys.version, platform.machine(), version("numba")]
    for path in sorted(HERE.parent.rglob("*.py")):  # numba also checks their paths and times
        made_of += [str(path), str(path.stat().st_mtime_ns), path.read_text()]
    return _cache() / sha256("\n".join(made_of).encode()).hexdigest()[:16]


def hindrance() -> str | None:
    """Return a sentence about why the cache cannot be written, and what to do; None if it can."""
    try:
        folder().mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder()):
            return None
    except OSError as error:
        return (f"{_cache()} cannot be written ({error.strerror}): set FOGG_CACHE to a folder that "
                "can")


def is_compiled() -> bool:
    """Return whether all functions are compiled."""
    return _mark().exists()


def progress() -> float:
    """Return the share of functions that are compiled, from 0 to 1."""
    if is_compiled():
        return 1.0
    functions = sum(len(COMPILED.findall(path.read_text())) for path in HERE.glob("[a-z]*.py"))
    done = sum(1 for _ in folder().rglob("*.nbi"))  # numba writes one for each
    return min(0.99, round(done / functions, 2))


def load() -> tuple[ModuleType, ModuleType]:
    """Return the modules ``arrays`` and ``trials``, compiled. If another process is compiling, wait
    for it."""
    folder().mkdir(parents=True, exist_ok=True)
    if not is_compiled():
        with _alone():
            if not is_compiled():
                _modules()[1].run_once()
                _mark().touch()
    return _modules()


@cache
def warm_up() -> tuple[ModuleType, ModuleType]:
    """Return the result of ``load``, with all code loaded, so that no choice has to wait."""
    arrays, trials = load()
    trials.run_once()
    return arrays, trials


def _modules() -> tuple[ModuleType, ModuleType]:
    from numba import config

    config.CACHE_DIR = str(folder())
    from workers.bots.search import arrays, trials

    return arrays, trials


@contextmanager
def _alone() -> Iterator[None]:
    with (folder() / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _mark() -> Path:
    return folder() / "compiled"


def _cache() -> Path:
    if named := os.environ.get("FOGG_CACHE"):
        return Path(named)
    try:
        return Path.home() / ".cache" / "fogg"
    except RuntimeError:  # a user without a home
        return Path("/nonexistent")
