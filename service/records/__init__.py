"""Records: games and tournaments that are over, in a SQL database (docs/database.md)."""
