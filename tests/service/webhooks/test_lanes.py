"""Each lane has one delivery at a time, even if processes die."""

from collections import Counter
from contextlib import ExitStack
from threading import Barrier, Event

import pytest

import workers.lanes
from service.redis.queue import Queues
from service.webhooks.lanes import WORK
from tests.receivers import receiver
from tests.service.callers import Caller, begin, keep_tickets
from tests.service.webhooks.hooks import HOOKS, attempts, expire_leases, register
from tests.waiting import until
from workers import deliver, tokens
from workers.lanes import Shares
from workers.queue import Job


def test_a_worker_that_dies_after_the_call_makes_it_again_under_the_same_id(
    redis, ada, grace, game, lanes, heard
):
    hook = register(ada, heard.url)
    lane = lanes()
    ask = asking(lane)
    deliver.report_on(ask("dies"))  # and here it dies, and tells nobody
    expire_leases(redis, hook)
    deliver.deliver(lane.name)
    assert len(heard.calls) == 2
    assert len({headers["webhook-id"] for headers in heard.headers}) == 1
    assert [row["attempt"] for row in attempts(ada, hook)] == [1]


def test_a_lane_that_one_worker_serves_no_other_does(redis, ada, grace, game, lanes, heard, sweep):
    """The lane was taken just as the sweep put it in line once more."""
    hook = register(ada, heard.url)
    first = lanes()
    expire_leases(redis, hook)
    sweep()
    second = lanes()
    assert second.name == first.name
    ask = asking(first)
    call = ask("one")
    assert ask("other") is None
    report = deliver.report_on(call)
    for _ in range(2):  # the answer to the first was lost
        assert ask("one", report) is None  # nothing else is due
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
    assert redis.get(f"{{w:{hook['id']}}}:lane:{game}") == b"next"


def test_a_worker_that_wants_no_more_leaves_what_is_due_to_another(
    ada, grace, lanes, heard, monkeypatch
):
    """In the lane are two calls: the game has started, and it is the account's turn."""
    monkeypatch.setattr(deliver, "SLICE_S", 0)
    register(ada, heard.url)
    begin(ada, grace)
    lane = lanes()
    deliver.deliver(lane.name)
    assert [call["type"] for call in heard.calls] == ["started"]
    assert lanes().name == lane.name
    deliver.deliver(lane.name)
    assert [call["type"] for call in heard.calls] == ["started", "your_turn"]
    assert lanes() is None


def test_accounts_take_turns_and_a_bot_is_its_owners(app, ada, grace, lanes, heard):
    bot = Caller(app, ada.post("/v1/me/bots", {"name": "Adabot"}).json)
    for caller in (ada, bot, grace):
        fill(caller, register(caller, heard.url))
    accounts = [lanes().payer for _ in range(8)]
    assert accounts == [ada.id, grace.id] * 4


def test_an_account_has_as_many_threads_as_are_free_besides(redis, ada, grace, heard):
    shares = Shares(8)
    for _ in range(2):
        fill(ada, register(ada, heard.url))
    hers = [lane for _ in range(8) if (lane := shares.take())]
    assert len(hers) == 4
    fill(grace, register(grace, heard.url))
    theirs = [lane for _ in range(8) if (lane := shares.take())]
    assert [lane.payer for lane in theirs] == [grace.id] * 2
    for lane in hers[:2]:
        shares.give_back(lane)
    assert shares.take().payer == ada.id


def test_the_calls_of_one_game_wait_for_no_other_game(ada, grace, monkeypatch):
    """Every call is answered once all are under way."""
    count = 12
    together = Barrier(count)
    monkeypatch.setattr(deliver, "shares", Shares(deliver.MAX_DELIVERIES))
    with receiver(lambda _: together.wait(30) and (204,)) as slow:
        register(ada, slow.url, events=["your_turn"])
        for _ in range(count):
            keep_tickets(begin(ada, grace), grace)
        while deliver.shares.is_busy() or not slow.calls:
            deliver.serve(0.1)
        assert len({call["game"] for call in slow.calls}) == count
    assert not together.broken


class Calls:
    """A worker with so many slots, whose calls hang. ``seconds`` is its clock."""

    def __init__(self, redis, slots: int, most: int = 99):
        self.seconds, self._queues, self._calls = 0.0, Queues(redis), list[ExitStack]()
        self.shares = Shares(slots, most, lambda: self.seconds)

    def put(self, account: str, lanes: int) -> None:
        for lane in range(lanes):
            self._queues.put(WORK, account, f"w_{account}-{lane}")

    @property
    def count(self) -> int:
        return len(self._calls)

    def begin(self) -> Counter[str]:
        """Begin a call for each lane that may be served; return how many of each account."""
        lanes = Counter[str]()
        while lane := self.shares.take():
            self._calls.append(ExitStack())
            self._calls[-1].callback(self.shares.give_back, lane)
            self._calls[-1].enter_context(self.shares.calling(lane.payer))
            lanes[lane.payer] += 1
        return lanes

    def end(self) -> None:
        """End all calls, after three seconds."""
        self.seconds += 3
        for call in self._calls:
            call.close()
        self._calls.clear()


def test_slow_accounts_get_half_of_the_slots_together(redis, monkeypatch):
    calls = Calls(redis, 8)
    for number in range(6):
        calls.put(f"p_{number}", 4)
    assert calls.begin().total() == 7  # nobody knows yet that they are slow
    calls.end()
    assert calls.begin().total() == 4
    calls.put("p_quick", 4)
    assert calls.begin() == {"p_quick": 2}
    calls.end()
    monkeypatch.setattr(workers.lanes, "REMEMBERED_S", 0)
    assert calls.begin().total() > 4


def test_slow_calls_of_one_account_hold_up_no_others_of_it(redis):
    calls = Calls(redis, 8, 20)
    calls.put("p_0", 30)
    assert calls.begin().total() == 4
    calls.end()
    calls.begin()
    for _ in range(5):
        calls.seconds += workers.lanes.SLOW_S
        calls.begin()
    assert calls.count == 8


@pytest.mark.parametrize("were_quick", [False, True])
def test_accounts_that_hang_hold_no_slot_after_two_seconds(redis, were_quick):
    """Each of them has one call under way, some more than there are slots."""
    calls = Calls(redis, 8)
    for number in range(12):
        calls.put(f"p_{number}", 1)
        if were_quick:
            with calls.shares.calling(f"p_{number}"):
                pass
    assert calls.begin().total() == 8
    calls.put("p_quick", 1)
    assert not calls.begin()
    calls.seconds += workers.lanes.SLOW_S
    assert calls.begin() == dict.fromkeys((*(f"p_{n}" for n in range(8, 12)), "p_quick"), 1)


def test_a_worker_has_no_more_threads_than_it_may(redis):
    calls = Calls(redis, 2, 3)
    for number in range(4):
        calls.put(f"p_{number}", 1)
    for new in (2, 1, 0):
        assert calls.begin().total() == new
        calls.seconds += workers.lanes.SLOW_S
    assert not calls.shares.has_room()
    calls.end()


def test_a_lane_is_served_although_a_call_under_way_never_ends(ada, grace, heard, monkeypatch):
    seconds, is_over = [0.0], Event()
    monkeypatch.setattr(deliver, "shares", Shares(1, 2, lambda: seconds[0]))
    with receiver(lambda _: is_over.wait(60) and (204,)) as slow:
        for caller, url in ((ada, slow.url), (grace, heard.url)):
            ping(caller, register(caller, url))
        deliver.serve(0.2)
        until(lambda: slow.calls)
        assert heard.calls == []
        seconds[0] += workers.lanes.SLOW_S
        deliver.serve(0.2)
        until(lambda: heard.calls)
        is_over.set()


def asking(job: Job):
    """Return what asks for the next delivery of a lane, as a worker of some name would."""
    webhook, _, lane = job.name.rpartition("-")
    path = f"/internal/webhooks/{webhook}/lanes/{lane}"
    return lambda worker, report={}: tokens.service().post(path, {"worker": worker} | report)


def fill(caller, hook: dict) -> None:
    """Make a delivery due in each of four lanes of a webhook."""
    for _ in range(4):
        ping(caller, hook)


def ping(caller, hook: dict) -> None:
    assert caller.post(f"{HOOKS}/{hook['id']}/pings", {}).status_code == 202
