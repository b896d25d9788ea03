"""The data that an archived game leaves in Redis."""

import pytest

from benchmarks import remains
from service.projections import ledger, tallies
from service.store import log, shelved_sets

GAMES = 60  # two thirds of them are rated: these fill whole pages of 20
MOST = {  # bytes of one more game, by pattern of keys
    "{g:ID}:archived": 300, "{log}:places": 110,
    # too few in each bucket for a page
    "{games:N}:all": 60, "{games:N}:finished": 60}


@pytest.fixture
def figures(monkeypatch) -> dict[str, float]:
    monkeypatch.setattr(shelved_sets, "KEEP_ROWS", 0)
    monkeypatch.setattr(log, "KEEP_LINES", 1)
    for module, name in ((ledger, "ROWS"), (tallies, "ROWS"), (log, "ROWS"),
                         (shelved_sets, "PAGE_ROWS")):
        monkeypatch.setattr(module, name, 20)
    found = remains.measure(games=GAMES, players=8)
    return found["figures"]


def test_an_archived_game_leaves_its_lines_in_lists_and_in_the_log(figures):
    total = figures.pop("bytes of Redis for one more archived game")
    assert total < 600  # less than 300 with full pages and many games
    for name in ("rows", "history", "order"):
        assert figures.pop(f"{{ratings}}:{name}", 0) <= 1
    for name in ("{stats}:players:games", "player:ID:games", "player:ID:over", "{stats}:games"):
        assert figures.pop(name, 0) <= 1, name
    assert figures.pop("{log}:lines", 0) <= 3  # its last lines have longer numbers
    for name, most in MOST.items():
        assert figures.pop(name) <= most, name
    for name in ("{player:ID:games}:pages", "{player:ID:over}:pages"):
        assert figures.pop(name) <= 40  # a fourth of it with pages of 75 games
    # The rest belongs to players, pairs of players, boards and months, or to pages of many games.
    assert sum(figures.values()) < 150, figures
