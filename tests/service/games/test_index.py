"""Lists of games."""

from dataclasses import replace

from service.games import index
from service.store.games import GameStore
from service.store.steps import Steps
from tests.service.store.stored import BOARDS, begin


def test_lists_are_paged_with_cursors_also_where_times_are_equal(redis):
    store = GameStore(redis, BOARDS)
    made = [f"g_{n:020d}" for n in range(7)]
    for game_id in made:
        steps = Steps(redis)
        index.add_steps(steps, replace(begin(store, game_id), created="2026-01-01T00:00:00.000Z"))
        steps.execute()
    listed, cursor = [], None
    while True:
        rows, cursor = index.games_page(store, index.GameFilter(), before=cursor, limit=3)
        listed += [row["id"] for row in rows]
        if cursor is None:
            break
    assert listed == made[::-1]
