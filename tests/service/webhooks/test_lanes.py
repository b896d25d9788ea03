"""Each lane has one delivery at a time, even if processes die."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from hashlib import sha256
from secrets import token_hex
from threading import Event

import workers.lanes
from service.games.notices import Fact
from service.webhooks.lanes import LANES, LEASE, Delivery
from tests.receivers import receiver
from tests.service.api.callers import Caller, sign_up
from tests.service.webhooks.hooks import HOOKS, attempts, expire_leases, register, wait_for
from workers import deliver, tokens
from workers.lanes import Lane, Shares


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
    redis, ada, grace, game, lanes, heard
):
    hook = register(ada, heard.url)
    lane = lanes()
    ask = asking(lane)
    deliver.report_on(ask("dies"))  # and here it dies, and tells nobody
    expire_leases(redis, hook)
    deliver.deliver_lane(lane.webhook, lane.number)
    assert len(heard.calls) == 2
    assert len({headers["webhook-id"] for headers in heard.headers}) == 1
    assert [row["attempt"] for row in attempts(ada, hook)] == [1]


def test_a_report_that_comes_twice_counts_once(ada, grace, game, lanes, heard):
    heard.answer = lambda _: (500,)
    hook = register(ada, heard.url)
    ask = asking(lanes())
    report = deliver.report_on(ask("one"))
    for _ in range(2):
        assert ask("one", report) is None
    assert [row["attempt"] for row in attempts(ada, hook)] == [1]


def test_a_lane_that_waits_for_longer_than_its_lease_is_served_once(
    redis, ada, grace, game, jobs, heard, sweep
):
    hook = register(ada, heard.url)
    for _ in range(3):
        expire_leases(redis, hook)
        sweep()
    assert jobs() == 1
    assert len(heard.calls) == 1


def test_a_lane_that_one_worker_serves_no_other_does(
    redis, ada, grace, game, lanes, heard, sweep
):
    """The lane was taken just as the sweep put it in line once more."""
    hook = register(ada, heard.url)
    first = lanes()
    expire_leases(redis, hook)
    sweep()
    second = lanes()
    assert second == first
    ask = asking(first)
    call = ask("one")
    assert ask("other") is None
    assert ask("one", deliver.report_on(call)) is None  # nothing else is due
    assert [row["status"] for row in attempts(ada, hook)] == [204]
    assert len(heard.calls) == 1


def test_a_worker_whose_lease_has_expired_leaves_the_lane_to_the_next(
    redis, ada, grace, game, lanes, heard
):
    hook = register(ada, heard.url)
    ask = asking(lanes())
    call = ask("slow")
    expire_leases(redis, hook)
    assert ask("next")["call"] == call["call"]
    assert ask("slow", deliver.report_on(call) | {"last": True}) is None
    key = f"{{w:{hook['id']}}}:lane:{call['call'][0]}"
    assert redis.get(key) == b"next"


def test_a_worker_that_wants_no_more_leaves_what_is_due_to_another(
    redis, ada, grace, game, lanes, heard, monkeypatch
):
    """In the lane are a ping and a turn of which nobody has been told yet."""
    monkeypatch.setattr(deliver, "SLICE_S", 0)
    register(ada, heard.url)
    lane = lanes()
    ping(ada, lane.webhook, lane.number)
    deliver.deliver_lane(lane.webhook, lane.number)
    assert len(heard.calls) == 1
    assert lanes() == lane
    deliver.deliver_lane(lane.webhook, lane.number)
    assert len(heard.calls) == 2
    assert lanes() is None


def test_accounts_take_turns_and_a_bot_is_its_owners(app, ada, grace, lanes, heard):
    bot = Caller(app, ada.post("/v1/me/bots", {"name": "Adabot"}).json)
    for caller in (ada, bot, grace):
        fill(caller, register(caller, heard.url))
    found = [lanes().account for _ in range(8)]
    assert found == [ada.id, grace.id] * 4


def test_an_account_has_as_many_threads_as_are_free_besides(redis, ada, grace, heard):
    shares = Shares(8)
    for _ in range(2):
        fill(ada, register(ada, heard.url))
    hers = [lane for _ in range(8) if (lane := shares.take(redis))]
    assert len(hers) == 4
    fill(grace, register(grace, heard.url))
    theirs = [lane for _ in range(8) if (lane := shares.take(redis))]
    assert [lane.account for lane in theirs] == [grace.id] * 2
    for lane in hers[:2]:
        shares.give_back(lane)
    assert shares.take(redis).account == ada.id


def test_slow_accounts_get_half_of_the_threads_together(app, redis, ada, grace, heard, monkeypatch):
    """Make a delivery due in every lane of a webhook."""
    monkeypatch.setattr(workers.lanes, "SLOW_S", 0.05)
    shares, let_go, under_way = Shares(8), Event(), []

    def call(lane: Lane) -> None:
        deliver.deliver_lane(lane.webhook, lane.number, partial(shares.calling, lane.account))
        shares.give_back(lane)

    def serve() -> list[str]:
        """Serve lanes with the threads that are free; return the accounts that were served."""
        found = []
        while len(under_way) < 8 and (lane := shares.take(redis)):
            under_way.append(threads.submit(call, lane))
            found.append(lane.account)
        return found

    def end() -> None:
        wait_for(lambda: len(slow.calls) == served)
        let_go.wait(0.1)  # so that all of them have lasted long enough to be slow
        let_go.set()
        wait(under_way)
        under_way.clear()
        let_go.clear()

    with ThreadPoolExecutor(8) as threads, receiver(lambda _: let_go.wait(60) and (204,)) as slow:
        accounts = [sign_up(app, "Slow") for _ in range(8)]
        for account in accounts:
            fill(account, register(account, slow.url))
        served = len(serve())
        assert served == 8  # nobody knows yet that they are slow
        end()
        fill(grace, register(grace, slow.url))
        of_slow = Counter(serve())
        served += of_slow.total()
        assert of_slow.pop(grace.id) == 2
        assert of_slow.total() == 4
        wait_for(lambda: len(slow.calls) == served)
        fill(ada, register(ada, heard.url))
        assert serve() == [ada.id]
        wait_for(lambda: heard.calls)
        end()
        monkeypatch.setattr(workers.lanes, "REMEMBERED_S", 0)
        assert len(serve()) == 8
        let_go.set()


def asking(lane):
    """Return what asks for the next delivery of a lane, as a worker of some name would."""
    path = f"/internal/webhooks/{lane.webhook}/lanes/{lane.number}"
    return lambda worker, report={}: tokens.service().post(path, {"worker": worker} | report)


def fill(caller, hook: dict) -> None:
    """Let a delivery be due in every lane of a webhook."""
    for lane in range(LANES):
        ping(caller, hook["id"], lane)


def ping(caller, webhook: str, lane: int) -> None:
    """Ask for a ping that takes a lane."""
    while True:
        key = token_hex(8)
        name = sha256(f"ping\n{webhook}\n{key}".encode()).hexdigest()[:20]
        if Delivery(webhook, Fact("ping", name, 0, 0)).lane == lane:
            caller.post(f"{HOOKS}/{webhook}/pings", {}, headers={"Idempotency-Key": key})
            return
