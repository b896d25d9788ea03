"""The tables and views in docs/database.md, from ``service/store/sql/``.

``python -m tools.generators.database_page`` writes them, between the marks on the page.
"""

import re
from pathlib import Path

from service.records.tables import metadata
from service.records.views import VIEWS
from tools.generators.events_page import table

PAGE = Path(__file__).parents[2] / "docs" / "database.md"
MARKED = re.compile(
    r"(<!-- (\w+): python -m tools.generators.database_page -->\n).*?(<!-- end -->)", re.DOTALL)


def written(page: str) -> str:
    """Return the page with new text between its marks."""
    parts = {"views": views, "tables": tables}
    return MARKED.sub(lambda match: f"{match[1]}\n{parts[match[2]]()}\n{match[3]}", page)


def views() -> str:
    """Return a row for each view and for each of its columns."""
    rows = []
    for name, view in VIEWS.items():
        rows.append((f"**{name}**", "", view.words))
        rows += [(f"`{column.name}`", column.type.lower(), column.words) for column in view.columns]
    return table(("column", "type", "what it holds"), rows)


def tables() -> str:
    """Return a row for each table."""
    return table(("table", "key", "what it holds"), [
        (f"`{part.name}`", ", ".join(f"`{column.name}`" for column in part.primary_key),
         words(part.comment)) for part in metadata.tables.values()])


def words(comment: str | None) -> str:
    return (comment or "").replace("``", "`")


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text()))
