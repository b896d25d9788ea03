"""Each lane has one delivery at a time, even if processes die."""

from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from functools import partial
from hashlib import sha256
from secrets import token_hex
from threading import Event

import pytest

import workers.lanes
from service.games.notices import Fact
from service.store.queue import Queues
from service.webhooks.lanes import LANES, WORK, Delivery
from tests.receivers import receiver
from tests.service.api.callers import Caller, sign_up
from tests.service.webhooks.hooks import HOOKS, attempts, expire_leases, register, wait_for
from workers import deliver, tokens
from workers.lanes import Shares
from workers.queue import Job


def test_calls_of_a_game_take_one_lane_and_the_same_fact_is_the_same_call():
    one, other = (Delivery("w_1", Fact(kind, "g_1", 0, 5)) for kind in ("started", "over"))
    assert one.lane == other.lane
    assert one.id != other.id
    assert Delivery.of("w_1", one.member) == one
    assert Delivery("w_2", one.fact).id != one.id


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


def test_a_report_that_comes_twice_counts_once(ada, grace, game, lanes, heard):
    heard.answer = lambda _: (500,)
    hook = register(ada, heard.url)
    ask = asking(lanes())
    report = deliver.report_on(ask("one"))
    for _ in range(2):
        assert ask("one", report) is None
    assert [row["attempt"] for row in attempts(ada, hook)] == [1]


def test_a_lane_that_one_worker_serves_no_other_does(
    redis, ada, grace, game, lanes, heard, sweep
):
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
    ping(ada, *webhook_and_lane(lane))
    deliver.deliver(lane.name)
    assert len(heard.calls) == 1
    assert lanes().name == lane.name
    deliver.deliver(lane.name)
    assert len(heard.calls) == 2
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


class Hanging:
    """A worker with so many slots, and a receiver that answers when it is told to. ``seconds`` is
    the worker's clock."""

    def __init__(self, threads: int):
        self.seconds, self.count = 0.0, 4 * threads
        self.shares = Shares(threads, self.count, lambda: self.seconds)
        self._let_go, self._served = Event(), 0
        self._under_way = list[tuple[str, Future]]()

    def __enter__(self) -> "Hanging":
        with ExitStack() as stack:
            self._threads = stack.enter_context(ThreadPoolExecutor(self.count))
            self.slow = stack.enter_context(receiver(lambda _: self._let_go.wait(60) and (204,)))
            stack.callback(self._let_go.set)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error) -> None:
        self._stack.__exit__(*error)

    def serve(self) -> Counter[str]:
        """Serve lanes with the threads that are free; return how many lanes of each account."""
        lanes = Counter[str]()
        while sum(not call.done() for _, call in self._under_way) < self.count and (
                lane := self.shares.take()):
            self._under_way.append((lane.payer, self._threads.submit(self._call, lane)))
            lanes[lane.payer] += 1
        return lanes

    def _call(self, lane: Job) -> None:
        deliver.deliver(lane.name, partial(self.shares.calling, lane.payer))
        self.shares.give_back(lane)

    def wait_for(self, account: str) -> None:
        """Return when the calls for an account are over."""
        wait([call for name, call in self._under_way if name == account])

    def end(self, calls: int) -> None:
        """Let the receiver answer, once it has so many more calls, after three seconds."""
        self._served += calls
        wait_for(lambda: len(self.slow.calls) == self._served)
        self.seconds += 3
        self._let_go.set()
        wait([call for _, call in self._under_way])
        self._under_way.clear()
        self._let_go.clear()


def test_slow_accounts_get_half_of_the_slots_together(app, redis, ada, heard, monkeypatch):
    with Hanging(8) as worker:
        hook = register(ada, heard.url)
        for _ in range(6):
            account = sign_up(app, "Slow")
            fill(account, register(account, worker.slow.url))
        assert worker.serve().total() == 7  # nobody knows yet that they are slow
        worker.end(7)
        assert worker.serve().total() == 4
        fill(ada, hook)
        assert worker.serve()[ada.id] >= 1
        worker.wait_for(ada.id)
        assert len(heard.calls) > 1
        worker.end(4)
        monkeypatch.setattr(workers.lanes, "REMEMBERED_S", 0)
        served = worker.serve()
        assert served.total() - served[ada.id] > 4


@pytest.mark.parametrize("were_quick", [False, True])
def test_accounts_that_hang_hold_no_slot_after_two_seconds(app, redis, ada, heard, were_quick):
    """Each of them has one call under way, some more than there are slots."""
    with Hanging(8) as worker:
        hook, hooks = register(ada, heard.url), []
        for _ in range(12):
            account = sign_up(app, "Turncoat")
            hooks.append((account, register(account, worker.slow.url)))
            if were_quick:
                with worker.shares.calling(account.id):
                    pass
        for account, of_account in hooks:
            ping(account, of_account["id"], 0)
        assert worker.serve().total() == 8
        wait_for(lambda: len(worker.slow.calls) == 8)
        ping(ada, hook["id"], 0)
        assert not worker.serve()
        worker.seconds += workers.lanes.SLOW_S
        assert worker.serve() == {ada.id: 1} | dict.fromkeys(
            (account.id for account, _ in hooks[8:]), 1)
        worker.wait_for(ada.id)
        assert len(heard.calls) == 1
        worker.end(12)


def test_a_worker_has_no_more_threads_than_it_may(redis):
    seconds = [0.0]
    shares = Shares(2, 3, lambda: seconds[0])
    for number in range(4):
        Queues(redis).put(WORK, f"p_{number}", f"w_{number}-0")
    with ExitStack() as calls:
        for most in (2, 1, 0):  # new ones that may begin
            taken = []
            while lane := shares.take():
                taken.append(lane)
                calls.enter_context(shares.calling(lane.payer))
            assert len(taken) == most
            seconds[0] += workers.lanes.SLOW_S
        assert not shares.has_room()


def test_a_lane_is_served_although_a_call_under_way_never_ends(redis, monkeypatch):
    seconds, served, is_over = [0.0], [], Event()

    def hang(name: str, calling) -> None:
        with calling():
            served.append(name)
            is_over.wait(60)

    monkeypatch.setattr(deliver, "deliver", hang)
    monkeypatch.setattr(deliver, "shares", Shares(1, 2, lambda: seconds[0]))
    for number, most in enumerate((1, 1, 2)):
        Queues(redis).put(WORK, f"p_{number}", f"w_{number}-0")
        seconds[0] += 0.7 * workers.lanes.SLOW_S
        deliver.serve(0.2)
        wait_for(lambda most=most: len(served) == most)
    assert served == ["w_0-0", "w_1-0"]
    is_over.set()


def asking(lane):
    """Return what asks for the next delivery of a lane, as a worker of some name would."""
    webhook, number = webhook_and_lane(lane)
    path = f"/internal/webhooks/{webhook}/lanes/{number}"
    return lambda worker, report={}: tokens.service().post(path, {"worker": worker} | report)


def webhook_and_lane(job: Job) -> tuple[str, int]:
    webhook, _, lane = job.name.rpartition("-")
    return webhook, int(lane)


def fill(caller, hook: dict) -> None:
    """Make a delivery due in every lane of a webhook."""
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
