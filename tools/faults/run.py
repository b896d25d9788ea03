"""One run: bots play in a world in which the faults of a plan happen, one after another."""

from __future__ import annotations

import bisect
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import redis

from tools.faults import stored
from tools.faults.callers import Round
from tools.faults.injectors import INJECTORS
from tools.faults.ledger import ACKNOWLEDGED, Attempt, Ledger
from tools.faults.plan import LOSING, Fault
from tools.faults.players import seat_players
from tools.faults.watchers import Watcher
from tools.faults.worlds import World

MAX_PENDING_CUTS = 12  # each waits for a matching request
RECENT_CUTS = 500  # checked for pending ones
RECOVERY_LIMIT_S = 60  # seconds within which the service must accept actions again
PLAYED_ON = 60  # seconds for which games go on after the last fault before they are resigned
RECENT = 3000  # actions among which the first after a fault is looked for
ENDS = 120  # seconds in which every game is over then


@dataclass
class Happened:
    """A fault that happened, and what came of it."""

    fault: Fault
    began: float
    ended: float = 0.0
    recovered: float | None = None  # seconds until an action was accepted again
    lost: list[Attempt] = field(default_factory=list)  # not stored any more after the fault


@dataclass
class Run:
    ledger: Ledger
    url: str  # of the service, over no link
    happened: list[Happened]
    histories: stored.Histories  # of every game, at the end
    ends: list[str]  # errors of threads that watch the service
    log: str  # the service's log without requests
    unfinished: list[str] = field(default_factory=list)
    recorded: stored.Recorded = stored.NOTHING

    def has_gone_back(self, game: str) -> bool:
        """Return whether clients or the log were informed of a game's rollback."""
        return self.ledger.said[game] > 0 or game in self.log


def run(
    world: World,
    plan: list[Fault],
    *,
    bots: int,
    seed: int,
    seconds: float,
    played_on: float = PLAYED_ON,
    judge: Callable[[Run], None] = lambda run: None,
) -> Run:
    """Play games with bots while a plan's faults happen, for at most so many seconds, and then
    until every game is over. Judge the run while the service still runs."""
    ledger = Ledger()
    common = Round(world.url, ledger, seed)
    players, tables = seat_players(common, bots)
    threads = [*players, *(Watcher(common, table) for table in tables)]
    for one in threads:
        one.start()
    happened: list[Happened] = []
    end = time.monotonic() + seconds
    _wait_for_action(world, ledger, time.monotonic())
    with ThreadPoolExecutor(MAX_PENDING_CUTS) as pool:
        cuts: list[Future] = []
        for fault in plan:
            if time.monotonic() > end:
                break
            time.sleep(fault.pause)
            world.mend()
            if fault.kind == "cut":
                cuts.append(pool.submit(_inject, world, ledger, fault))
            elif one := _inject(world, ledger, fault):
                happened.append(one)
            while sum(not one.done() for one in cuts[-RECENT_CUTS:]) >= MAX_PENDING_CUTS:
                time.sleep(0.002)
        happened += filter(None, [one.result() for one in cuts])
    happened.sort(key=lambda one: one.began)
    _wait_for_action(world, ledger, time.monotonic())
    quick = [one for one in happened if not one.fault.is_slow]
    for one, seconds in zip(quick, _back_after(ledger, [one.ended for one in quick]), strict=True):
        one.recovered = seconds
    common.is_ending.set()
    _finish(world, common, threads, played_on)
    recorded = stored.recorded(world, ledger.finished)
    histories = stored.histories(world, ledger.games)
    done = Run(
        ledger,
        world.direct,
        happened,
        histories,
        world.ends,
        _log(world.data),
        [
            game
            for game in ledger.games
            if game not in ledger.finished and (histories[game] or game not in ledger.gone)
        ],
        recorded,
    )
    judge(done)
    return done


def _inject(world: World, ledger: Ledger, fault: Fault) -> Happened | None:
    """Inject a fault; return its effect, or None if there was no target."""
    began = time.monotonic()
    try:
        if not INJECTORS[fault.kind](world, fault):
            return None
    except redis.RedisError:  # not back yet, so that nothing can be done to it
        return None
    one = Happened(fault, began, time.monotonic())
    if fault.kind in LOSING:
        one.lost = stored.lost(world, ledger)
        world.settle()
    if fault.is_slow:
        one.recovered = _wait_for_action(world, ledger, one.ended)
    return one


def _wait_for_action(world: World, ledger: Ledger, since: float) -> float | None:
    """Return how long after a moment an action was accepted that was asked for after it, in a game
    that was hit; None if none was for long."""
    while time.monotonic() < since + RECOVERY_LIMIT_S:
        accepted = [
            one.answered
            for one in ledger.attempts[-RECENT:]
            if one.outcome == ACKNOWLEDGED and one.sent > since and world.is_hit(one.game)
        ]
        if accepted:
            return min(accepted) - since
        world.mend()
        time.sleep(0.005)
    return None


def _back_after(ledger: Ledger, moments: list[float]) -> list[float | None]:
    """Return how long after each of some moments an action was accepted that was asked for after
    it, None where none was for long."""
    rows = sorted((one.sent, one.answered) for one in ledger.acknowledged())
    firsts, first = [], float("inf")  # the earliest response to any request sent from there on
    for _, answered in reversed(rows):
        first = min(first, answered)
        firsts.append(first)
    sent = [row[0] for row in rows]
    seconds = [
        firsts[::-1][bisect.bisect_right(sent, moment)] - moment
        if moment < (sent[-1] if sent else 0)
        else None
        for moment in moments
    ]
    return [each if each is not None and each < RECOVERY_LIMIT_S else None for each in seconds]


def _finish(world: World, common: Round, threads: list, played_on: float) -> None:
    began = time.monotonic()
    while any(one.is_alive() for one in threads) and time.monotonic() < began + played_on + ENDS:
        if time.monotonic() > began + played_on:
            common.gives_up.set()
        world.mend()
        time.sleep(0.1)


def _log(data: Path) -> str:
    """Return the warnings and errors that the service has logged."""
    lines = (
        line
        for path in sorted(data.glob("*.log"))
        for line in path.read_text(errors="replace").splitlines()
    )
    return "\n".join(line for line in lines if '"level":"info"' not in line.replace(" ", ""))
