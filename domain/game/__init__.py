"""A game: its state, commands, events, and views."""
