"""service/page/boards/*.png: the cards of the shipped boards, for previews of links.

``python -m tools.generators.board_pictures`` writes them; a test compares them with new ones.
"""

from __future__ import annotations

import font_lato
import resvg_py

from domain.boards import load_folder
from domain.drawing.card import SMALLER, WIDTH, card
from tools.generators.rooms import ROOT

FOLDER = ROOT / "service" / "page" / "boards"


def made() -> dict[str, bytes]:
    return {
        f"{board.id}.png": bytes(
            resvg_py.svg_to_bytes(
                svg_string=card(board),
                font_files=[font_lato.font_files["LatoBold"]],
                width=WIDTH // SMALLER,
            )
        )
        for board in load_folder().values()
    }


if __name__ == "__main__":
    for name, picture in made().items():
        (FOLDER / name).write_bytes(picture)
