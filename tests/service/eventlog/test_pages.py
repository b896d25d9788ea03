"""Pages of sorted sets, where many rows have the same score and rows come and go meanwhile."""

from functools import partial
from random import Random

import pytest

from service.eventlog.pages import NewestFirst, page_of_newest, place_of

KEYS = ["{a}:rows", "{b}:rows", "{c}:rows"]


class Both:
    """Rows that are partly in sorted sets of Redis, partly recorded."""

    def __init__(self, redis, chance: Random, count: int):
        self.redis, self.recorded = redis, set()
        self.rows = {(chance.randrange(12), f"g_{number:04d}") for number in range(count)}
        for place in self.rows:
            chance.choice([self.add, self.recorded.add])(place)

    def add(self, place: tuple[int, str]) -> None:
        self.redis.zadd(KEYS[place[0] % 3], {place[1]: place[0]})

    def record(self, place: tuple[int, str]) -> None:
        """Move a row, as the recorder does."""
        self.recorded.add(place)
        self.redis.zrem(KEYS[place[0] % 3], place[1])

    def heads(self, ids) -> list[dict]:
        return [{"id": some_id} for some_id in ids]

    def newest(self, since: int | None, below: tuple[int, str], limit: int):
        rows = sorted(row for row in self.recorded if (since or 0, "") <= row < below)[::-1][:limit]
        return ({row: {"id": row[1]} for row in rows}, rows[-1] if len(rows) == limit else None)

    def page(self, before: str | None, limit: int, since: int | None, until: int | None):
        page, before = page_of_newest(
            lambda heads: heads, self, NewestFirst(self.redis, KEYS, since),
            partial(self.newest, since), place_of(before, until), limit)
        assert len(page) <= limit
        return [head["id"] for head in page], before


@pytest.mark.parametrize("seed", range(5))
def test_pages_have_each_row_once_in_order_also_while_rows_are_recorded(redis, seed):
    chance = Random(seed)
    both = Both(redis, chance, 80)
    since, until = chance.choice([None, 3]), chance.choice([None, 9])
    should = sorted(((at, row) for at, row in both.rows if at >= (since or 0)
                     and (until is None or at < until)), reverse=True)
    for limit in (1, 2, 7, 100):
        listed, before = [], None
        while True:
            page, before = both.page(before, limit, since, until)
            listed += page
            if before is None:
                break
            for place in sorted(both.rows - both.recorded)[:1]:
                both.record(place)
        assert listed == [row for _, row in should]


def test_a_cursor_goes_on_after_rows_were_added_or_removed(redis):
    """Rows that stay are listed once; a row before the cursor is not."""
    both = Both(redis, Random(1), 60)
    listed, before = [], None
    for number in range(1000):
        page, before = both.page(before, 4, None, None)
        listed += page
        if before is None:
            break
        at, last = before.split(".")
        for key in KEYS:
            redis.zadd(key, {f"g_{number:04d}x{key}": at})
            redis.zrem(key, last)  # the row of the cursor itself
    assert [row for row in listed if "x" not in row] == [
        row for _, row in sorted(both.rows, reverse=True)]
    assert len(listed) == len({*listed})
