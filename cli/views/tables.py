"""Tables for a terminal of 80 columns, in which no name is cut; piped, a row is a line."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from rich import box
from rich.console import RenderableType
from rich.table import Table

from domain.game.difference import short


def table(
    headings: Sequence[str],
    rows: Iterable[Sequence[RenderableType]],
    words: Collection[str] = (),
    title: str | None = None,
    caption: str | None = None,
) -> Table:
    """Return a table. Columns of ``words`` are wrapped if there is no room; the others hold numbers
    and stay whole. An empty column is left out."""
    rows = [*rows]
    shown = [
        place
        for place, heading in enumerate(headings)
        if heading in words or any(row[place] for row in rows)
    ]
    made = Table(
        title=title,
        title_style="bold",
        title_justify="left",
        caption=caption,
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    for place in shown:
        is_words = headings[place] in words
        is_text = any(str(row[place])[:1].isalpha() for row in rows)
        made.add_column(
            headings[place],
            justify="left" if is_words or is_text else "right",
            overflow="fold",
            no_wrap=not is_words,
        )
    for row in rows:
        made.add_row(*(row[place] for place in shown))
    return made


def games_table(games: Iterable[Mapping[str, Any]]) -> Table:
    """Return a table of recorded games, from what ``RecordedGame.about`` returns."""
    rows = []
    for game in games:
        players = [f"{one['name']} {one.get('total', '')}".strip() for one in game["players"]]
        shown = (game["game"], game["board"], ", ".join(players) or "broken: see fogg verify")
        rows.append([short(cell or "") for cell in shown])
    return table(("game", "board", "players"), rows, ["players"])
