"""Records: games and other histories that are over, in a SQL database (docs/database.md)."""
