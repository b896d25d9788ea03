"""The lists of games under way, made anew from the histories."""

from service.api.serving import services
from service.games import buckets, index, listing, workers
from service.records import rebuilding
from service.store.games import GameStore
from service.store.tournaments import TournamentStore
from tests.service.api.callers import begin as begun
from tests.service.looks import sweep
from tests.service.store.stored import BOARDS, begin


def rebuild(store: GameStore, progress=lambda some_id: None) -> None:
    rebuilding.lists(store, TournamentStore(store.redis), progress)


def test_rebuilding_makes_every_index_and_head_from_the_histories(redis):
    store = GameStore(redis, BOARDS)
    game = begin(store)
    other = begin(store, "g_" + "1" * 20)
    for built in (game, other):
        listing.project(store, built)
    before = index.games_page(store, index.GameFilter("playing", player="p0"), before=None, limit=9)
    assert len(before[0]) == 2
    derived = [key for key in redis.scan_iter("*") if not key.endswith(b":log")]
    redis.delete(*derived)
    redis.zadd(buckets.keys("lobby")[0], {"g_" + "2" * 20: 1})  # a game without history
    rebuild(store)
    after = index.games_page(store, index.GameFilter("playing", player="p0"), before=None, limit=9)
    assert after == before
    assert not any(map(redis.zcard, buckets.keys("lobby")))


def test_for_whom_games_wait_and_until_when_is_found_again_after_a_rebuild(app, ada, grace, redis):
    games = services(app).games
    timed = begun(ada, grace, clock={"per_decision": 60})
    waiting = ada.post("/v1/games", {"board": "usa", "seats": [{"bot": "random"}] * 2}).json["id"]
    redis.delete(*redis.scan_iter("{games:*"), games.store.key(waiting, "bots"))
    games.queue.connection.delete(workers.GAMES)
    rebuild(games.store)
    sweep(games)
    deadlines = [game for key in buckets.keys("deadlines") for game in redis.zrange(key, 0, -1)]
    assert deadlines == [timed.encode()]
    assert workers.waiting(games.queue) == {waiting}


def test_a_game_that_is_created_during_a_rebuild_stays_in_its_lists(redis):
    store = GameStore(redis, BOARDS)
    listing.project(store, begin(store))
    rebuild(store, lambda _: listing.project(store, begin(store, "g_" + "1" * 20)))
    games, _ = index.games_page(store, index.GameFilter("playing"), before=None, limit=9)
    assert len(games) == 2
