"""The settings that are numbers, and what each is unless it is set."""

from __future__ import annotations

import os

NUMBERS = {
    "FOGG_ARCHIVE_DAYS": 0.25,  # after which a finished game goes to the archive
    "FOGG_ARCHIVE_MB": 1000,  # of Redis that finished games may take; above it they go sooner
    "FOGG_CLOCK_HOURS": 72,  # for each decision where nobody has named a clock; 0 is for ever
    "FOGG_FORGET_DAYS": 7,  # after which a game is forgotten that was called off unplayed
    "FOGG_LOBBY_HOURS": 24,  # for which a game may wait for players
    "FOGG_PROXIES": 0,  # in front, which tell for whom they speak
    "FOGG_TOURNAMENT_HOURS": 168,  # for which a tournament may wait for whoever starts it
}
WHOLE = frozenset({"FOGG_PROXIES"})
MOST = 1e6


class BadSetting(ValueError):
    """A setting that is unknown or senseless; the message says which, and what it should be."""


def number(name: str) -> float:
    """Return what a setting is; raise BadSetting if it is no number from 0 to a million, or not a
    whole one where only that makes sense."""
    text = os.environ.get(name) or str(NUMBERS[name])
    try:
        found = float(text)
    except ValueError:
        found = -1
    if not 0 <= found <= MOST or (name in WHOLE and not found.is_integer()):
        kind = "whole number" if name in WHOLE else "number"
        raise BadSetting(f"{name} is {text!r}; it should be a {kind} from 0 to {MOST:.0f}")
    return found


def check() -> None:
    """Raise BadSetting if any is none."""
    for name in NUMBERS:
        number(name)
