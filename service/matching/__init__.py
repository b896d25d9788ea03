"""Finding opponents: a pool that is always open, seeks and challenges between accounts."""
