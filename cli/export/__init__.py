"""Export finished games from a service to a file; continue a file that exists."""
