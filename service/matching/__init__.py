"""Finding opponents: a pool that is always open, and filters of open games."""
