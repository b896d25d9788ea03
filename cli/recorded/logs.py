"""The log of finished games, from a file or an address, compared with histories."""

from __future__ import annotations

from contextlib import closing

from cli.recorded.sources import Unreadable, lines_of, open_source
from cli.recorded.strict import Twice, decode
from domain.log import BrokenLog, Head, Log


def read_log(source: str) -> Log:
    """Read a source as a log and check it. Raise Unreadable if it cannot be read, BrokenLog if it
    is no valid log."""
    log = Log()
    with closing(open_source(source)) as stream:
        for number, line in lines_of(stream):
            if line is not None and not line.strip():
                continue
            try:
                line_value = decode((line or b"").decode())
            except (ValueError, RecursionError, Twice) as error:
                raise Unreadable("not-json", f"line {number} is no JSON text") from error
            log.add(line_value)
    return log


def check_heads(log: Log, heads: tuple[str, ...]) -> None:
    """Raise BrokenLog unless the log has lines with all of these hashes."""
    for head in heads:
        if log.n_with(head) is None:
            raise BrokenLog(f"no line has the hash {head}")


def against(row: dict, log: Log) -> dict:
    """Return the verdict on a history that passed its own checks, given the log."""
    began_after = Head(**row["log_head"]) if "log_head" in row else None
    reason = log.wrong_with(row["game"], row["hash"], began_after) if row["ok"] else None
    return row | {"ok": False, "code": "not-in-log", "reason": reason} if reason else row
