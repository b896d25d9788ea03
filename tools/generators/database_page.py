"""The tables and views in docs/database.md, from ``service/records``.

``python -m tools.generators.database_page`` writes them, between the marks on the page.
"""

from service.records.tables import metadata
from service.records.views import VIEWS
from tools.generators.pages import DOCS, table, with_parts

PAGE = DOCS / "database.md"


def written(page: str) -> str:
    """Return the page with new text between its marks."""
    return with_parts(
        page,
        {
            f"{name}: python -m tools.generators.database_page": lambda made=made: f"\n{made()}\n"
            for name, made in {"views": views, "tables": tables}.items()
        },
    )


def views() -> str:
    """Return a row for each view and for each of its columns."""
    rows = []
    for name, view in VIEWS.items():
        rows.append((f"**{name}**", "", view.words))
        rows += [(f"`{column.name}`", column.type.lower(), column.words) for column in view.columns]
    return table(("column", "type", "what it holds"), rows)


def tables() -> str:
    return table(
        ("table", "key", "what it holds"),
        [
            (
                f"`{part.name}`",
                ", ".join(f"`{column.name}`" for column in part.primary_key),
                (part.comment or "").replace("``", "`"),
            )
            for part in metadata.tables.values()
        ],
    )


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text()))
