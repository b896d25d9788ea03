"""Draw statistics as bars and ratings as lines, as SVG without external files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from math import ceil, floor

WIDTH, LABEL, LINE, TOP = 760, 300, 22, 34
INK, FAINT, BAR, DONE = "#2b2a28", "#6f6a60", "#6a9fdb", "#00808f"
MAX_BARS = 20  # bars in a chart
LEFT, RIGHT, UPPER, LOWER = 56, 640, 66, 330  # of the lines of a rating
LIGHT, GRID = "#dbe8f6", "#e6e1d6"

Bar = tuple[str, float, float | None, str]  # label, length, completed part of it, figure


def scores(title: str, rows: list[dict]) -> str:
    """Return a chart of the mean scores of the kinds of players."""
    return _bar_charts(title, [("", _by_score(rows))])


def board(name: str, found: dict) -> str:
    """Return a chart of the statistics of a board."""
    routes: list[Bar] = [
        (row["route"], row["claimed"], None, f"{row['claimed']} ({row['share']:.0%})")
        for row in found["routes"]]
    tickets = [(row["ticket"], row["kept"], row["completed"],
                f"{row['completed']} of {row['kept']}") for row in found["tickets"]]
    return _bar_charts(f"{name}: {found['games']} game{'s' * (found['games'] != 1)}", [
        ("Mean score", _by_score(found["players"])),
        ("Routes claimed most", routes),
        ("Tickets kept most, and completed", tickets)])


def rating(name: str, of: str, rows: list[dict], is_cut: bool) -> str:
    """Return a chart of a player's rating. ``rows`` have mu and sigma after each rated game, in
    order, as the API shows them. ``is_cut`` says that earlier games are left out."""
    title = f"{name}: rating, {of}"
    parts = [_text(16, 30, title, 18)]
    if rows:
        parts += _lines([rows[0]["before"], *(row["after"] for row in rows)])
        games = f"{len(rows)} game{'s' * (len(rows) != 1)}"
        said = f"the latest {games}" if is_cut else games
        parts += [_text(LEFT, LOWER + 24, rows[0]["at"][:10], 12, FAINT),
                  _text(RIGHT, LOWER + 24, rows[-1]["at"][:10], 12, FAINT, "end"),
                  _text((LEFT + RIGHT) / 2, LOWER + 24, said, 12, FAINT, "middle")]
    else:
        parts.append(_text(16, 60, "No rated game yet", 12, FAINT))
    return _svg(title, LOWER + 40 if rows else 80, parts)


def _lines(points: list[dict]) -> list[str]:
    """Return the lines of the rating, and above it of mu with one sigma on either side."""
    over = [p["mu"] + p["sigma"] for p in points]
    under = [p["mu"] - p["sigma"] for p in points]
    mus, ratings = ([p[which] for p in points] for which in ("mu", "rating"))
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100) if max(over) - min(ratings) <= 8 * s)
    least, most = floor(min(ratings) / step) * step, ceil(max(over) / step) * step

    def x(place: int) -> float:
        return LEFT + place * (RIGHT - LEFT) / (len(points) - 1)

    def y(value: float) -> float:
        return LOWER - (value - least) * (LOWER - UPPER) / (most - least)

    parts = []
    for value in range(least, most + 1, step):
        parts += [f'<path d="M{LEFT} {y(value):.1f}H{RIGHT}" stroke="{GRID}"/>',
                  _text(LEFT - 8, y(value) + 4, str(value), 12, FAINT, "end")]
    around = [*_points(over, x, y), *_points(under, x, y)[::-1]]
    parts.append(f'<polygon points="{" ".join(around)}" fill="{LIGHT}" fill-opacity="0.8"/>')
    for values, color, what in ((mus, BAR, "mu"), (ratings, DONE, "rating")):
        parts += [f'<polyline points="{" ".join(_points(values, x, y))}" fill="none" '
                  f'stroke="{color}" stroke-width="2" stroke-linejoin="round"/>',
                  _text(RIGHT + 8, y(values[-1]) + 4, f"{what} {values[-1]:.1f}", 12, color)]
    return parts


def _points(
    values: list[float], x: Callable[[int], float], y: Callable[[float], float]
) -> list[str]:
    return [f"{x(place):.1f},{y(value):.1f}" for place, value in enumerate(values)]


def _by_score(rows: list[dict]) -> list[Bar]:
    bars = [(" ".join(filter(None, [row.get("board"), f"{row['seats']} seats,", row["player"]])),
             row["mean_score"], None,
             f"{row['mean_score']:.1f}; {row['won']} of {row['played']} won") for row in rows]
    return sorted(bars, key=lambda bar: -bar[1])


def _bar_charts(title: str, charts: Iterable[tuple[str, list[Bar]]]) -> str:
    parts, top = [_text(16, 30, title, 18)], 44
    for heading, bars in charts:
        if heading:
            parts.append(_text(16, top + 20, heading, 14, FAINT))
            top += TOP
        longest = max((length for _, length, _, _ in bars[:MAX_BARS]), default=0)
        for label, length, done, figure in bars[:MAX_BARS]:
            scale = (WIDTH - LABEL - 180) / longest if longest > 0 else 0
            parts += [_text(LABEL - 8, top + 15, label, 12, anchor="end"),
                      _bar(top, length * scale, BAR)]
            if done is not None:
                parts.append(_bar(top, done * scale, DONE))
            parts.append(_text(LABEL + max(0.0, length * scale) + 6, top + 15, figure, 12, FAINT))
            top += LINE
        if not bars:
            parts.append(_text(16, top + 15, "No game yet", 12, FAINT))
            top += LINE
    return _svg(title, top + 14, parts)


def _svg(title: str, high: float, parts: list[str]) -> str:
    return "\n".join((
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {high}" width="{WIDTH}" '
        f'height="{high}" role="img" aria-label="{escape(title)}" '
        'font-family="Helvetica, Arial, Liberation Sans, sans-serif">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{high}" fill="#fffdf7"/>', *parts, "</svg>"))


def _bar(top: float, length: float, color: str) -> str:
    return (f'<rect x="{LABEL}" y="{top + 3}" width="{max(0.0, length):.1f}" height="{LINE - 6}" '
            f'rx="2" fill="{color}"/>')


def _text(x: float, y: float, said: str, size: int, fill: str = INK, anchor: str = "") -> str:
    where = f' text-anchor="{anchor}"' if anchor else ""
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{fill}"{where}>'
            f"{escape(said)}</text>")
