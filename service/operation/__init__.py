"""Redis, processes, and what operators see."""
