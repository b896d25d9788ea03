"""The data that an archived game leaves in Redis."""

import pytest

from benchmarks import remains
from service.projections import ledger, tallies
from service.store import shelved_sets

GAMES = 60  # two thirds of them are rated: these fill whole pages of 20
MOST = {  # bytes of one more game, by pattern of keys
    "{g:ID}:archived": 300, "{log}:lines": 180, "{log}:places": 110,
    "{stats}:games": 120,
    # too few in each bucket for a page
    "{games:N}:all": 60, "{games:N}:finished": 60}


@pytest.fixture
def figures(monkeypatch) -> dict[str, float]:
    monkeypatch.setattr(shelved_sets, "KEPT", 0)
    for module, name in ((ledger, "ROWS"), (tallies, "ROWS"), (shelved_sets, "LISTED")):
        monkeypatch.setattr(module, name, 20)
    found = remains.measure(games=GAMES, players=8)
    return found["figures"]


def test_an_archived_game_leaves_its_lines_in_lists_and_in_the_log(figures):
    total = figures.pop("bytes of Redis for one more archived game")
    assert total < 700
    for name in ("rows", "history", "order"):
        assert figures.pop(f"{{ratings}}:{name}", 0) <= 1
    for name in ("{stats}:players:games", "player:ID:games", "player:ID:over"):
        assert figures.pop(name, 0) <= 1, name
    for name, most in MOST.items():
        assert figures.pop(name) <= most, name
    for name in ("{player:ID:games}:pages", "{player:ID:over}:pages"):
        assert figures.pop(name) <= 40  # a fifth of it with pages of a hundred games
    # The rest belongs to players, pairs of players, boards and months, or to pages of many games.
    assert sum(figures.values()) < 150, figures
