"""The tables and views in docs/database.md, from ``service/store/sql/``.

``python -m tests.generators.database_page`` writes them, between the marks on the page.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sa

from service.store.sql.tables import metadata
from service.store.sql.views import VIEWS
from tests.generators.events_page import table

PAGE = Path(__file__).parents[2] / "docs" / "database.md"
MARKED = re.compile(
    r"(<!-- (\w+): python -m tests.generators.database_page -->\n).*?(<!-- end -->)", re.DOTALL)
FIRST_DERIVED = "route"  # this table and those after it follow from the others


def written(page: str) -> str:
    """Return the page with new text between its marks."""
    parts = {"views": views(), "tables": tables()}
    return MARKED.sub(lambda match: f"{match[1]}\n{rows(parts[match[2]])}\n{match[3]}", page)


def rows(parts: Iterator[tuple[str, str, str]]) -> str:
    return table(("column", "type", "what it holds"), list(parts))


def views() -> Iterator[tuple[str, str, str]]:
    """Yield a row for each view and for each of its columns."""
    for name, view in VIEWS.items():
        yield f"**{name}**", "", view.words
        for column in view.columns:
            yield f"`{column.name}`", column.type.lower(), column.words


def tables() -> Iterator[tuple[str, str, str]]:
    """Yield a row for each table, with its meaning and key, and for each column of the records: of
    the derived tables, views and the API show the content."""
    in_full = True
    for part in metadata.tables.values():
        in_full = in_full and part.name != FIRST_DERIVED
        key = ", ".join(f"`{column.name}`" for column in part.primary_key)
        yield f"**{part.name}**", "", f"{words(part.comment)} Key: {key}."
        for column in part.columns if in_full else ():
            yield f"`{column.name}`", type_of(column), words(column.comment)


def type_of(column: sa.Column) -> str:
    """A column's type in SQL, where it points, and whether it may be missing."""
    points = "".join(f", to `{key.target_fullname}`" for key in column.foreign_keys)
    return f"{column.type.compile()}".lower() + points + (", or NULL" if column.nullable else "")


def words(comment: str | None) -> str:
    return (comment or "").replace("``", "`")


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text()))
