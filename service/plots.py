"""Statistics as bars, in SVG that needs nothing beside itself."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

WIDTH, LABEL, LINE, TOP = 760, 300, 22, 34
INK, FAINT, BAR, DONE = "#2b2a28", "#6f6a60", "#6a9fdb", "#00808f"
MOST = 20  # bars in a chart

Bar = tuple[str, float, float | None, str]  # label, length, the part of it that is done, figure


def scores(title: str, rows: list[dict]) -> str:
    """Return the mean scores of the kinds of players."""
    return _drawn(title, [("", _by_score(rows))])


def board(name: str, found: dict) -> str:
    """Return what is counted of a board."""
    routes = [(row["route"], row["claimed"], None, f"{row['claimed']} ({row['share']:.0%})")
              for row in found["routes"]]
    tickets = [(row["ticket"], row["kept"], row["completed"],
                f"{row['completed']} of {row['kept']}") for row in found["tickets"]]
    return _drawn(f"{name}: {found['games']} game{'s' * (found['games'] != 1)}", [
        ("Mean score", _by_score(found["players"])),
        ("Routes claimed most", routes),
        ("Tickets kept most, and completed", tickets)])


def _by_score(rows: list[dict]) -> list[Bar]:
    bars = [(" ".join(filter(None, [row.get("board"), f"{row['seats']} seats,", row["player"]])),
             row["mean_score"], None,
             f"{row['mean_score']:.1f}; {row['won']} of {row['played']} won") for row in rows]
    return sorted(bars, key=lambda bar: -bar[1])


def _drawn(title: str, charts: Iterable[tuple[str, list[Bar]]]) -> str:
    parts, top = [_text(16, 30, title, 18)], 44
    for heading, bars in charts:
        if heading:
            parts.append(_text(16, top + 20, heading, 14, FAINT))
            top += TOP
        longest = max((length for _, length, _, _ in bars[:MOST]), default=0)
        for label, length, done, figure in bars[:MOST]:
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
    high = top + 14
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
