"""Pages of sorted sets, where many rows have the same score and rows come and go meanwhile."""

from random import Random

import pytest

from service.store.pages import NewestFirst, oldest, page_of_newest

KEYS = ["{a}:rows", "{b}:rows", "{c}:rows"]


def filled(redis, chance: Random, count: int) -> set[tuple[int, str]]:
    """Put rows with few different scores into the sets; return them."""
    rows = {(chance.randrange(12), f"g_{number:04d}") for number in range(count)}
    for at, row in rows:
        redis.zadd(chance.choice(KEYS), {row: at})
    return rows


@pytest.mark.parametrize("seed", range(5))
def test_pages_have_each_row_once_in_order(redis, seed):
    chance = Random(seed)
    rows = filled(redis, chance, 80)
    since, until = chance.choice([None, 3]), chance.choice([None, 9])
    should = sorted(((at, row) for at, row in rows if at >= (since or 0)
                     and (until is None or at < until)), reverse=True)
    for limit in (1, 2, 7, 100):
        listed, before = [], None
        while True:
            page, before = page_of_newest(lambda ids: ids, NewestFirst(redis, KEYS, since, until),
                                          before, limit)
            assert len(page) <= limit
            listed += page
            if before is None:
                break
        assert listed == [row for _, row in should]


def test_a_cursor_goes_on_after_rows_were_added_or_removed(redis):
    """Rows that stay are listed once; a row before the cursor is not."""
    chance = Random(1)
    stay, listed, before = filled(redis, chance, 60), [], None
    for number in range(1000):
        page, before = page_of_newest(lambda ids: ids, NewestFirst(redis, KEYS), before, 4)
        listed += page
        if before is None:
            break
        at, last = before.split(".")
        for key in KEYS:
            redis.zadd(key, {f"g_{number:04d}x{key}": at})
            redis.zrem(key, last)  # the row of the cursor itself
    assert [row for row in listed if "x" not in row] == [
        row for _, row in sorted(stay, reverse=True)]
    assert len(listed) == len({*listed})


def test_rows_are_read_from_the_oldest_on_after_any_place(redis):
    rows = [(at, f"g_{at}_{number}") for at in range(5) for number in range(5)]
    redis.zadd(KEYS[0], {row: at for at, row in rows})
    for place in [(0, ""), *rows, (2, "g_2_2x"), (9, "")]:
        for limit in (1, 3, 100):
            right = [row for row in rows if row > place][:limit]
            assert oldest(redis, KEYS[0], place, limit) == right
