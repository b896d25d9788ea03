"""Pages of sorted sets, where many rows have the same score and rows come and go meanwhile."""

from random import Random

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

    def heads(self, ids) -> list[dict]:
        return [{"id": some_id} for some_id in ids]

    def newest(self, below: tuple[int, str], limit: int):
        rows = sorted(row for row in self.recorded if row < below)[::-1][:limit]
        return ({row: {"id": row[1]} for row in rows}, rows[-1] if len(rows) == limit else None)

    def page(self, before: str | None, limit: int):
        page, before = page_of_newest(
            lambda heads: heads,
            self,
            NewestFirst(self.redis, KEYS, None),
            self.newest,
            place_of(before, None),
            limit,
        )
        assert len(page) <= limit
        return [head["id"] for head in page], before


def test_a_cursor_goes_on_after_rows_were_added_or_removed(redis):
    """Rows that stay are listed once; a row before the cursor is not."""
    both = Both(redis, Random(1), 60)
    listed, before = [], None
    for number in range(1000):
        page, before = both.page(before, 4)
        listed += page
        if before is None:
            break
        at, last = before.split(".")
        for key in KEYS:
            redis.zadd(key, {f"g_{number:04d}x{key}": at})
            redis.zrem(key, last)  # the row of the cursor itself
    assert [row for row in listed if "x" not in row] == [
        row for _, row in sorted(both.rows, reverse=True)
    ]
    assert len(listed) == len({*listed})
