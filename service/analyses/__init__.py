"""Analyses of finished games."""
