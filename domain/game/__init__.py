"""A game: its state, what may be asked of it, what has happened, and who may see it."""
