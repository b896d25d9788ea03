"""Histories in Redis."""
