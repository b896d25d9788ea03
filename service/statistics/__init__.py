"""Statistics of finished games."""
