"""Finished games from a service into a file, which is gone on with if it is there already."""
