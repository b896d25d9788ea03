"""Redis, processes, their recurring work, and everything for operators."""
