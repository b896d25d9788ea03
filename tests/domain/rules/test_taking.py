"""Of each seat it is shown which cards it took face up and has not laid; of the discards, which
cards they are (3.1)."""

from __future__ import annotations

from collections import Counter

import pytest

from domain.game.view import redacted, view
from tests.domain.games import random_game
from tests.domain.given import BOARDS


class Book:
    """The knowledge of a viewer without a seat who records everything shown."""

    def __init__(self, seats: int):
        self.taken = [Counter[str]() for _ in range(seats)]
        self.discarded = Counter[str]()
        self._row: list[str] = []
        self._before: Counter[str] | None = None  # of who is in a tunnel

    def read(self, event: dict) -> None:
        kind, seat = event["type"], event.get("seat")
        cards = event.get("cards", {})
        if kind == "card_drawn" and "place" in event:
            self.taken[seat][event["card"]] += 1
            self._row.pop(event["place"])
        elif kind == "card_turned":
            self._row.insert(event["place"], event["card"])
        elif kind == "row_discarded":
            self.discarded.update(self._row)
            self._row = []
        elif kind == "deck_shuffled":
            self.discarded.clear()
        elif kind == "tunnel_attempted":
            self._before = self.taken[seat]
            self.taken[seat] = self._before - Counter(cards)
        elif kind == "tunnel_withdrawn":
            self.taken[seat], self._before = self._before, None
        elif kind == "tunnel_cards_discarded":
            self.discarded.update(cards)
        elif kind == "route_claimed":
            self.taken[seat] = (self._before or self.taken[seat]) - Counter(cards)
            self._before = None
            self.discarded += Counter(cards)
            self.discarded -= Counter([event["kept"]] if "kept" in event else [])
        elif kind in ("station_built", "flag_completed"):
            self.taken[seat] -= Counter(cards if kind == "station_built" else {})
            self.discarded += Counter(cards)
        elif kind == "resigned":
            self.taken[seat], self._before = Counter(), None
            self.discarded += Counter(cards)


@pytest.mark.parametrize(
    ("board", "seed"), [*((board, 1) for board in BOARDS), ("europe", 2), ("usa", 3)]
)
def test_views_hold_what_books_kept_of_a_history_say(board, seed):
    table = BOARDS[board]
    game = random_game(table.players[-1], seed, claiming=0.3, leaving=0.001, board=table)
    book = Book(len(game.state.players))
    seen = set()
    for entry, state in zip(game.entries, game.states, strict=True):
        for event in redacted(entry, None, finished=False)["events"]:
            book.read(event)
            seen.add(event["type"])
        for viewer in (None, *state.seats):
            shown = view(state, viewer, sealed=False, listed="false")
            assert [row["taken"] for row in shown["seats"]] == book.taken
            assert shown["discarded"] == book.discarded
            assert shown["discards"] == book.discarded.total()
        for seat, taken in enumerate(book.taken):
            assert taken <= Counter(table.as_set(state.hands[seat]))
    assert {"deck_shuffled", "card_drawn", "route_claimed"} <= seen
