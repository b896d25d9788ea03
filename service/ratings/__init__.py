"""Ratings and leaderboards."""
