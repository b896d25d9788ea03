"""Finished games: as data, counted, rated, brought in."""
