"""The public log of finished games."""
