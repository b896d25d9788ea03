"""The first tables, as the SQL of each database."""

from pathlib import Path

from alembic import op

revision, down_revision = "0001", None


def upgrade() -> None:
    """Make the tables."""
    db = op.get_bind()
    for statement in Path(__file__).with_suffix(f".{db.dialect.name}.sql").read_text().splitlines():
        db.exec_driver_sql(statement)
