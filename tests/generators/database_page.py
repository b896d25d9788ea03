"""The tables and views in docs/database.md, from ``service/records/``.

``python -m tests.generators.database_page`` writes them, between the marks on the page.
"""

import re
from pathlib import Path

import sqlalchemy as sa

from service.store.sql.tables import metadata
from service.store.sql.views import VIEWS
from tests.generators.events_page import table

PAGE = Path(__file__).parents[2] / "docs" / "database.md"
MARKED = re.compile(
    r"(<!-- (\w+): python -m tests.generators.database_page -->\n).*?(<!-- end -->)", re.DOTALL)


def written(page: str) -> str:
    """Return the page with new text between its marks."""
    parts = {"views": views, "tables": tables}
    return MARKED.sub(lambda match: match[1] + parts[match[2]]() + match[3], page)


def views() -> str:
    """A section for each view."""
    return "".join(
        f"### {name}\n\n{view.words}\n\n" + table(("column", "type", "what it holds"), [
            (f"`{column.name}`", column.type.lower(), column.words) for column in view.columns])
        + "\n" for name, view in VIEWS.items())


def tables() -> str:
    """A section for each table."""
    return "".join(map(section, metadata.tables.values()))


def section(part: sa.Table) -> str:
    """A table: its meaning, its columns, its key and its indexes."""
    rows = [(f"`{column.name}`", type_of(column), words(column.comment)) for column in part.columns]
    unique = [constraint.columns.keys() for constraint in part.constraints
              if isinstance(constraint, sa.UniqueConstraint)]
    keys = [f"primary key: {names(part.primary_key.columns.keys())}",
            *(f"unique: {names(columns)}" for columns in sorted(unique)),
            *(f"`{index.name}`: {names(index.columns.keys())}{condition(index)}"
              for index in sorted(part.indexes, key=lambda index: index.name or ""))]
    return (f"### {part.name}\n\n{words(part.comment)}\n\n"
            + table(("column", "type", "what it holds"), rows)
            + "\n" + "".join(f"- {key}\n" for key in keys) + "\n")


def type_of(column: sa.Column) -> str:
    """A column's type in SQL, where it points, and whether it may be missing."""
    points = "".join(f", to `{key.target_fullname}`" for key in column.foreign_keys)
    return f"{column.type.compile()}".lower() + points + (", or NULL" if column.nullable else "")


def names(columns: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in columns)


def condition(index: sa.Index) -> str:
    """Which rows an index has, if not all."""
    where = index.dialect_options["sqlite"]["where"]
    return "" if where is None else f", where {where}"


def words(comment: str | None) -> str:
    return (comment or "").replace("``", "`")


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text()))
