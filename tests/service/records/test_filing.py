"""All that is derived from histories, made anew from them."""

from service.games import index
from service.records import filing
from service.store.games import GameStore
from tests.service.store.stored import BOARDS, begin


def test_rebuilding_makes_every_index_and_head_from_the_histories(redis):
    store = GameStore(redis, BOARDS)
    game = begin(store)
    other = begin(store, "g_" + "1" * 20)
    for built in (game, other):
        filing.file(redis, built)
    before = index.games_page(store, index.GameFilter("playing", player="p0"), before=None, limit=9)
    assert len(before[0]) == 2
    derived = [key for key in redis.scan_iter("*") if not key.endswith(b":log")]
    redis.delete(*derived)
    redis.zadd("games:lobby", {"g_" + "2" * 20: 1})  # what no history knows
    assert filing.rebuild(store) == 2
    after = index.games_page(store, index.GameFilter("playing", player="p0"), before=None, limit=9)
    assert after == before
    assert redis.zcard("games:lobby") == 0
