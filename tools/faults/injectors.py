"""How each kind of fault is done. Each function does one to a world; it returns whether there was
anything to do it to, and returns at the moment from which the service may recover."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from tools.faults.links import Link
from tools.faults.plan import Fault
from tools.faults.worlds import STARTS, World, signal_all

APPEND, ACTION = b"EVALSHA", b"/actions HTTP/1.1"  # bytes in the requests that play an action
TORN = 400  # bytes that a torn file lacks, at most
JUMPS = (2, 60, 3600)  # seconds by which a clock jumps


def cut(world: World, fault: Fault) -> bool:
    """Cut one connection in the middle of an action, or of anything; or all of them."""
    side, moment = fault.target.split()
    link, holding = _link(world, side)
    if moment == "all":
        link.cut_all()
        return True
    if moment == "any":
        return link.cut("before", b"")
    return link.cut(moment, holding)


def delay(world: World, fault: Fault) -> bool:
    """Slow down all traffic for a while, or delay one response beyond its timeout."""
    link, holding = _link(world, fault.target.split()[0])
    if fault.target.endswith("late"):
        return link.cut("late", holding)
    link.delay(fault.seconds)
    time.sleep(2 * fault.seconds)
    link.delay(0)
    return True


def _link(world: World, side: str) -> tuple[Link, bytes]:
    return (world.clients, ACTION) if side == "clients" else (world.redis_link, APPEND)


def kill(world: World, fault: Fault) -> bool:
    """Kill a process, or all that answer requests."""
    pids = _there(world, fault.target)
    signal_all(pids if fault.target == "web all" else _one(pids, fault), "KILL")
    return bool(pids)


def crash(world: World, fault: Fault) -> bool:
    """Kill everything at once."""
    world.crash()
    return True


def stop(world: World, fault: Fault) -> bool:
    """Suspend a process for a while."""
    pids = _one(_there(world, fault.target), fault)
    signal_all(pids, "STOP")
    time.sleep(fault.seconds)
    signal_all(pids, "CONT")
    return bool(pids)


def _there(world: World, what: str) -> list[int]:
    """Return the processes of a kind, once there are any again."""
    end = time.monotonic() + STARTS
    while not (pids := world.pids(what)) and time.monotonic() < end:
        world.mend()
        time.sleep(0.05)
    return pids


def _one(pids: list[int], fault: Fault) -> list[int]:
    return pids and [sorted(pids)[fault.chance % len(pids)]]


def rolling(world: World, fault: Fault) -> bool:
    """Replace the web processes by new ones, one after another."""
    signal_all(world.pids("master"), "HUP")
    return True


def torn(world: World, fault: Fault) -> bool:
    """Kill Redis and cut the end off its file."""
    world.tear(1 + fault.chance % TORN)
    return True


def memory(world: World, fault: Fault) -> bool:
    """Take all memory from Redis for a while."""
    with world.store() as client:
        client.config_set("maxmemory", "1mb")
        time.sleep(fault.seconds)
        client.config_set("maxmemory", "0")
    return True


def disk(world: World, fault: Fault) -> bool:
    """Fill the disk of Redis for a while."""
    world.fill_disk()
    time.sleep(fault.seconds)
    world.free_disk()
    return True


def clock(world: World, fault: Fault) -> bool:
    """Set the clocks of all processes wrong for a while."""
    seconds = random.Random(fault.chance).choice(JUMPS)
    world.set_clock(seconds if fault.target == "forward" else -seconds)
    time.sleep(fault.seconds)
    world.set_clock(0)
    return True


def failover(world: World, fault: Fault) -> bool:
    """Kill the primary and let its replica go on, which may lack what was written last."""
    if fault.target.endswith("behind"):
        world.replication.silence(True)
        time.sleep(fault.seconds)
    world.fail_over()
    return True


def cluster(world: World, fault: Fault) -> bool:
    """Kill a master, or let one stand still until its replica takes over."""
    node = world.choose(fault.chance)
    if fault.target.endswith("stop"):
        pid = node.process.pid
        signal_all([pid], "STOP")
        time.sleep(fault.seconds)
        signal_all([pid], "CONT")
    elif fault.target == "replica":
        world.cluster.replica_of(node).kill()
    else:
        node.kill()
    return True


INJECTORS: dict[str, Callable[[World, Fault], bool]] = {
    "cut": cut,
    "delay": delay,
    "kill": kill,
    "crash": crash,
    "stop": stop,
    "rolling": rolling,
    "torn": torn,
    "memory": memory,
    "disk": disk,
    "clock": clock,
    "failover": failover,
    "cluster": cluster,
}
