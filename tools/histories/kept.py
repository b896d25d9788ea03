"""The histories stored in tests/histories, and the result of each."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from pathlib import Path

from domain.game.proof import finished
from tools.histories.written import BY_DIGEST

HERE = Path(__file__).parents[2] / "tests" / "histories"
EXPECTED = HERE / "expected.json"
LARGEST = 200_000  # bytes
FORMER_USA = "1199ad58497976dba875c5c054bc20698db5afdd06207d9bb8da68a7502b51d2"


def read(name: str) -> list[dict]:
    text = gzip.decompress((HERE / f"{name}.ndjson.gz").read_bytes())
    return [json.loads(line) for line in text.splitlines()]


def expected() -> dict[str, dict]:
    """Return the result of each history, by name."""
    return json.loads(EXPECTED.read_text()) if EXPECTED.exists() else {}


def led_to(entries: Iterable[dict]) -> dict:
    """Return a history's result, as in ``expected.json``."""
    verdict = finished(BY_DIGEST, entries)
    assert verdict.wrong is None, verdict.wrong
    return {
        "game": verdict.game,
        "board": verdict.board,
        "versions": verdict.version,
        "hash": verdict.hash,
        "results": list(verdict.results),
    }


def keep(name: str, entries: list[dict]) -> None:
    """Keep a history for ever."""
    known = expected()
    assert name not in known, f"{name} is there already, and stays as it is"
    lines = (json.dumps(entry, ensure_ascii=False, separators=(",", ":")) for entry in entries)
    packed = gzip.compress("".join(f"{line}\n" for line in lines).encode(), mtime=0)
    assert len(packed) <= LARGEST, f"{name} would take {len(packed)} bytes"
    known[name] = led_to(json.loads(json.dumps(entries)))
    (HERE / f"{name}.ndjson.gz").write_bytes(packed)
    EXPECTED.write_text(json.dumps(known, indent=1) + "\n")
    print(name, len(packed), "bytes")
