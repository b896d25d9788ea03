"""Recorded games: histories from files and addresses, read with limits, checked, replayed."""
