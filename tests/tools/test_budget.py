"""The costs of operations stay within the committed budget."""

import subprocess
import sys

import pytest

from tools.budget.__main__ import VERSION
from tools.budget.costs import growth
from tools.budget.meter import COMMANDS, PYTHON, RECEIVED, SENDS, SENT, C, Meter


@pytest.mark.skipif(
    sys.version_info[:2] != VERSION,
    reason="calls are counted with the Python version of the budget alone",
)
def test_every_operation_stays_within_the_budget():
    run = subprocess.run(
        [sys.executable, "-m", "tools.budget"], capture_output=True, text=True, timeout=250
    )
    advice = "docs/architecture.md (The budget) says what to do."
    assert run.returncode == 0, f"{run.stdout}{run.stderr}\n{advice}"


def test_a_count_may_grow_by_one_percent_and_no_more():
    assert [*growth({}, {"action": {PYTHON: 1.0}})] == [f"action: {PYTHON}: 0 -> 1.0"]
    budget = {"action": {PYTHON: 500.0, SENDS: 1.0}}
    assert not [*growth(budget, {"action": {PYTHON: 505.0, SENDS: 1.0}})]
    assert [*growth(budget, {"action": {PYTHON: 505.5, SENDS: 2.0}})] == [
        f"action: {PYTHON}: 500.0 -> 505.5",
        f"action: {SENDS}: 1.0 -> 2.0",
    ]


def test_commands_to_redis_are_counted_exactly(redis, redis_server):
    redis.ping()
    with Meter(redis_server.url) as meter:
        meter.follow_this_thread()
        try:
            with meter.counting() as counts:
                meter.is_on = True
                redis.set("key", "value")
                meter.is_on = False
                redis.eval("redis.call('GET', KEYS[1]) return 1", 1, "key")
        finally:
            sys.setprofile(None)
    command = b"*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$5\r\nvalue\r\n"
    script = b"*4\r\n$4\r\nEVAL\r\n$35\r\n" + b"." * 35 + b"\r\n$1\r\n1\r\n$3\r\nkey\r\n"
    assert counts[COMMANDS] == 3
    assert (counts[SENT], counts[RECEIVED]) == (len(command) + len(script), len(b"+OK\r\n:1\r\n"))
    assert counts[SENDS] == 1
    assert counts[PYTHON] > 0 < counts[C]
