"""Recorded games: histories in files and at addresses, read with care, checked, gone through."""
