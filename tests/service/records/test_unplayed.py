"""Games that were over before anybody had played are deleted after a while."""

import time

import pytest

from domain.boards import load_folder
from domain.game.commands import AbortGame, CreateGame, Player
from domain.game.fold import play
from domain.game.state import State
from service.errors import UnknownThing
from service.eventlog.store import NewEntry
from service.games import listing
from service.games.store import GameStore, LoadedGame
from service.records import unplayed
from service.redis.secret import new_id

BOARDS = load_folder()


def aborted(store: GameStore) -> str:
    """A game that nobody came to."""
    game = LoadedGame(State(BOARDS["usa"]))
    command = CreateGame(new_id("g"), "p_0", ((Player("p_0", "Ada"), None), None), bytes(32))
    for done in (command, AbortGame("expired")):
        was = game.state
        game, _ = store.append(game, NewEntry(*play(game.state, None, done)))
        listing.project(store, game, was)
    return game.state.id


@pytest.mark.parametrize("is_in_redis", [True, False])
def test_an_unplayed_game_is_deleted_with_all_that_lists_it(
    redis, games, recorder, monkeypatch, is_in_redis
):
    game = aborted(games.store)
    cached = games.get(game)
    recorder.record(game)
    if not is_in_redis:
        redis.delete(*redis.scan_iter(f"*{game}*"))
    assert unplayed.delete(games) == 0  # somebody may ask for it, yet
    monkeypatch.setenv("FOGG_FORGET_DAYS", "0")
    time.sleep(0.01)
    assert unplayed.delete(games) == 1
    assert unplayed.delete(games) == 0
    with pytest.raises(UnknownThing):
        games.get(game)
    assert cached.state.id == game
    [gone] = redis.scan_iter(f"*{game}*")  # so that it is not taken for lost
    assert redis.ttl(gone) > 0
    members = [
        row
        for key in redis.scan_iter("*")
        if redis.type(key) == b"zset"
        for row in redis.zrange(key, 0, -1)
    ]
    assert game.encode() not in members
