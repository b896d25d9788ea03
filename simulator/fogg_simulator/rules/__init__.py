"""The rules of ``domain.rules``, compiled: one module for each that does something in play.

A function takes the board's record, the game's record and plain numbers. Legality is decided once,
in ``legal``; the functions that play an action rely on it.
"""
