"""The rules of ``domain.rules``, compiled: a module for each that does something in play.
``chance`` and ``network`` are the twins of those of ``domain``, ``legal`` and ``scoring`` of those
of ``domain.game``.

A function takes the board's record, the game's record and plain numbers. Legality is decided once,
in ``legal``; the functions that play an action rely on it.
"""
