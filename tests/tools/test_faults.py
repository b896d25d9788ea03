"""A short run of the harness, and the parts that it stands on."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from tools.faults.ledger import ACKNOWLEDGED, REFUSED, UNKNOWN, Attempt, Ledger
from tools.faults.plan import KINDS, faults
from tools.faults.run import Run
from tools.faults.verdict import counted

SHORT = "cut,delay,kill,stop,memory"


@pytest.mark.deep
@pytest.mark.skipif(sys.platform != "linux", reason="the harness looks for processes in /proc")
def test_a_short_run_loses_nothing_plays_nothing_twice_and_shows_no_secret(tmp_path, seed):
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tools.faults",
            "--seed",
            str(seed),
            "--faults",
            "300",
            "--seconds",
            "40",
            "--bots",
            "16",
            "--played-on",
            "1",
            "--kinds",
            SHORT,
            "--data",
            str(tmp_path),
            "--json",
        ],
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr
    verdict = json.loads(done.stdout)
    assert verdict["violations"] == []
    assert sum(row["faults"] for row in verdict["rows"].values()) > 0
    assert sum(row["acknowledged"] for row in verdict["rows"].values()) > 00


def test_a_seed_repeats_its_plan():
    plan = faults(3, 500, [*KINDS])
    assert plan == faults(3, 500, [*KINDS])
    assert plan != faults(4, 500, [*KINDS])
    assert {fault.kind for fault in plan} == KINDS.keys()
    assert {fault.target for fault in plan if fault.kind == "cut"} == set(KINDS["cut"][1])


def attempt(action: str, known: int, outcome: str, version: int = 0, entry_hash: str = ""):
    return Attempt(
        0,
        "g_1",
        0,
        json.dumps({"type": action}),
        known,
        None,
        float(known),
        float(known),
        outcome,
        version,
        entry_hash,
    )


def verdict_on(attempts: list[Attempt], *actions: str, log: str = ""):
    ledger = Ledger(attempts=attempts, games={"g_1": 0.0}, finished={"g_1"})
    history = [
        (
            json.dumps(
                {"version": n, "seat": 0, "action": {"type": action}, "events": []}
            ).encode(),
            f"hash {n}",
        )
        for n, action in enumerate(actions, 1)
    ]
    return counted(Run(ledger, "http://127.0.0.1:9", [], {"g_1": history}, [], log))


def told_of(verdict, beginning: str) -> list[str]:
    return [words for words in verdict.violations if words.startswith(beginning)]


@pytest.mark.parametrize(
    ("attempts", "stored", "beginning", "count"),
    [
        (
            [
                attempt("pass", 0, ACKNOWLEDGED, 1, "hash 1"),
                attempt("pass", 1, ACKNOWLEDGED, 2, "another"),
            ],
            2,
            "lost: ",
            1,
        ),
        ([attempt("pass", 0, UNKNOWN)], 1, "stored", 0),
        ([attempt("pass", 0, UNKNOWN)], 0, "lost", 0),
        ([attempt("pass", 0, ACKNOWLEDGED, 2, "hash 2")], 2, "stored once more", 1),
        ([attempt("pass", 0, REFUSED)], 1, "refused, and stored", 1),
    ],
    ids=["lost", "unknown, stored", "unknown, not stored", "played twice", "refused, stored"],
)
def test_what_is_stored_is_compared_with_what_was_answered(attempts, stored, beginning, count):
    assert len(told_of(verdict_on(attempts, *["pass"] * stored), beginning)) == count


def test_an_action_that_names_no_version_may_come_to_one_that_was_lost():
    """A request with If-Match must not: it names the version that it is based on."""
    for has_version in (False, True):
        asked = replace(attempt("pass", 1, UNKNOWN), has_version=has_version)
        assert len(told_of(verdict_on([asked], "pass"), "stored once more")) == 1
        back = verdict_on([asked], "pass", log="g_1 has gone back from version 1 to 0")
        assert len(told_of(back, "stored once more")) == has_version
