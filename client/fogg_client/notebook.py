"""A game in a notebook (Jupyter): the page of the service that other sites embed."""

from __future__ import annotations

from html import escape
from typing import Any
from urllib.parse import urlencode

from fogg_client.client import segment

SERVER = "http://127.0.0.1:8000"


class Shown:
    """A game as notebooks show it: a frame with the map, the seats and a bar to step through."""

    def __init__(self, address: str, height: int):
        self.address, self.height = address, height

    def __repr__(self) -> str:
        return self.address

    def _repr_html_(self) -> str:
        return (f'<iframe src="{escape(self.address)}" title="A game of Ticket to Ride" '
                f'width="100%" height="{self.height}" style="border: 0"></iframe>')


def show(
    game: Any, server: str = SERVER, *, at: int | None = None, seat: int | None = None,
    speed: float | str | None = None, height: int = 600,
) -> Shown:
    """Return a public game to be shown in a notebook, live or as a replay.

    ``game`` is its id, or an object with ``["id"]``, such as a view. ``at`` is the version to begin
    with, by default the latest; ``seat`` whose cards are open, once the game is over; ``speed`` how
    many entries a second to play by itself, "real" or "max". ``height`` is in pixels. The
    notebook's browser has to reach the ``server``.
    """
    given = {"embed": 1, "at": at, "seat": seat, "speed": speed}
    query = urlencode({name: value for name, value in given.items() if value is not None})
    name = game if isinstance(game, str) else game["id"]
    return Shown(f"{server.rstrip('/')}/games/{segment(name)}?{query}", height)
