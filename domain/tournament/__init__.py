"""Tournaments: another fold over events."""
