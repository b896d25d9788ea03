"""All positions on a board's picture as JSON, for clients that draw it themselves."""

from domain.board.board import Board
from domain.codec import Json
from domain.drawing.ground import land
from domain.drawing.labels import FONT, LINE, SPOT
from domain.drawing.layout import layout


def positions(board: Board) -> Json:
    """Return the positions of a board's locations, names, and route spaces, in pixels from the top
    left, y downwards; angles in degrees, clockwise from the x axis."""
    plan = layout(board)
    return {
        "board": board.id,
        "digest": board.digest,
        "width": round(plan.width, 1),
        "height": round(plan.height, 1),
        "land": land(board, plan)._asdict(),
        "spot": SPOT,
        "font": FONT,
        "locations": [
            {"id": id_, **_point(at), "name": _name(*plan.labels[id_])}
            for id_, at in plan.spots.items()
        ],
        "routes": [
            {
                "id": id_,
                "spaces": [
                    {
                        **_point(space.at),
                        "angle": round(space.angle, 1),
                        "length": round(space.length, 1),
                        "width": round(space.width, 1),
                    }
                    for space in spaces
                ],
            }
            for id_, spaces in plan.spaces.items()
        ],
    }


def _point(at: complex) -> Json:
    return {"x": round(at.real, 1), "y": round(at.imag, 1)}


def _name(lines: tuple[str, ...], box: tuple[float, float, float, float]) -> Json:
    left, top, right, _ = box
    return {
        "lines": [*lines],
        **_point(complex((left + right) / 2, top + 0.78 * LINE)),
        "leading": LINE,
    }
