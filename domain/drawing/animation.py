"""A whole game as one animated SVG without external files.

It is made of the pictures of single positions (domain/drawing/picture.py). Parts that are equal in
all of them are drawn once; each other part is shown while its frames last (SMIL, which browsers
play also in an ``<img>``). The last frame stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.etree import ElementTree

from domain.board.board import Board
from domain.codec import Json
from domain.drawing.marks import INK, RAIL
from domain.drawing.picture import draw

SVG = "http://www.w3.org/2000/svg"
MAX_FRAMES = 400  # maximum number of frames; of a longer game, evenly chosen ones and the last
SECONDS = 30.0

Part = tuple[int, int, str]  # layer, index in the layer, SVG text


def animated(board: Board, views: Iterable[Json], seconds: float = SECONDS) -> str:
    """Return the animation of a game; ``seconds`` is its duration. ``views`` are the public views
    of its positions after dealing, in order."""
    chosen = _chosen(list(views))
    roots = [ElementTree.fromstring(draw(board, view)) for view in chosen]
    frames = [list(_parts(root)) for root in roots]
    rails = next(part for part in frames[0] if _is_rails(part))
    times = [seconds * i / len(frames) for i in range(len(frames) + 1)]
    shown: dict[str, set[int]] = {}  # text -> the frames that show it
    places: dict[str, tuple[int, int]] = {}
    for number, parts in enumerate(frames):
        for layer, place, text in (*(part for part in parts if not _is_rails(part)), rails):
            shown.setdefault(text, set()).add(number)
            places.setdefault(text, (layer, place))
    root = roots[-1]
    layers: dict[int, list[str]] = {}
    for text in sorted(shown, key=lambda text: (places[text], min(shown[text]))):
        layers.setdefault(places[text][0], []).append(_timed(text, shown[text], times))
    opening = ElementTree.tostring(root, "unicode").partition(">")[0]
    # Not one svg in another: browsers give each its own time.
    top = next(part for part in root if part.tag == f"{{{SVG}}}svg").get("y")
    return "\n".join([f"{opening}>", *layers.get(0, ()), f'<g transform="translate(0 {top})">',
                      *layers.get(1, ()), "</g>", *layers.get(2, ()), "</svg>"])


def _chosen(views: list[Json]) -> list[Json]:
    """Return at most MAX_FRAMES of the views."""
    if len(views) <= MAX_FRAMES:
        return views
    return [views[round(i * (len(views) - 1) / (MAX_FRAMES - 1))] for i in range(MAX_FRAMES)]


def _parts(root: ElementTree.Element) -> Iterator[Part]:
    """Yield the parts of a picture: layer 0 is under the map, 1 is the map, 2 is next to it."""
    layer = 0
    for place, element in enumerate(root):
        if layer == 0 and element.tag == f"{{{SVG}}}svg":
            layer = 2
            yield from ((1, i, _text(inner)) for i, inner in enumerate(element))
        elif element.tag != f"{{{SVG}}}title":  # the whole picture has a title in its label
            yield layer, place, _text(element)


def _is_rails(part: Part) -> bool:
    """Return whether a part is the rails. Each claim draws all of them again; the first frame's
    rails suffice, since trains cover them."""
    return any(f'fill="none" stroke="{color}" stroke-width="2.5"' in part[2][-60:]
               for color in (INK, RAIL))


def _text(element: ElementTree.Element) -> str:
    return ElementTree.tostring(element, "unicode").replace(f' xmlns="{SVG}"', "").strip()


def _timed(text: str, numbers: set[int], times: list[float]) -> str:
    """Return a part that is shown in the frames of these numbers. Viewers without SMIL show the
    last frame."""
    count = len(times) - 1
    stays = count - 1 in numbers
    usual, other = (numbers, set(range(count)) - numbers) if stays else (set(), numbers)
    if len(usual) == count:
        return text
    sets = "".join(
        f'<set attributeName="display" to="{"none" if stays else "inline"}" '
        f'begin="{times[start]:.3f}s" dur="{times[end] - times[start]:.3f}s"/>'
        for start, end in _runs(other))
    return f"<g>{sets}{text}</g>" if stays else f'<g display="none">{sets}{text}</g>'


def _runs(numbers: set[int]) -> Iterator[tuple[int, int]]:
    """Yield the runs of consecutive numbers, as (first, end)."""
    for start in sorted(number for number in numbers if number - 1 not in numbers):
        end = start
        while end in numbers:
            end += 1
        yield start, end


ElementTree.register_namespace("", SVG)
