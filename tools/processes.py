"""Children and processor time of a process, as the system reports them."""

from __future__ import annotations

import os
from pathlib import Path


def children(process: int) -> list[int]:
    """Return the ids of a process's children; none where the system has no /proc."""
    listed = Path(f"/proc/{process}/task/{process}/children")
    return [int(child) for child in listed.read_text().split()] if listed.exists() else []


def is_running(process: int) -> bool:
    """Return whether a process has not ended; one that only nobody has waited for has."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def processor_seconds(process: int) -> float:
    """Return the processor time that a process has used, in user and in system mode."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
