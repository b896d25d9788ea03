"""What a board is, and how its table is read."""
