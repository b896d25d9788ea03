"""domain/drawing/settled.json: the spring layouts of the shipped boards.

``python -m tools.generators.layouts`` writes it; a test compares it with a new computation.
"""

from __future__ import annotations

import json

from domain.boards import boards_by_digest
from domain.drawing.layout import SETTLED_FILE, key, written
from domain.drawing.springs import settle


def made() -> str:
    """Return the file, a line for each map."""
    maps = {
        key(*what): what
        for what in sorted(
            {(board.locations, board.routes) for board in boards_by_digest().values()}, key=str
        )
    }
    lines = [
        f'"{name}": {json.dumps(written(settle(*what)), ensure_ascii=False)}'
        for name, what in sorted(maps.items())
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    SETTLED_FILE.write_text(made(), encoding="utf-8")
