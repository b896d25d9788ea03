"""One delivery of a lane at a time, whoever dies."""

from rq import Queue

from service.games.notices import Fact
from service.webhooks.lanes import LEASE, Delivery
from tests.service.webhooks.hooks import attempts, register
from workers import deliver, tokens


def test_calls_of_a_game_take_one_lane_and_the_same_fact_is_the_same_call():
    one, other = (Delivery("w_1", Fact(kind, "g_1", 0, 5)) for kind in ("started", "over"))
    assert one.lane == other.lane
    assert one.id != other.id
    assert Delivery.of("w_1", one.member) == one
    assert Delivery("w_2", one.fact).id != one.id


def test_a_lane_is_free_again_seconds_after_its_worker_has_died(redis, ada, grace, game, heard):
    hook = register(ada, heard.url)
    left = [redis.pttl(f"{{w:{hook['id']}}}:lane:{lane}") for lane in range(4)]
    assert 0 < max(left) <= LEASE


def test_a_worker_that_dies_after_the_call_makes_it_again_under_the_same_id(
    redis, ada, grace, game, heard
):
    hook = register(ada, heard.url)
    job = Queue("deliveries", connection=redis, serializer="json").jobs[0]
    path = f"/internal/webhooks/{hook['id']}/lanes/{job.args[1]}"
    deliver.report_on(tokens.service().post(path, {}))  # and here it dies, and tells nobody
    deliver.deliver_lane(*job.args)
    assert len(heard.calls) == 2
    assert len({headers["webhook-id"] for headers in heard.headers}) == 1
    assert [row["attempt"] for row in attempts(ada, hook)] == [1]


def test_a_report_that_comes_twice_counts_once(redis, ada, grace, game, heard):
    heard.answer = lambda _: (500,)
    hook = register(ada, heard.url)
    job = Queue("deliveries", connection=redis, serializer="json").jobs[0]
    path = f"/internal/webhooks/{hook['id']}/lanes/{job.args[1]}"
    report = deliver.report_on(tokens.service().post(path, {}))
    for _ in range(2):
        assert tokens.service().post(path, report) is None
    assert [row["attempt"] for row in attempts(ada, hook)] == [1]
