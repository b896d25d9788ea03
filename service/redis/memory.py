"""How much memory a process of this machine may take."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def usable_memory(root: Path = Path("/")) -> int:
    """Return how many bytes of memory this process may use: the machine's memory or, if less, the
    lowest limit of its control groups (containers, systemd units)."""
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min([machine, *_limits(root)])


def _limits(root: Path) -> list[int]:
    groups, limits = root / "sys/fs/cgroup", []
    files = [groups / "memory/memory.limit_in_bytes"]  # version 1, in a container
    with suppress(OSError):
        for line in (root / "proc/self/cgroup").read_text().splitlines():
            if line.startswith("0::/"):  # version 2
                group = groups / line[4:]
                files += [folder / "memory.max" for folder in (group, *group.parents)
                          if folder.is_relative_to(groups)]
    for file in files:
        with suppress(OSError, ValueError):  # "max" is no limit
            limits.append(int(file.read_text()))
    return limits
