"""Recent events of a game as text, one line for each entry."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from fogg_client.types import Board

from domain.sentences import plain_readers, seat_text, sentences

READERS = plain_readers(seat=seat_text, name=json.dumps)  # quoted: a name may hold any text


def news_text(board: Board, entries: list[dict[str, Any]], seat: int | None) -> list[str]:
    """Return the actions of others as text, from the entries since the viewer's last action."""
    mine = [place for place, entry in enumerate(entries) if entry.get("seat") == seat]
    since = entries[mine[-1] + 1:] if mine else entries
    return [line for entry in since for line in entry_text(board, entry)]


def entry_text(board: Board, entry: dict[str, Any]) -> Iterator[str]:
    """Yield the sentence of each event of an entry that has one."""
    return sentences(entry["events"], board["declared"]["events"], READERS)
