"""Bots against each other without a service: trials, arenas, and strength estimates."""
