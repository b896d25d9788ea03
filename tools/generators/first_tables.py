"""Write the SQL of the first revision from the tables: ``python -m tools.generators.first_tables``.

Only until that revision is released. Later changes of the tables are revisions of their own.
"""

import re
from pathlib import Path

import sqlalchemy as sa

from service.records import migrations, views
from service.records.tables import metadata

URLS = {"sqlite": "sqlite://", "postgresql": "postgresql+psycopg://"}


def statements(kind: str) -> list[str]:
    """Return the statements that make all tables, indexes and views, without comments."""
    lines: list[str] = []

    def note(statement: sa.schema.ExecutableDDLElement, *_: object, **__: object) -> None:
        text = str(statement.compile(dialect=engine.dialect))
        if not text.startswith("COMMENT"):
            lines.append(re.sub(r"\s+", " ", text).strip())

    engine = sa.create_mock_engine(URLS[kind], note)
    metadata.create_all(engine, checkfirst=False)
    lines.sort(key=lambda line: "" if line.startswith("CREATE TABLE") else line)  # a set of indexes
    return [*lines, *views.statements(kind).values()]


if __name__ == "__main__":
    for kind in URLS:
        file = Path(migrations.__file__).parent / f"versions/0001_first.{kind}.sql"
        file.write_text("\n".join(statements(kind)) + "\n")
