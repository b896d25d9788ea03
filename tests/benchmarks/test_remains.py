"""The data that an archived game leaves in Redis."""

import pytest

from benchmarks import remains
from service.projections import ledger, tallies

GAMES = 60  # two thirds are rated: all fill whole pages of 20
MOST = {  # bytes of one more game, by pattern of keys
    "{g:ID}:archived": 300, "{log}:lines": 180, "{log}:places": 110,
    "player:ID:games": 130, "player:ID:over": 130, "{stats}:games": 120,
    "{games:N}:all": 60, "{games:N}:finished": 60}


@pytest.fixture
def figures(monkeypatch) -> dict[str, float]:
    for module in (ledger, tallies):
        monkeypatch.setattr(module, "ROWS", 20)
    found = remains.measure(games=GAMES, players=8)
    return found["figures"]


def test_an_archived_game_leaves_its_lines_in_lists_and_in_the_log(figures):
    total = figures.pop("bytes of Redis for one more archived game")
    assert total < 900
    for name in ("rows", "history", "order"):
        assert figures.pop(f"{{ratings}}:{name}", 0) <= 1
    assert figures.pop("{stats}:players:games", 0) <= 1
    for name, most in MOST.items():
        assert figures.pop(name) <= most, name
    # The rest belongs to players, pairs of players, boards and months, or to pages of many games.
    assert sum(figures.values()) < 150, figures
