"""Compile everything now, unless it was before."""

from workers.bots import search

search.load()
