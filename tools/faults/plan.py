"""The plan of faults. It follows from a seed, so that it can be repeated."""

from __future__ import annotations

import random
from dataclasses import dataclass

# a kind -> how many of it there are among the faults of a plan, what it may be done to, and the
# seconds that it may last
KINDS: dict[str, tuple[float, tuple[str, ...], tuple[float, float]]] = {
    "cut": (
        60,
        (
            *2
            * (
                "clients before",
                "clients after",
                "clients half",
                "clients any",
                "redis before",
                "redis after",
                "redis half",
                "redis any",
            ),
            "clients all",
            "redis all",
        ),
        (0, 0),
    ),
    "delay": (12, ("clients", "redis", "redis late"), (0.02, 0.2)),
    "kill": (
        12,
        (
            "web",
            "web",
            "web",
            "web all",
            "worker",
            "worker",
            "deliveries",
            "redis",
            "redis",
            "queue",
            "recorder",
            "recorder",
            "recorder",
        ),
        (0, 0),
    ),
    "crash": (1, ("machine",), (0, 0)),
    "stop": (7, ("web", "worker", "deliveries", "redis", "queue", "recorder"), (0.05, 1.0)),
    "rolling": (1, ("web",), (0, 0)),
    "torn": (2, ("redis",), (0, 0)),
    "memory": (3, ("redis",), (0.2, 1.0)),
    "disk": (2, ("redis",), (0.2, 2.0)),
    "clock": (3, ("forward", "back"), (1.2, 2.0)),
    "failover": (2, ("redis", "redis behind"), (0.1, 1.5)),
    "cluster": (1, ("master", "master stop", "replica"), (0.5, 3.0)),
}
# kinds after which Redis may not hold what it has acknowledged
LOSING = {"torn", "failover", "cluster"}
WORLD = {"failover": "pair", "cluster": "cluster"}  # where a kind happens, if not on one machine
# kinds that must end before the next fault; others may overlap
SLOW = {"kill", "crash", "rolling", "torn", "disk", "failover", "cluster"}
PAUSE = 0.1  # seconds between two faults, at most
SETTLED = 2.0  # and after one that may lose what was noted last, also of what was lost before


@dataclass(frozen=True)
class Fault:
    """One thing that goes wrong: what, to what, for how long, so long after the last one."""

    number: int
    kind: str
    target: str
    pause: float
    seconds: float
    chance: int  # random number for further choices

    @property
    def name(self) -> str:
        return f"{self.kind} {self.target}"

    @property
    def is_slow(self) -> bool:
        """Whether the service must recover before the next fault."""
        return self.kind in SLOW


def faults(seed: int, count: int, kinds: list[str]) -> list[Fault]:
    """Return so many faults of these kinds, in a random order: as many of each kind as its weight
    says, and of each of its targets about the same."""
    chance = random.Random(f"faults {seed} {' '.join(kinds)}")
    chosen = [*kinds, *chance.choices(kinds, [KINDS[kind][0] for kind in kinds], k=count)][:count]
    chance.shuffle(chosen)
    rounds = {kind: _rounds(chance, KINDS[kind][1]) for kind in kinds}
    return [
        Fault(
            number,
            kind,
            next(rounds[kind]),
            round(chance.uniform(0, SETTLED if kind in LOSING else PAUSE), 3),
            round(chance.uniform(*KINDS[kind][2]), 3),
            chance.getrandbits(32),
        )
        for number, kind in enumerate(chosen)
    ]


def _rounds(chance: random.Random, targets: tuple[str, ...]):
    """Yield the targets again and again, each time in another order."""
    while True:
        yield from chance.sample(targets, len(targets))
