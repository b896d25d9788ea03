"""Bots against each other without a service: arenas, and strength estimates."""
