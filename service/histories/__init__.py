"""Downloads of finished games."""
