"""The service's time, on a machine whose clock is set while it runs."""

import time

import pytest

from domain.game.proof import Proof
from service.games.clocks import LEAST_PAUSE_MS
from service.games.playing import enforce_deadlines
from service.times import CLOCK, ServiceClock, in_ms, now_in_ms
from tests.service.callers import begin, keep_tickets

HOUR = 3600  # seconds
SECOND = 1_000_000_000  # nanoseconds
DRAW = {"type": "draw_card", "from": "deck"}


@pytest.fixture
def set_clock(monkeypatch):
    """Set the machine's clock: so many seconds off; in the end it is right again."""
    monkeypatch.setattr(CLOCK, "_since", CLOCK._since)  # and so is the service's

    def set_clock(seconds: float) -> None:
        monkeypatch.setattr(
            "service.times._machine_ns", lambda: time.time_ns() + int(seconds * SECOND)
        )

    return set_clock


def test_time_follows_a_clock_that_is_set_far_forward(set_clock):
    clock = ServiceClock()
    set_clock(HOUR)
    assert abs(clock.now() - time.time_ns()) < SECOND  # not before it is looked at
    clock.follow()
    assert abs(clock.ahead()) < SECOND


def test_time_runs_slower_while_it_is_ahead_and_never_backwards(set_clock):
    clock = ServiceClock()
    set_clock(-HOUR)
    seen = [clock.now()]
    start, began = time.monotonic_ns(), clock.now()
    for _ in range(300):
        clock.follow()
        seen.append(clock.now())
        time.sleep(0.001)
    assert seen == sorted(seen)
    took, passed = time.monotonic_ns() - start, clock.now() - began
    assert passed / took == pytest.approx(0.9, abs=0.02)


def test_a_small_difference_is_made_up_for_bit_by_bit(set_clock):
    clock = ServiceClock()
    set_clock(1)
    before = clock.now()
    clock.follow()
    assert clock.now() - before < SECOND / 10
    time.sleep(0.2)
    assert SECOND * 0.97 < -clock.ahead() < SECOND * 0.99


def test_a_game_outlives_a_clock_that_goes_an_hour_forward_and_back(
    set_clock, games, ada, grace, redis
):
    """Its times never run backwards, nobody loses by it, and its history is right."""
    game = begin(ada, grace, clock={"per_decision": 5})
    keep_tickets(game, ada, grace)
    for players_turn, offset in enumerate([0, HOUR, HOUR, 0, -HOUR, 2 * HOUR, 0, 0]):
        set_clock(offset)
        games.clocks.beat()
        enforce_deadlines(games)
        player = (ada, grace)[players_turn % 2]
        player.play(game, DRAW)
        games.clocks.beat()
        enforce_deadlines(games)
        player.play(game, DRAW)
    [deadline] = games.clocks.deadlines(games.get(game)).values()
    assert 3_000 < deadline - now_in_ms() <= 5_000
    ada.play(game, {"type": "resign"})

    entries = ada.get(f"/v1/games/{game}/events").json["items"]
    times = [in_ms(entry["at"]) for entry in entries]
    assert times == sorted(times)
    assert all(
        row["available"] <= row["arrived"] <= row["at"] for row in entries if "arrived" in row
    )
    assert [row["paused"] // 1000 // HOUR for row in entries if "paused" in row] == [1, 1]
    pauses = [tuple(map(int, row.split(b"-"))) for row in redis.zrange("{fogg}:pauses", 0, -1)]
    assert all(end - start > LEAST_PAUSE_MS and end <= now_in_ms() for start, end in pauses)
    proof = Proof({games.store.boards["usa"].digest: games.store.boards["usa"]})
    for entry in entries:
        proof.add(entry)


def test_the_processes_of_a_service_agree_on_the_time_that_is_ahead(set_clock, games, redis):
    set_clock(0)
    ahead = now_in_ms() + HOUR * 1000
    redis.set("{fogg}:beat", ahead)  # of another machine
    games.clocks.beat()
    assert ahead <= now_in_ms() < ahead + 10_000


def test_an_entry_is_never_older_than_the_one_before(ada, grace, games, monkeypatch):
    game = begin(ada, grace)
    monkeypatch.setattr("service.eventlog.store.now", lambda: "2001-01-01T00:00:00.000Z")
    keep_tickets(game, ada, grace)
    first, *more = [entry["at"] for entry in ada.get(f"/v1/games/{game}/events").json["items"]]
    assert [first, *more] == sorted([first, *more])
