"""Redis, processes, what these do again and again, and what operators see."""
