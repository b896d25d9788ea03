"""Accounts, their tokens, and the built-in bots."""
