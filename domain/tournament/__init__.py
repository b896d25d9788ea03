"""A tournament, another fold."""
