"""Whose games a worker plays next: accounts take turns, and nobody waits behind a heap of games."""

from collections import Counter
from itertools import count
from random import Random

import pytest

from service.games import workers
from service.redis.queue import Queues
from tests.service.callers import Caller
from workers import queue

OPEN = [{"bot": "random"}, {"player": "me"}]
BUILT_IN = [{"bot": "random"}, {"bot": "greedy"}]
pytestmark = pytest.mark.usefixtures("worker_queue")


def create(caller, seats: list[dict]) -> str:
    return caller.post("/v1/games", {"board": "usa", "seats": seats}).json["id"]


def taken(count: int = 99) -> list[str]:
    """The games that are played next, without another turn for any."""
    names = []
    while len(names) < count and (jobs := queue.take({"guests": 1}) or queue.take({"bots": 1})):
        names.append(jobs[0].name)
    return names


def test_an_account_with_many_games_keeps_nobody_waiting(ada, grace):
    many = [create(ada, BUILT_IN) for _ in range(5)]
    one = create(grace, BUILT_IN)
    assert taken() == [many[0], one, *many[1:]]


def test_games_of_an_accounts_bots_and_tournaments_are_its_own(app, games, ada, grace):
    bot = Caller(app, ada.post("/v1/me/bots", {"name": "Adabot"}).json)
    mine = [create(caller, BUILT_IN) for caller in (ada, bot, ada, bot)]
    cup = ada.post(
        "/v1/tournaments",
        {"name": "Cup", "format": "round_robin", "boards": ["usa"], "seats": 2, "rounds": 1},
    ).json["id"]
    assert {games.answering_for(who) for who in (ada.id, bot.id, cup)} == {ada.id}
    theirs = create(grace, BUILT_IN)
    assert taken(2) == [mine[0], theirs]


def test_games_that_are_put_back_have_their_next_turn_after_the_others(ada, grace):
    many = [create(ada, BUILT_IN) for _ in range(3)]
    with_people = [create(ada, OPEN), create(grace, OPEN)]
    one = create(grace, BUILT_IN)
    chosen = queue.take({"guests": 9, "bots": 3})
    assert [job.name for job in chosen] == [*with_people, many[0], one, many[1]]
    assert [job.queue for job in chosen] == ["guests"] * 2 + ["bots"] * 3
    for job in chosen[2:]:
        queue.put_back(job._replace(value="bot_greedy_1"))
    again = queue.take({"guests": 9, "bots": 9}, ended=chosen)
    assert [job.name for job in again] == [many[2], one, many[0], many[1]]
    assert again[1][:4] == ("bots", one, grace.id, "bot_greedy_1")


def test_of_the_games_of_built_in_bots_a_worker_leaves_others_their_share(redis, ada):
    redis.sadd("rq:workers:bots", "one", "another")
    for _ in range(5):
        create(ada, BUILT_IN)
    assert [len(queue.take({"bots": 9})) for _ in range(4)] == [3, 1, 1, 0]


@pytest.mark.parametrize("seed", range(10))
def test_an_account_has_two_turns_at_most_while_another_waits_for_one(redis, seed):
    random, queues, number = Random(seed), Queues(redis), count()
    lines, turns = {payer: [] for payer in "abcd"}, {payer: Counter() for payer in "abcd"}
    for _ in range(200):
        if random.random() < 0.55:
            payer, name = random.choice("aaabbcd"), f"g_{next(number)}"
            if not lines[payer]:
                turns[payer].clear()
            queues.put(workers.BOTS, payer, name)
            lines[payer].append(name)
        elif any(lines.values()):
            [job] = queue.take({"bots": 1})
            assert job.name == lines[job.payer].pop(0)
            turns[job.payer].clear()
            for payer, of_others in turns.items():
                of_others[job.payer] += payer != job.payer and bool(lines[payer])
                assert of_others[job.payer] <= 2


def test_a_game_that_waits_already_is_not_put_there_again(ada, games):
    game = create(ada, BUILT_IN)
    workers.call(games.queues, games.get(game).state, ada.id)
    assert taken() == [game]


@pytest.mark.parametrize("keys", ["rq:*", "queue:*", "rq:queue:*", "rq:job:*", "*:names"])
def test_a_game_is_put_there_again_if_the_queue_was_lost(redis, ada, games, keys):
    game = create(ada, BUILT_IN)
    redis.delete(*redis.scan_iter(keys))
    workers.call(games.queues, games.get(game).state, ada.id)
    jobs = [job for _ in range(2) for job in queue.take({"bots": 1})]  # the first may be lost
    assert jobs[-1].name == game


def test_nothing_is_left_of_jobs_that_have_ended(ada, grace, redis):
    for caller in (ada, grace, ada):
        create(caller, OPEN)
    queue.take({}, ended=queue.take({"guests": 9}))
    assert [*redis.scan_iter("rq:*"), *redis.scan_iter("queue:*")] == [b"rq:queues"]
