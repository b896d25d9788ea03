"""Games played out to their end by the thousand: what ``expert`` weighs its choices by.

``table``     a board, and a game under way, as arrays of numbers
``cards``     drawing, paying, claiming, and what it comes to at the end
``policy``    what every seat does in a playout: nearly what the planner does
``worlds``    what may be hidden behind a view
``trials``    the same choices tried in the same worlds

All but ``table`` is compiled to machine code the first time that it is called, which takes about
half a minute, and kept for later processes in a folder of the user's cache
(``FOGG_CACHE``, by default ``~/.cache/fogg``); another version of this package has another one.

A playout keeps the rules but for what matters little on the average: no station is built, no card
kept for a flag, no tunnel is given up that could be paid for.
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

from numba import config

HERE = Path(__file__).parent


def cache() -> Path:
    """Return where what is compiled from these very files is kept."""
    sources = b"".join(path.read_bytes() for path in sorted(HERE.glob("*.py")))
    folder = Path(os.environ.get("FOGG_CACHE") or Path.home() / ".cache" / "fogg")
    return folder / sha256(sources).hexdigest()[:16]


config.CACHE_DIR = str(cache())
