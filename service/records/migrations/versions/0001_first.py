"""The first tables. Until a version with them is released, they are those of the code; from then on
they never change, so they have to be written down here."""

from alembic import op

from service.records import views
from service.records.tables import metadata

revision, down_revision = "0001", None


def upgrade() -> None:
    """Make the tables, their indexes, and the views."""
    db = op.get_bind()
    metadata.create_all(db, checkfirst=False)
    for statement in views.statements(db.dialect.name).values():
        db.exec_driver_sql(statement)
