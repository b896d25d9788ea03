"""Tournaments, and the director that advances them."""
