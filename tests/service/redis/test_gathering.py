"""Work that is done side by side: its commands travel together, and each is answered on its own."""

from functools import partial

import pytest
from redis import ConnectionError, ResponseError

from service.app import create_app
from service.redis.connection import EmbeddedRedis, connect
from service.redis.gathering import Result, gather
from service.redis.scripts import Script
from tests.service.callers import Caller, begin, keep_tickets

ADD = Script(__file__, "add.lua")


def reads(redis) -> int:
    """Return how often the server has read what it was sent."""
    return redis.info("stats")["total_reads_processed"]


def outcomes_of(works) -> list[Result]:
    results = [Result(work) for work in works]
    gather(outcome.do for outcome in results)
    return results


def test_each_is_answered_as_if_it_were_alone(redis):
    redis.script_flush()

    def work(number: int) -> tuple:
        pipe = redis.pipeline(transaction=False)
        pipe.set(f"{{{number}}}:a", number)
        pipe.get(f"{{{number}}}:a")
        both = pipe.execute()
        with redis.pipeline() as transaction:
            transaction.set(f"{{{number}}}:b", 10)
            transaction.execute()
        added = ADD(redis, number=f"{{{number}}}:b", summand=number)
        return *both, added, redis.zscore("none", "x")

    results = outcomes_of(lambda number=number: work(number) for number in range(30))
    assert [one.result for one in results] == [
        (True, b"%d" % number, 10 + number, None) for number in range(30)
    ]


def test_an_error_is_raised_where_its_command_was_sent(redis):
    redis.set("text", "x")

    def work(key: str):
        return redis.incr(key)

    def several():
        pipe = redis.pipeline(transaction=False)
        pipe.set("done", 1)
        pipe.incr("text")
        pipe.set("done too", 1)
        pipe.execute()

    one, two, three, four = outcomes_of(
        [lambda: work("one"), lambda: work("text"), several, lambda: [][0]]
    )
    assert one.result == 1
    assert isinstance(two.error, ResponseError)
    assert isinstance(three.error, ResponseError)
    assert isinstance(four.error, IndexError)
    assert redis.exists("done", "done too") == 2


def test_those_who_ask_at_one_time_are_answered_in_one_round_trip(tmp_path):
    with EmbeddedRedis(tmp_path) as server, connect(server.url) as redis:  # that nobody else asks
        before = reads(redis)

        def work(number: int) -> int:
            for _ in range(number % 5):
                redis.incr(f"{number}")
            pipe = redis.pipeline(transaction=False)
            pipe.incr(f"{number}")
            pipe.get(f"{number}")
            return int(pipe.execute()[1])

        results = outcomes_of(lambda number=number: work(number) for number in range(50))
        assert [one.result for one in results] == [number % 5 + 1 for number in range(50)]
        assert reads(redis) - before < 10


def test_actions_in_many_games_take_few_round_trips_also_where_they_are_stale_and_have_clocks(
    connection, redis, ada, grace
):
    games = []
    for _ in range(20):  # one after the other, as nobody gets so many open seats without playing
        games.append(begin(ada, grace, clock={"per_decision": 60}))
        keep_tickets(games[-1], grace)
    other = Caller(create_app(connection), ada.account)

    def together(action: dict) -> list[int]:
        wish = {"items": [{"game": game} | action for game in games]}
        return [item["status"] for item in other.post("/v1/me/actions", wish).json["items"]]

    together({})
    for game in games:
        keep_tickets(game, ada)
    before = reads(redis)
    assert together({"action": {"type": "draw_card", "from": "deck"}}) == [200] * 20
    assert reads(redis) - before < 20


def test_the_first_error_is_raised_after_all_have_ended_and_nothing_is_printed(redis, capfd):
    def fail(error: type[Exception]) -> None:
        redis.incr("failed")
        raise error

    with pytest.raises(KeyError):
        gather([partial(fail, KeyError), partial(fail, ValueError), partial(redis.incr, "done")])
    assert redis.mget("failed", "done") == [b"2", b"1"]
    assert capfd.readouterr() == ("", "")


def test_the_error_of_a_dead_server_reaches_all_pieces(tmp_path):
    with EmbeddedRedis(tmp_path) as server:
        client = connect(server.url, retry=False)
        client.ping()
    results = outcomes_of(lambda: client.get("x") for _ in range(3))
    assert all(isinstance(one.error, ConnectionError) for one in results)
