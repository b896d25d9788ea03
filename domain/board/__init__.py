"""Boards, and how their tables are read."""
