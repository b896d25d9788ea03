"""Alembic's environment, which runs revisions on the connection that it gets."""

from alembic import context

from service.records.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
