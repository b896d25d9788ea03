"""The SQL database of the records: connection, tables, views, migrations (docs/database.md)."""
