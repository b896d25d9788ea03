"""Migrations: the revisions by which a database gets its tables (``service.records.tables``).

A change of the tables is a module in ``versions`` that names the revision before it. It only adds
tables, columns that may be NULL or have a default, and indexes: so processes of the version before
go on reading while a service is updated one process after the other. ``0001`` is SQL, made by
``python -m tools.generators.first_tables``, and never changes once it was released.
"""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory


def config(db: sa.Connection | None = None) -> Config:
    """Return Alembic's settings, for work on a connection."""
    made = Config()
    folder = str(Path(__file__).parent).replace("%", "%%")  # a Config interpolates
    made.set_main_option("script_location", folder)
    made.attributes["connection"] = db
    return made


def revisions() -> list[str]:
    """Return the names of all revisions, the first one first."""
    walked = ScriptDirectory.from_config(config()).walk_revisions()
    return [script.revision for script in walked][::-1]


def revision_of(db: sa.Connection) -> str | None:
    """Return the revision that a database has, None if it has no tables."""
    return MigrationContext.configure(db).get_current_revision()


def upgrade(db: sa.Connection, to: str = "head") -> None:
    """Bring a database up to a revision."""
    command.upgrade(config(db), to)
