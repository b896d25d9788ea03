"""Whose games a worker plays next: accounts take turns, and nobody waits behind a heap of games."""

import pytest
from rq import Queue

from service.games import workers
from tests.service.api.callers import Caller
from workers import tokens, turns

OPEN = [{"bot": "random"}, {"player": "me"}]
BUILT_IN = [{"bot": "random"}, {"bot": "greedy"}]


@pytest.fixture
def queue(redis, redis_server, monkeypatch):
    monkeypatch.setattr(tokens, "queue_url", lambda: redis_server.url)
    turns._queue.cache_clear()
    yield Queue("bots", connection=redis, serializer="json")
    turns._queue.cache_clear()


def create(caller, seats: list[dict]) -> str:
    return caller.post("/v1/games", {"board": "usa", "seats": seats}).json["id"]


def taken(count: int = 99) -> list[str]:
    """The games that are played next, without another turn for any."""
    ids = []
    while len(ids) < count and (taken := turns.take(1) or turns.take(0, 1)):
        ids.append(taken[0].game)
    return ids


def test_an_account_with_many_games_keeps_nobody_waiting(queue, ada, grace):
    many = [create(ada, BUILT_IN) for _ in range(5)]
    one = create(grace, BUILT_IN)
    assert taken() == [many[0], one, *many[1:]]


def test_games_of_an_accounts_bots_and_tournaments_are_its_own(queue, app, games, ada, grace):
    bot = Caller(app, ada.post("/v1/me/bots", {"name": "Adabot"}).json)
    mine = [create(caller, BUILT_IN) for caller in (ada, bot, ada, bot)]
    cup = ada.post("/v1/tournaments", {"name": "Cup", "format": "round_robin", "boards": ["usa"],
                                       "seats": 2, "rounds": 1}).json["id"]
    assert {games.answering_for(who) for who in (ada.id, bot.id, cup)} == {ada.id}
    theirs = create(grace, BUILT_IN)
    assert taken(2) == [mine[0], theirs]


def test_games_with_people_come_before_those_of_built_in_bots_alone(queue, ada, grace):
    alone = [create(ada, BUILT_IN) for _ in range(3)]
    with_people = [create(ada, OPEN), create(grace, OPEN)]
    assert sorted(taken(2)) == sorted(with_people)
    assert taken() == alone


def test_a_game_that_was_played_has_its_next_turn_after_the_others(queue, ada):
    first, second = (create(ada, BUILT_IN) for _ in range(2))
    [turn] = turns.take(0, 1)
    assert turn.game == first
    [turn] = turns.take(0, 1, [turn._replace(bot="bot_greedy_1")])
    assert turn.game == second
    assert turns.take(0, 1) == [("bots", ada.id, first, "bot_greedy_1")]
    assert turns.take(9, 9) == []


def test_many_are_taken_at_once_in_the_same_order(queue, ada, grace):
    many = [create(ada, BUILT_IN) for _ in range(3)]
    with_people = [create(ada, OPEN), create(grace, OPEN)]
    one = create(grace, BUILT_IN)
    chosen = turns.take(9, 3)
    assert sorted(turn.game for turn in chosen[:2]) == sorted(with_people)
    assert [turn.game for turn in chosen[2:]] == [many[0], one, many[1]]
    assert {turn.kind for turn in chosen[:2]} == {"guests"}
    played = [turn._replace(bot="bot_greedy_1") for turn in chosen[2:]]
    assert turns.take(0, 0, played) == []
    assert [turn.game for turn in turns.take(9, 9)] == [many[2], one, many[0], many[1]]


def test_of_the_games_of_built_in_bots_a_worker_leaves_others_their_share(queue, redis, ada):
    redis.sadd("rq:workers:bots", "one", "another")
    for _ in range(5):
        create(ada, BUILT_IN)
    queue.empty()
    assert len(turns.take(0, 9)) == 3
    assert queue.count == 1  # for the other
    assert [len(turns.take(0, 9)) for _ in range(3)] == [1, 1, 0]
    assert queue.count == 1


def test_a_game_that_waits_already_is_not_put_there_again(queue, ada, games):
    game = create(ada, BUILT_IN)
    workers.call(games.queue, games.get(game).state, ada.id)
    assert queue.count == 1
    assert taken() == [game]


def test_a_worker_is_called_again_if_the_call_was_lost(queue, ada, games):
    game = create(ada, BUILT_IN)
    queue.empty()
    workers.call(games.queue, games.get(game).state, ada.id)
    assert queue.count == 1
    assert workers.waiting(games.queue) == {game}


def test_nothing_is_left_of_turns_that_were_taken(queue, ada, grace, redis):
    for caller in (ada, grace, ada):
        create(caller, OPEN)
    taken()
    assert list(redis.scan_iter("fogg:turns:*")) == []
