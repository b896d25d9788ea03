"""Tournaments, and who moves them on."""
