"""Commands over connections that a client keeps."""

import threading

import pytest
from redis import ConnectionError, DataError, ResponseError
from redis.backoff import ExponentialWithJitterBackoff

from service.redis.connection import connect
from service.redis.gathering import gather
from tests.proxies import RedisLink


def clients(redis) -> set[str]:
    return {row["id"] for row in redis.client_list()}


def test_one_connection_serves_one_command_or_pipeline_after_another(redis_server):
    with connect(redis_server.url) as client:
        ids = set()
        for _ in range(3):
            pipe = client.pipeline(transaction=False)
            pipe.client_id()
            ids |= {*pipe.execute(), client.client_id()}
        assert len(ids) == 1


def test_a_command_whose_connection_was_ended_runs_on_another(redis, redis_server):
    with connect(redis_server.url) as client:
        client.set("key", 1)
        for _ in range(3):
            redis.client_kill_filter(_type="normal", skipme=True)
            assert client.get("key") == b"1"


def test_commands_that_travel_together_run_again_when_their_connection_was_ended(
    redis, redis_server
):
    with connect(redis_server.url) as client:
        counts = []
        for _ in range(3):
            redis.client_kill_filter(_type="normal", skipme=True)
            gather([lambda: counts.append(client.incr("count"))] * 5)
        assert sorted(counts) == [*range(1, 16)]


def test_an_error_of_redis_is_raised_and_the_connection_kept(redis, redis_server):
    with connect(redis_server.url) as client:
        client.set("key", "text")
        opened = clients(redis)
        with pytest.raises(ResponseError, match="wrong kind"):
            client.lpush("key", 1)
        assert client.get("key") == b"text"
        assert clients(redis) <= opened
        with pytest.raises(DataError):
            client.set("key", object())
        assert client.set("key", bytearray(b"bytes"))


def test_an_answer_that_nobody_has_asked_for_is_never_taken_for_another(redis, redis_server):
    with connect(redis_server.url) as client:
        client.set("key", "right")
        connection = client.connection_pool.get_connection()
        connection.send_command("ECHO", "stray")
        assert connection.can_read(timeout=5)  # it has come
        client._connections._idle.append(connection)
        assert client.get("key") == b"right"


@pytest.fixture(params=["nothing listens", "a proxy hangs up"])
def unreachable(request, tmp_path):
    """The URL of a Redis that cannot be reached."""
    nothing = f"unix://{tmp_path}/nothing"
    if request.param == "nothing listens":
        yield nothing
    else:
        with RedisLink(nothing) as link:
            yield link.url


@pytest.mark.parametrize(
    "ask",
    [
        lambda client: client.get("key"),
        lambda client: client.pipeline(transaction=False).get("key").execute(),
        lambda client: gather([lambda: client.get("key"), lambda: client.get("key")]),
    ],
    ids=["a-command", "a-pipeline", "a-group"],
)
def test_a_server_that_cannot_be_reached_is_tried_seven_times_not_twice_seven(
    ask, unreachable, monkeypatch
):
    failures, own = [], threading.get_ident()  # threads of applications may be asking, too

    def note(_, failure: int) -> float:
        if threading.get_ident() == own:
            failures.append(failure)
        return 0

    monkeypatch.setattr(ExponentialWithJitterBackoff, "compute", note)
    with connect(unreachable) as client, pytest.raises(ConnectionError):
        ask(client)
    assert failures == [1, 2, 3, 4, 5, 6]


def test_a_pipeline_is_answered_in_its_order_with_errors_in_their_places(redis):
    redis.set("text", "x")
    for _ in range(2):
        pipe = redis.pipeline(transaction=False)
        pipe.set("a", 1)
        pipe.incr("text")
        pipe.zadd("some", {"b": 2.5})
        pipe.zscore("some", "b")
        answers = pipe.execute(raise_on_error=False)
        assert answers[0] is True
        assert isinstance(answers[1], ResponseError)
        assert answers[3] == 2.5
        assert pipe.execute() == []
        pipe.incr("text")
        with pytest.raises(ResponseError, match=r"Command # 1 \(INCRBY text 1\)"):
            pipe.execute()


def test_a_pipeline_whose_connection_was_cut_runs_again(redis_server, redis):
    with RedisLink(redis_server.url) as link, connect(link.url) as client:
        for number in (1, 2):
            pipe = client.pipeline(transaction=False)
            pipe.set("a", number)
            pipe.get("a")
            link.cut_after("GET")
            assert pipe.execute() == [True, b"%d" % number]
            assert link.cuts == number
