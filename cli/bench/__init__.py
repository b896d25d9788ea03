"""Benchmarks of players that are measured against the built-in bots: language models."""
